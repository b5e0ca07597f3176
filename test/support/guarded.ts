import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { isAlive, waitUntil } from '@broker-transparency/embedded-mongo/processes';

/** A foreign process that ends together with this one, however this one ends. */
export interface GuardedProcess {
  readonly pid: number;
  /** Stops answering without closing its connections, as a hung machine does. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Kills the process, as `kill -9` does. */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

type Guard = ChildProcessByStdio<Writable, Readable, Readable>;

/** The guard's standard input closes when this process ends. The guard then ends the program. */
const GUARD = '"$@" </dev/null >&2 & echo $!; read -r _; kill -CONT $! 2>/dev/null; kill $!; wait $!';

/**
 * Starts a program and waits until it prints `ready`.
 * @throws Error with the end of its output where it exits or stays silent instead
 */
export const startGuarded = async (command: readonly string[], ready: string): Promise<GuardedProcess> => {
  const guard = spawn('sh', ['-c', GUARD, 'sh', ...command], { stdio: 'pipe' });
  const stop = () => endGuard(guard);
  const pid = await waitUntilReady(guard, command, ready).catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    pid,
    stop,
    pause: () => void process.kill(pid, 'SIGSTOP'),
    resume: () => void process.kill(pid, 'SIGCONT'),
    kill: async () => {
      if (await isAlive(pid)) process.kill(pid, 'SIGKILL');
      await stop();
    },
  };
};

const waitUntilReady = async (guard: Guard, command: readonly string[], ready: string): Promise<number> => {
  let output = '';
  let isReady = false;
  guard.stderr.on('data', (chunk) => {
    output = (output + chunk).slice(-8_000);
    isReady ||= output.includes(ready);
  });
  const pid = Number(String((await once(guard.stdout, 'data'))[0]));
  await waitUntil(async () => isReady || !(await isAlive(pid)), 30_000);
  if (!isReady) throw new Error(`${command.join(' ')} did not start:\n${output}`);
  for (const handle of [guard, guard.stdin, guard.stdout, guard.stderr]) (handle as unknown as Socket).unref();
  return pid;
};

const endGuard = async (guard: Guard): Promise<void> => {
  if (guard.exitCode !== null || guard.signalCode !== null) return;
  guard.ref();
  guard.stdin.end();
  await once(guard, 'exit');
};
