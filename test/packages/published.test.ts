import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { llmsFiles } from '../../client/scripts/llms.ts';
import { type PackedPackage, PUBLISHED, pack } from './pack.ts';

let folder: string;
const packed = new Map<string, PackedPackage>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'published-'));
  for (const name of PUBLISHED) packed.set(name, await pack(name, folder));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const readTarball = async (name: string) => new Uint8Array(await readFile(packed.get(name)?.tarball ?? '')).buffer;

describe.each(PUBLISHED)('the packed %s', (name) => {
  test('passes publint', async () => {
    const { messages, pkg } = await publint({ pack: { tarball: await readTarball(name) }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('states its licence and runs nothing when it is installed', async () => {
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
  test('passes are-the-types-wrong', async () => {
    const contents = createPackageFromTarballData(new Uint8Array(await readTarball(name)));
    const { types, ...checked } = await checkPackage(contents);
    expect(types).toMatchObject({ kind: 'included' });
    expect('problems' in checked ? checked.problems : []).toEqual([]);
  });

  test('allows bundlers to drop what is not used', () => {
    expect(packed.get(name)?.manifest['sideEffects']).toBe(false);
  });
});

interface SourceMap {
  readonly file?: string;
  readonly sources: readonly string[];
  readonly sourcesContent?: readonly (string | null)[];
}

/** Returns the names that a clause such as `{ A as B, type C }` gives to its reader. */
const listNames = (clause: string): string[] =>
  clause.split(',').flatMap((part) => part.trim().match(/(?:^|\s)(\w+)$/)?.[1] ?? []);

test.each(['contract', 'client'])(
  'every type that a declaration of the %s shows is exported by an entry',
  async (name) => {
    const folder = packed.get(name)?.folder ?? '';
    const entries = Object.values<{ import?: { types: string } }>(
      packed.get(name)?.manifest['exports'] as Record<string, object>,
    ).flatMap((entry) => entry.import?.types ?? []);
    const texts = await Promise.all(entries.map((entry) => readFile(join(folder, entry), 'utf8')));
    const exported = new Set(
      texts.flatMap((text) =>
        [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, clause = '']) => listNames(clause)),
      ),
    );
    const shown = texts.flatMap((text) =>
      [...text.matchAll(/^import (?:type )?\{([^}]*)\} from '\.\.?\/[\w/-]+\.js'/gm)].flatMap(([, clause = '']) =>
        listNames(clause),
      ),
    );
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((type) => !exported.has(type))).toEqual([]);
  },
);

test('the source maps of the client lead to sources that it ships or that they hold, and to no path of a machine', async () => {
  const dist = join(packed.get('client')?.folder ?? '', 'dist');
  const files = await readdir(dist, { recursive: true });
  const maps = files.filter((file) => file.endsWith('.map'));
  expect(maps).toHaveLength(files.filter((file) => /\.c?js$/.test(file)).length);
  for (const file of maps) {
    const map = JSON.parse(await readFile(join(dist, file), 'utf8')) as SourceMap;
    const { sources, sourcesContent = [] } = map;
    expect([map.file ?? '', ...sources].filter(isAbsolute), file).toEqual([]);
    for (const [at, source] of sources.entries())
      if (typeof sourcesContent[at] !== 'string')
        expect((await stat(join(dist, file, '..', source))).isFile(), `${file}: ${source}`).toBe(true);
  }
});

test('the declarations of the contract stay small enough for an editor', async () => {
  const declarations = await readFile(join(packed.get('contract')?.folder ?? '', 'dist/index.d.ts'));
  expect(declarations.length).toBeLessThan(215_000);
});

test('the client ships its current documentation in one file, and an index that leads to it', async () => {
  const folder = packed.get('client')?.folder ?? '';
  for (const [name, text] of Object.entries(await llmsFiles()))
    expect(await readFile(join(folder, name), 'utf8'), `${name} comes from \`pnpm build\``).toBe(text);
  const index = await readFile(join(folder, 'llms.txt'), 'utf8');
  const links = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => String(link));
  expect(links.length).toBeGreaterThan(2);
  for (const link of links) expect((await stat(join(folder, link))).size, link).toBeGreaterThan(1000);
});

test('packages that depend on ts-rest name the exact version that the tests ran with: it is a release candidate', async () => {
  const named = [...packed.values()].flatMap(({ manifest }) => Object.entries(manifest['dependencies'] ?? {}));
  const versions = named.filter(([dependency]) => dependency.startsWith('@ts-rest/'));
  expect(versions.map(([dependency]) => dependency).sort()).toEqual(['@ts-rest/core', '@ts-rest/express']);
  for (const [dependency, version] of versions) {
    const installed = join(import.meta.dirname, '../node_modules', dependency, 'package.json');
    expect(JSON.parse(await readFile(installed, 'utf8')).version, dependency).toBe(version);
  }
});

test('npx runs the packed conformance suite with an empty cache and without a registry', async () => {
  const away = join(folder, 'away');
  await mkdir(away);
  const { tarball = '', manifest } = packed.get('client-conformance') ?? {};
  expect(manifest?.['dependencies'] ?? {}).toEqual({});
  const options = ['--yes', '--offline', '--cache', join(away, 'cache'), '--package', tarball];
  const tinyClient = fileURLToPath(new URL('../conformance/tiny-client.ts', import.meta.url));
  const suite = ['client-conformance', '--only', 'reset-once,problem-without-body', '--json', '--'];
  const command = ['exec', ...options, '--', ...suite, process.execPath, tinyClient];
  const { stdout } = await promisify(execFile)('npm', command, { cwd: away, timeout: 120_000 });
  expect(JSON.parse(stdout)).toMatchObject([
    { scenario: 'reset-once', verdict: 'passes' },
    { scenario: 'problem-without-body', verdict: 'passes' },
  ]);
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
