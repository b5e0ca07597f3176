import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './executables.ts';

const POLL_MS = 25;

export async function waitUntil(condition: () => Promise<boolean>, timeoutMs: number) {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/**
 * Returns whether a process runs. A zombie does not count: in a container without an init process it is never reaped,
 * and `kill(pid, 0)` always finds it.
 */
export async function isAlive(pid: number) {
  const state =
    process.platform === 'linux'
      ? (await read(`/proc/${pid}/stat`)).split(') ').at(-1) // PID (NAME) STATE …
      : await ps(pid, 'state');
  return /^[^ZX]/.test(state ?? '');
}

/**
 * Returns the pid of the mongod that has `dbPath` open, or undefined if none runs. Pids are reused, so the lock file
 * alone proves nothing.
 */
export async function mongodOn(dbPath: string) {
  const pid = Number(await read(join(dbPath, 'mongod.lock')));
  return pid > 0 && (await commandLine(pid)).includes(`--dbpath ${dbPath} `) ? pid : undefined;
}

export async function endMongod(pid: number, dbPath: string) {
  const gone = async () => (await mongodOn(dbPath)) !== pid;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (await gone()) return;
    kill(pid, signal);
    if (await waitUntil(gone, 5_000)) return;
  }
  throw new Error(`mongod (pid ${pid}) on ${dbPath} does not end; stop it by hand`);
}

function kill(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function commandLine(pid: number) {
  if (process.platform === 'linux') return (await read(`/proc/${pid}/cmdline`)).replaceAll('\0', ' ');
  return (await ps(pid, 'args')).replace('\n', ' ');
}

const read = (file: string) => readFile(file, 'utf8').catch(() => '');

const ps = (pid: number, field: string) =>
  run('ps', ['-o', `${field}=`, '-p', String(pid)], { timeoutMs: 2_000 }).catch(() => '');
