import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServiceProcess } from './process.ts';

/** Process ids of the workers of a service. */
export const listWorkers = async ({ pid }: Pick<ServiceProcess, 'pid'>): Promise<number[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,args=', '--ppid', String(pid)]);
  return stdout
    .split('\n')
    .filter((line) => line.includes('main.js'))
    .map((line) => Number.parseInt(line, 10));
};
