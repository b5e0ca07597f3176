import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrokerDetail } from '@broker-transparency/client';
import { createTestServer } from '@broker-transparency/client/testing';
import manifest from '../../package.json' with { type: 'json' };
import { listEntries, pack } from '../pack.ts';
import { contractProgram, routesProgram, tsRestProgram } from './contract-programs.ts';
import { tryGenerators } from './generators.ts';
import { findJsrFaults } from './jsr.ts';
import { reportLatency } from './latency.ts';
import { entriesProgram, pageProgram, scriptProgram, testingProgram, workerProgram } from './programs.ts';
import { compile, execute, MODULES, type Project, writeProject } from './project.ts';
import { type LocalRegistry, startRegistry } from './registry.ts';
import { inBrowser, inWorker } from './runtimes.ts';
import { type CannedService, startService } from './service.ts';
import { bunBinary, denoBinary, getNodePath, getTscPath, installTools, NODES, TYPESCRIPTS } from './tools.ts';

/*
 * Rehearses a release: packs the packages, publishes them to a local registry, and lets fresh consumers install,
 * compile and run them.
 */

const KINDS = ['module', 'commonjs'] as const;
const failures: string[] = [];

/** Runs one check and prints a line for it. A failure is recorded, and the remaining checks still run. */
const attempt = async (name: string, expected: string, outcome: () => Promise<string>): Promise<void> => {
  const found = await outcome().catch(String);
  const passed = found === expected;
  if (!passed) failures.push(name);
  console.log(passed ? `ok      ${name}` : `FAILED  ${name}\n${found}`);
};

/**
 * Compiles with every TypeScript, module setting and package type. Checks all declarations unless `skipLibCheck` is
 * set.
 */
const compileEverywhere = async (folder: string, what: string, source: string, skipLibCheck = false) => {
  for (const typescript of Object.keys(TYPESCRIPTS))
    for (const module of MODULES)
      for (const kind of KINDS) {
        const project: Project = {
          folder: join(folder, `${what}-${typescript}-${module}-${kind}`),
          source,
          kind,
          module,
          skipLibCheck,
        };
        await writeProject(project);
        await attempt(`${what} compiles: TypeScript ${typescript}, ${module}, ${kind}`, '', () =>
          compile(getTscPath(typescript), project),
        );
      }
};

const runEverywhere = async (folder: string, what: string) => {
  const esm = { folder: join(folder, `${what}-6.0-nodenext-module`) };
  const cjs = { folder: join(folder, `${what}-6.0-nodenext-commonjs`) };
  const deno = await denoBinary();
  const bun = await bunBinary();
  const everyone = [
    ...Object.keys(NODES).map((node) => ({ name: `Node ${node}`, command: getNodePath(node), args: [] as string[] })),
    { name: 'Deno', command: deno, args: ['run', '--node-modules-dir=manual', '--allow-all'] },
    { name: 'Bun', command: bun, args: ['run'] },
  ];
  for (const { name, command, args } of everyone)
    for (const project of [esm, cjs])
      await attempt(`${what} runs: ${name}, ${project === esm ? 'ESM' : 'CommonJS'}`, 'works', () =>
        execute(command, args, project),
      );
};

/** Runs the client's command against a test server, as npx starts it. */
const runCommand = async (folder: string) => {
  const server = createTestServer({ fixtures: { brokers: [{ slug: 'alpha-markets' }] } });
  const baseUrl = `${await server.listen()}/api/v1`;
  const bin = join(folder, 'node_modules/.bin/broker-transparency');
  for (const node of Object.keys(NODES))
    await attempt(`command runs: Node ${node}`, 'true', async () => {
      const args = [bin, 'check', 'alpha-markets', '--json', '--base-url', baseUrl];
      const { stdout } = await promisify(execFile)(getNodePath(node), args, { timeout: 30_000 });
      return String(JSON.parse(stdout).matches);
    });
  await server.close();
};

/** Compiles with Node's own types instead of a browser's. */
const compileForNode = async (registry: LocalRegistry, what: 'client' | 'contract', source: string) => {
  const installed = await registry.install(`${what}-for-node`, [`@broker-transparency/${what}`, '@types/node@24']);
  for (const typescript of ['5.9', '6.0', '7.0']) {
    const project: Project = {
      folder: join(installed, typescript),
      source,
      kind: 'module',
      module: 'nodenext',
      platform: 'node',
      skipLibCheck: false,
    };
    await writeProject(project);
    await attempt(`${what} compiles: TypeScript ${typescript}, nodenext, with the types of Node only`, '', () =>
      compile(getTscPath(typescript), project),
    );
  }
};

/** Names of the packages in a folder, scoped ones included. */
const listPackages = async (folder: string): Promise<string[]> => {
  const names: string[] = [];
  for (const name of (await readdir(join(folder, 'node_modules'))).filter((entry) => !entry.startsWith('.')))
    if (name.startsWith('@'))
      for (const inside of await readdir(join(folder, 'node_modules', name))) names.push(`${name}/${inside}`);
    else names.push(name);
  return names;
};

const consume = async (registry: LocalRegistry, service: CannedService, entries: readonly string[]): Promise<void> => {
  const client = await registry.install('client', ['@broker-transparency/client']);
  await attempt('client brings no other package', '@broker-transparency/client', async () =>
    (await listPackages(client)).join(),
  );
  const source = scriptProgram(service.baseUrl);
  await compileEverywhere(client, 'client', source);
  await compileForNode(registry, 'client', source);
  await runEverywhere(client, 'client');
  await runCommand(client);
  await attempt('client runs: Worker (miniflare)', 'works', () => inWorker(client, workerProgram(service.baseUrl)));
  const recipe = await readFile(new URL('../../../docs/recipes/worker.ts', import.meta.url), 'utf8');
  const broker = (await (await fetch(`${service.baseUrl}/brokers/alpha-markets`)).json()) as BrokerDetail;
  const badge = JSON.stringify({ name: broker.name, color: broker.color, value: broker.score.value });
  await attempt('recipe runs: Worker (miniflare)', badge, () =>
    inWorker(client, recipe, '/badge/alpha-markets', { BROKER_API: service.baseUrl }),
  );
  await attempt('client runs: browser (Chromium)', 'works', () =>
    inBrowser(client, service, pageProgram(service.baseUrl)),
  );
  const both = await registry.install('both', [
    '@broker-transparency/contract',
    '@broker-transparency/client',
    `@ts-rest/core@${manifest.devDependencies['@ts-rest/core']}`,
  ]);
  const contract = await contractProgram(service.origin);
  for (const [what, program] of [
    ['contract', contract],
    ['routes', await routesProgram()],
    ['entries', entriesProgram(entries)],
    ['testing', testingProgram()],
  ] as const) {
    await compileEverywhere(both, what, program);
    await runEverywhere(both, what);
  }
  await compileForNode(registry, 'contract', contract);
  await compileEverywhere(both, 'ts-rest', await tsRestProgram(service.origin), true);
  await runEverywhere(both, 'ts-rest');
  await attempt('testing runs: Worker (miniflare)', 'works', () => inWorker(both, workerProgram()));
  await attempt('testing runs: browser (Chromium)', 'works', () => inBrowser(both, service, pageProgram()));
  await reportLatency(client, source);
};

const tryPackages = async (folder: string): Promise<void> => {
  await installTools();
  const service = await startService();
  const registry = await startRegistry(folder);
  try {
    const entries: string[] = [];
    for (const name of ['contract', 'client'] as const) {
      const packed = await pack(name, join(folder, 'built'));
      await registry.publish(packed.tarball);
      entries.push(...listEntries(packed));
    }
    await consume(registry, service, entries);
    await attempt('JSR takes the sources, and the client has no type that is not written out', '', async () =>
      (await findJsrFaults(await denoBinary(), join(folder, 'jsr'))).join('\n'),
    );
  } finally {
    await registry.close();
    await service.close();
  }
};

/** `npx -y pnpm consumers [packages|generators]`: runs one part, or both. */
const [part = 'all'] = process.argv.slice(2);
if (!['all', 'packages', 'generators'].includes(part)) throw new Error(`there is no part ${part}`);
const folder = await mkdtemp(join(tmpdir(), 'consumers-'));
try {
  if (part !== 'generators') await tryPackages(folder);
  if (part !== 'packages') await tryGenerators(join(folder, 'generators'), attempt);
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(failures.length === 0 ? 'every consumer works' : `${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
