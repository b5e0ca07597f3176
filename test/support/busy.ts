import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** The busy processes end after this time, even if the process that started them dies. */
const AT_MOST_MS = 60_000;

/** Runs `work` while `count` other processes take all the processor time they can get. */
export const besideBusyProcesses = async <T>(count: number, work: () => Promise<T>): Promise<T> => {
  const spin = `for (const end = Date.now() + ${AT_MOST_MS}; Date.now() < end; );`;
  const busy: ChildProcess[] = Array.from({ length: count }, () => spawn(process.execPath, ['-e', spin]));
  try {
    await Promise.all(busy.map((child) => once(child, 'spawn')));
    return await work();
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
};
