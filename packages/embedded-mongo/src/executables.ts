import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export interface RunOptions {
  timeoutMs: number;
  env?: NodeJS.ProcessEnv;
}

/** Runs a command and returns its output. @throws Error with a message of one short line */
export async function run(command: string, args: string[], { timeoutMs, env = process.env }: RunOptions) {
  try {
    const options = { timeout: timeoutMs, killSignal: 'SIGKILL' as const, env, maxBuffer: 16 * 1024 * 1024 };
    return (await execute(command, args, options)).stdout;
  } catch (error) {
    throw new Error(failure(command, error as ExecError, timeoutMs), { cause: error });
  }
}

type ExecError = Error & { code?: string | number; killed?: boolean; signal?: string; stderr?: string };

function failure(command: string, { code, killed, signal, stderr, message }: ExecError, timeoutMs: number) {
  if (code === 'ENOENT') return `${command} not found`;
  if (code === 'EACCES') return `${command} is not executable`;
  if (killed) return `${command} gave no result within ${timeoutMs / 1000} s`;
  const lastLine = stderr?.trim().split('\n').at(-1)?.trim();
  return lastLine || (signal ? `${command} ended by ${signal}` : (message.split('\n')[0] ?? message));
}

export async function findOnPath(name: string, path = '') {
  for (const directory of path.split(delimiter).filter(Boolean)) {
    const file = join(directory, name);
    if (await isExecutable(file)) return file;
  }
  throw new Error('not found');
}

export const isExecutable = (file: string) =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

/**
 * Runs `work` with a scratch directory inside `parent`, so that a finished file can be renamed into place atomically.
 */
export async function withScratchDirectory<T>(parent: string, work: (directory: string) => Promise<T>) {
  await mkdir(parent, { recursive: true });
  const directory = await mkdtemp(join(parent, 'tmp-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
