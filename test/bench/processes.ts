/** Processes for load and servers, each pinned to its own core where the machine allows it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';

const canPin = (): boolean => {
  try {
    execFileSync('taskset', ['-c', '0,1', 'true'], { stdio: 'ignore' });
    return availableParallelism() > 1;
  } catch {
    return false;
  }
};

/** True if load and server each have a core. */
export const pinned = canPin();

/** Core of each role. Databases run on either. */
const CORE = { load: '0', server: '1' } as const;

/** Starts a Node script that accepts messages if `messages` is set. Output goes to the file descriptor `output`. */
export const startNode = (
  role: keyof typeof CORE,
  args: readonly string[],
  { env, output, messages }: { env: NodeJS.ProcessEnv; output: number | 'inherit'; messages: boolean },
): ChildProcess => {
  const node = [process.execPath, ...args];
  const [command, ...rest] = (pinned ? ['taskset', '-c', CORE[role], ...node] : node) as [string, ...string[]];
  return spawn(command, rest, {
    env,
    stdio: ['ignore', output, output, ...(messages ? (['ipc'] as const) : [])],
    serialization: 'advanced',
  });
};

/** Sends a signal to a process and waits until it has ended. */
export const endProcess = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
};

/** Longer than any job. After this time the server no longer answers. */
const ANSWER_MS = 180_000;

/**
 * Sends a message and waits for the reply.
 * @throws Error where the process ends instead, or no reply arrives
 */
export const ask = async <T>(child: ChildProcess, message: object): Promise<T> => {
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(ANSWER_MS)]);
  const answer = once(child, 'message', { signal });
  const onExit = () => ended.abort();
  child.once('exit', onExit);
  child.send(message);
  try {
    return (await answer)[0] as T;
  } finally {
    child.off('exit', onExit);
  }
};

/** Unit in which Linux reports processor time to programs. */
export const TICKS_PER_SECOND = 100;

interface Stat {
  readonly parent: number;
  readonly ticks: number;
}

const readStat = async (pid: number): Promise<Stat> => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? [];
  return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
};

/** Ids of the child processes of a process. */
export const findChildren = async (pid: number): Promise<number[]> => {
  const children: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readStat(Number(name)).catch(() => undefined); // it may have ended
    if (stat?.parent === pid) children.push(Number(name));
  }
  return children;
};

/** Processor time that the processes have used so far, in clock ticks: user and system, all threads. */
export const readCpuTicks = async (pids: readonly number[]): Promise<number> =>
  (await Promise.all(pids.map(readStat))).reduce((sum, { ticks }) => sum + ticks, 0);

/** Resident memory of a process in MB. */
export const readResidentMb = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Largest resident set of a process so far, in MB; 0 if it has ended. */
export const readPeakMb = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
};
