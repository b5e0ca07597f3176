import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../platform/domain-error.ts';

const isRunning = (pid: number): boolean => {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * Locks a folder for this process, since two processes would break its chain. @returns the function that releases it
 * @throws DomainError if another process has the lock
 */
export const lockFolder = async (dir: string): Promise<() => Promise<void>> => {
  const file = join(dir, 'lock');
  for (let tries = 0; ; tries++) {
    try {
      await writeFile(file, `${process.pid}\n`, { flag: 'wx' });
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = Number(await readFile(file, 'utf8').catch(() => ''));
      if (isRunning(holder) || tries > 1)
        throw new DomainError(
          'state_conflict',
          `--dir ${dir} is used by the process ${holder}: stop it first, or give each prober a folder of its own.`,
        );
      await rm(file, { force: true }); // its process ended without releasing the lock
    }
  }
};
