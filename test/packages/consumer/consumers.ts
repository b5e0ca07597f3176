import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from '../pack.ts';
import { CONTRACT_PROGRAM, scriptProgram } from './programs.ts';
import { compile, execute, MODULES, type Project, writeProject } from './project.ts';
import { type LocalRegistry, startRegistry } from './registry.ts';
import { inBrowser, inWorker } from './runtimes.ts';
import { type CannedService, startService } from './service.ts';
import { bunBinary, denoBinary, installTools, NODES, nodeOf, TYPESCRIPTS, tscOf } from './tools.ts';

/* A release, rehearsed: packed, published to a registry of its own, installed by fresh consumers, compiled and run. */

const KINDS = ['module', 'commonjs'] as const;
const failures: string[] = [];

/** One line for each thing that was tried; a wrong outcome is remembered and the rest goes on. */
const attempt = async (name: string, expected: string, outcome: () => Promise<string>): Promise<void> => {
  const found = await outcome().catch(String);
  const passed = found === expected;
  if (!passed) failures.push(name);
  console.log(passed ? `ok      ${name}` : `FAILED  ${name}\n${found}`);
};

const compileEverywhere = async (folder: string, source: string, skipLibCheck: boolean, what: string) => {
  for (const typescript of Object.keys(TYPESCRIPTS))
    for (const module of MODULES)
      for (const kind of KINDS) {
        const project: Project = {
          ...{ folder: join(folder, `${typescript}-${module}-${kind}`), source, kind, module, skipLibCheck },
        };
        await writeProject(project);
        await attempt(`${what} compiles: TypeScript ${typescript}, ${module}, ${kind}`, '', () =>
          compile(tscOf(typescript), project),
        );
      }
};

const runEverywhere = async (folder: string, what: string) => {
  const esm = { folder: join(folder, '6-nodenext-module') } as Project;
  const cjs = { folder: join(folder, '6-nodenext-commonjs') } as Project;
  const deno = await denoBinary();
  const bun = await bunBinary();
  const everyone = [
    ...Object.keys(NODES).map((node) => ({ name: `Node ${node}`, command: nodeOf(node), args: [] as string[] })),
    { name: 'Deno', command: deno, args: ['run', '--node-modules-dir=manual', '--allow-all'] },
    { name: 'Bun', command: bun, args: ['run'] },
  ];
  for (const { name, command, args } of everyone)
    for (const project of [esm, cjs])
      await attempt(`${what} runs: ${name}, ${project === esm ? 'ESM' : 'CommonJS'}`, 'works', () =>
        execute(command, args, project),
      );
};

/** What an editor waits for: one file with all calls, checked from cold. The best of three, since others use this machine too. */
const measureLatency = async (folder: string, source: string) => {
  for (const typescript of Object.keys(TYPESCRIPTS)) {
    const seconds = async (text: string, name: string): Promise<number> => {
      const project: Project = {
        ...{ folder: join(folder, name), source: text, kind: 'module', module: 'nodenext', skipLibCheck: true },
      };
      await writeProject(project);
      const times: number[] = [];
      for (let run = 0; run < 3; run++) {
        const start = performance.now();
        await compile(tscOf(typescript), project);
        times.push((performance.now() - start) / 1000);
      }
      return Math.min(...times);
    };
    const all = await seconds(source, `latency-${typescript}`);
    const none = await seconds('export const nothing = 0;', `nothing-${typescript}`);
    console.log(
      `        TypeScript ${typescript}: ${all.toFixed(2)} s with all calls, ${none.toFixed(2)} s for an empty file`,
    );
  }
};

const consume = async (registry: LocalRegistry, service: CannedService): Promise<void> => {
  const client = await registry.install('client', ['@broker-transparency/client']);
  await attempt('client brings no other package', '@broker-transparency/client', async () => {
    const scopes = (await readdir(join(client, 'node_modules'))).filter((name) => !name.startsWith('.'));
    return (
      await Promise.all(
        scopes.map(async (scope) => (await readdir(join(client, 'node_modules', scope))).map((n) => `${scope}/${n}`)),
      )
    )
      .flat()
      .join();
  });
  const source = scriptProgram(service.baseUrl);
  await compileEverywhere(client, source, false, 'client');
  await runEverywhere(client, 'client');
  await attempt('client runs: Worker (miniflare)', 'works', () => inWorker(client, service));
  await attempt('client runs: browser (Chromium)', 'works', () => inBrowser(client, service));
  const contract = await registry.install('contract', ['@broker-transparency/contract']);
  await compileEverywhere(contract, CONTRACT_PROGRAM, true, 'contract');
  await runEverywhere(contract, 'contract');
  await measureLatency(client, source);
};

const folder = await mkdtemp(join(tmpdir(), 'consumers-'));
await installTools();
const service = await startService();
const registry = await startRegistry(folder);
try {
  for (const name of ['contract', 'client'] as const) await registry.publish((await pack(name, folder)).tarball);
  await consume(registry, service);
} finally {
  await registry.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
}
console.log(failures.length === 0 ? 'every consumer works' : `${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
