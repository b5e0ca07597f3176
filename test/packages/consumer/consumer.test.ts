import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pack } from '../pack.ts';
import { CONTRACT_PROGRAM, scriptProgram } from './programs.ts';
import { compile, execute, type Project, writeProject } from './project.ts';
import { type CannedService, startService } from './service.ts';

/* The small part of `npx -y pnpm consumers`: the TypeScript and the Node that are here, and nothing from a registry. */

const ROOT = join(import.meta.dirname, '../../..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

let folder: string;
let service: CannedService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'consumer-'));
  service = await startService();
  await pack('client', folder);
  await pack('contract', folder);
  const dependencies = join(ROOT, 'contract/node_modules');
  await mkdir(join(folder, 'node_modules/@ts-rest'));
  for (const name of ['zod', '@ts-rest/core'])
    await symlink(join(dependencies, name), join(folder, 'node_modules', name));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const kinds = ['module', 'commonjs'] as const;

describe.each(kinds)('a fresh consumer written as %s', (kind) => {
  test('compiles and runs with the client', async () => {
    const project: Project = {
      ...{ folder: join(folder, `client-${kind}`), source: scriptProgram(service.baseUrl) },
      ...{ kind, module: 'nodenext', skipLibCheck: false },
    };
    await writeProject(project);
    expect(await compile(TSC, project)).toBe('');
    expect(await execute(process.execPath, [], project)).toBe('works');
  });

  test('compiles and runs with the contract', async () => {
    const project: Project = {
      ...{ folder: join(folder, `contract-${kind}`), source: CONTRACT_PROGRAM },
      ...{ kind, module: 'nodenext', skipLibCheck: true },
    };
    await writeProject(project);
    expect(await compile(TSC, project)).toBe('');
    expect(await execute(process.execPath, [], project)).toBe('works');
  });
});
