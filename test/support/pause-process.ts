import { readdir, readFile } from 'node:fs/promises';
import { until } from './until.ts';

/** State of a thread: `T` if it is stopped. */
const readThreadState = async (stat: string): Promise<string | undefined> =>
  (await readFile(stat, 'utf8').catch(() => ')  T')).split(')').at(-1)?.trim()[0]; // a thread that ended does nothing

/**
 * Stops a process without closing its connections, as a hung machine does, and waits until all its threads stand still:
 * one of them may answer requests that come right after the signal.
 */
export const pauseProcess = async (pid: number): Promise<void> => {
  process.kill(pid, 'SIGSTOP');
  await until('every thread stands still', 10_000, async () => {
    const threads = await readdir(`/proc/${pid}/task`);
    const states = await Promise.all(threads.map((thread) => readThreadState(`/proc/${pid}/task/${thread}/stat`)));
    return states.every((state) => state === 'T');
  });
};
