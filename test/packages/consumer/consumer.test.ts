import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listEntries, type PackedPackage, pack } from '../pack.ts';
import { contractProgram, routesProgram, tsRestProgram } from './contract-programs.ts';
import { scriptProgram, testingProgram } from './programs.ts';
import { compile, execute, type Project, writeProject } from './project.ts';
import type { CannedService } from './service.ts';
import { startService } from './service.ts';

/* The offline part of `npx -y pnpm consumers`: uses the installed TypeScript and Node, and no registry. */

const ROOT = join(import.meta.dirname, '../../..');
/**
 * `npx -y pnpm consumers` uses each version of the compiler. This one is written in Go and needs a fifth of the time.
 */
const TSC = join(ROOT, 'node_modules/typescript-7/bin/tsc');

let folder: string;
let service: CannedService;
const packed = new Map<string, PackedPackage>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'consumer-'));
  service = await startService();
  for (const name of ['client', 'contract'] as const) packed.set(name, await pack(name, folder));
  await mkdir(join(folder, 'node_modules/@ts-rest'));
  for (const [owner, name] of [
    ['contract', 'zod'],
    ['test', '@ts-rest/core'],
  ] as const)
    await symlink(join(ROOT, owner, 'node_modules', name), join(folder, 'node_modules', name));
  await mkdir(join(folder, 'node_modules/@types'));
  await symlink(join(ROOT, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const kinds = ['module', 'commonjs'] as const;

describe.each(kinds)('a fresh consumer written as %s', (kind) => {
  test('compiles and runs with the client', async () => {
    const project: Project = {
      folder: join(folder, `client-${kind}`),
      source: scriptProgram(service.baseUrl),
      kind,
      module: 'nodenext',
      skipLibCheck: false,
    };
    await writeProject(project);
    expect(await compile(TSC, project)).toBe('');
    expect(await execute(process.execPath, [], project)).toBe('works');
  });
});

test('compiles and runs the examples of the contract’s README, with every declaration checked', async () => {
  const project: Project = {
    folder: join(folder, 'contract'),
    source: await contractProgram(service.origin),
    kind: 'module',
    module: 'nodenext',
    skipLibCheck: false,
  };
  await writeProject(project);
  expect(await compile(TSC, project)).toBe('');
  expect(await execute(process.execPath, [], project)).toBe('works');
});

test('a program that reads the routes compiles without a declaration of zod and ts-rest', async () => {
  const project: Project = {
    folder: join(folder, 'routes'),
    source: await routesProgram(),
    kind: 'module',
    module: 'nodenext',
    skipLibCheck: false,
  };
  await writeProject(project);
  const files = (await compile(TSC, project, ['--listFiles'])).trim().split('\n');
  const read = files.filter((file) => !/\/lib\.[\w.]+\.d\.ts$/.test(file)).map((file) => relative(folder, file));
  expect(read.at(-1)).toBe('routes/src/app.ts');
  for (const file of read.slice(0, -1)) expect(file).toMatch(/^node_modules\/@broker-transparency\/contract\/dist\//);
  expect(await execute(process.execPath, [], project)).toBe('works');
});

/** Declares names that a sample of the README takes for granted. */
const GIVEN: Readonly<Record<string, string>> = {
  client: `import { createClient as create } from '@broker-transparency/client';
    const client = create({ baseUrl: 'https://brokers.example' });`,
  review: "const review = { broker: 'alpha', rating: 4, language: 'en', title: 'A title', content: 'Paid at once.' };",
  key: "const key = '';",
};

test('every sample of the client’s README compiles as written, by the strictest settings', async () => {
  const readme = await readFile(join(packed.get('client')?.folder ?? '', 'README.md'), 'utf8');
  const samples = [...readme.matchAll(/^```[jt]s\n(.*?)^```$/gms)].map(([, code = '']) => code);
  expect(samples.length).toBeGreaterThan(10);
  const project: Project = {
    folder: join(folder, 'readme'),
    source: '',
    kind: 'module',
    module: 'nodenext',
    skipLibCheck: false,
    platform: 'node',
  };
  await writeProject(project);
  for (const [at, code] of samples.entries()) {
    const given = Object.entries(GIVEN).filter(
      ([name]) => new RegExp(`\\b${name}\\b`).test(code) && !new RegExp(`const (\\{ )?${name}\\b`).test(code),
    );
    const source = [...given.map(([, text]) => text), code, 'export {};'].join('\n');
    await writeFile(join(project.folder, `src/sample-${at + 1}.ts`), source);
  }
  expect(await compile(TSC, project)).toBe('');
});

test('the contract’s README names the version of ts-rest that the tests use', async () => {
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'test/package.json'), 'utf8'));
  const readme = await readFile(join(ROOT, 'contract/README.md'), 'utf8');
  expect(readme).toContain(` @ts-rest/core@${devDependencies['@ts-rest/core']}\n`);
});

test('lets ts-rest infer requests and answers from the contract', async () => {
  const project: Project = {
    folder: join(folder, 'ts-rest'),
    source: await tsRestProgram(service.origin),
    kind: 'commonjs',
    module: 'nodenext',
    skipLibCheck: true,
  };
  await writeProject(project);
  expect(await compile(TSC, project)).toBe('');
  expect(await execute(process.execPath, [], project)).toBe('works');
});

test('compiles and runs a test that uses the test server', async () => {
  const project: Project = {
    folder: join(folder, 'testing'),
    source: testingProgram(),
    kind: 'commonjs',
    module: 'nodenext',
    skipLibCheck: false, // double.test.ts uses it as a module
  };
  await writeProject(project);
  expect(await compile(TSC, project)).toBe('');
  expect(await execute(process.execPath, [], project)).toBe('works');
});

const listKeys = async (kind: string, expression: string): Promise<string[]> => {
  const script = `console.log(Object.keys(${expression}).join())`;
  const args = [`--input-type=${kind}`, '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  return stdout.trim().split(',');
};

test.each(['client', 'contract'])('imports and requires every entry of the %s, with the same result', async (name) => {
  const found = packed.get(name);
  const entries = found === undefined ? [] : listEntries(found);
  expect(entries).toContain(`@broker-transparency/${name}`);
  for (const entry of entries) {
    const imported = await listKeys('module', `await import('${entry}')`);
    const required = await listKeys('commonjs', `require('${entry}')`);
    expect(imported.length, entry).toBeGreaterThan(0);
    expect(required.sort(), entry).toEqual(imported.sort());
  }
});
