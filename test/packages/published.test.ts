import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Packed, PUBLISHED, pack } from './pack.ts';

let folder: string;
const packed = new Map<string, Packed>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'published-'));
  for (const name of PUBLISHED) packed.set(name, await pack(name, folder));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const bytesOf = async (name: string) => new Uint8Array(await readFile(packed.get(name)?.tarball ?? '')).buffer;

describe.each(PUBLISHED)('the packed %s', (name) => {
  test('has no finding of publint', async () => {
    const { messages, pkg } = await publint({ pack: { tarball: await bytesOf(name) }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('says how it may be used, and runs nothing when it is installed', async () => {
    const manifest = packed.get(name)?.manifest;
    expect(manifest).toMatchObject({ license: 'MIT', publishConfig: { access: 'public', provenance: true } });
    const scripts = Object.keys(manifest?.['scripts'] ?? {});
    expect(scripts.filter((script) => /install|prepare|prepack|postpack|prepublish/.test(script))).toEqual([]);
    expect(JSON.stringify(manifest)).not.toContain('workspace:');
    const files = await readdir(packed.get(name)?.folder ?? '', { recursive: true });
    expect(files).toContain('LICENSE');
    expect(files.includes('README.md')).toBe(name !== 'server'); // the server's is the project's
    expect(files.filter((file) => /\.test\.|(^|\/)(\.env|\.data|\.npmrc)/.test(file))).toEqual([]);
  });
});

describe.each(['contract', 'client'])('the packed %s', (name) => {
  test('has no finding of are-the-types-wrong', async () => {
    const contents = createPackageFromTarballData(new Uint8Array(await bytesOf(name)));
    const { types, ...checked } = await checkPackage(contents);
    expect(types).toMatchObject({ kind: 'included' });
    expect('problems' in checked ? checked.problems : []).toEqual([]);
  });

  test('leaves what is not used out of a bundle', () => {
    expect(packed.get(name)?.manifest['sideEffects']).toBe(false);
  });
});

test('the declarations of the contract stay small enough for an editor', async () => {
  const declarations = await readFile(join(packed.get('contract')?.folder ?? '', 'dist/index.d.ts'));
  expect(declarations.length).toBeLessThan(200_000);
});

test('the client depends on no package', () => {
  const manifest = packed.get('client')?.manifest;
  expect(manifest?.['dependencies'] ?? {}).toEqual({});
  expect(manifest?.['optionalDependencies'] ?? {}).toEqual({});
  const required = Object.keys(manifest?.['peerDependencies'] ?? {}).filter(
    (peer) => (manifest?.['peerDependenciesMeta'] as Record<string, { optional?: boolean }>)?.[peer]?.optional !== true,
  );
  expect(required).toEqual([]);
});
