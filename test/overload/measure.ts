/** Measures the service under three times as many requests as it can answer. */
import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ask, endProcess, readResidentMb } from '../bench/processes.ts';
import { send } from '../support/http.ts';
import type { Service, ServiceProcess } from '../support/process.ts';
import { until } from '../support/until.ts';
import type { CallerLoad, LoadResult } from './callers.ts';

export interface OverloadResult {
  readonly connections: CallerLoad['connections'];
  /** Answered requests per second if callers wait for their answers. */
  readonly capacity: number;
  readonly perSecond: number;
  readonly loaded: LoadResult;
  readonly health: { readonly answers: number; readonly refused: number; readonly worstMs: number };
  /** Resident memory in MB: the highest value of each half. */
  readonly memory: readonly [number, number];
  /** Time until the service admitted every request again. */
  readonly recoveryMs: number;
  /** The factor by which other processes slowed the service down; 1 if none did. */
  readonly slowdown: number;
}

/** Pages of the list. Each is built from the database, and no two simultaneous requests are the same. */
export const PAGES = Array.from(
  { length: 2000 },
  (_, n) => `/api/v1/brokers?limit=${90 + (n % 10)}${n < 10 ? '' : `&offset=${Math.floor(n / 10)}`}`,
);
const TIMES = 3;
/** Number of waiting callers that keep the service busy. */
const WAITING = 32;
const LOOK_MS = 50;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const runCallers = async (load: CallerLoad): Promise<LoadResult> => {
  const child = fork(fileURLToPath(new URL('./callers.ts', import.meta.url)), { serialization: 'advanced' });
  try {
    return await ask<LoadResult>(child, load);
  } finally {
    await endProcess(child, 'SIGTERM');
  }
};

/**
 * Measures the capacity with the requests and connections of the load. Takes the better of two runs, since a freshly
 * started server is slow.
 */
const measureCapacity = async (load: Omit<CallerLoad, 'from'>): Promise<number> => {
  const answeredPerSecond = async (): Promise<number> => {
    const { byStatus, seconds } = await runCallers({ ...load, from: { waiting: WAITING } });
    return (byStatus['200']?.count ?? 0) / seconds;
  };
  return Math.max(await answeredPerSecond(), await answeredPerSecond());
};

/** Nanoseconds for which the main threads of the processes have run and have waited for a processor so far. */
const readSchedule = async (pids: readonly number[]): Promise<{ ran: number; waited: number }> => {
  const each = await Promise.all(
    pids.map(async (pid) => (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ').map(Number)),
  );
  return { ran: sum(each.map(([ran = 0]) => ran)), waited: sum(each.map(([, waited = 0]) => waited)) };
};

/** Polls health and memory until told to end. */
const watch = ({ origin }: Service, pids: readonly number[]) => {
  let over = false;
  let refused = 0;
  const [took, memory] = [[] as number[], [] as number[]];
  const looking = (async () => {
    while (!over) {
      const start = performance.now();
      const { status } = await send(`${origin}/healthz`, { headers: { Connection: 'close' } });
      took.push(performance.now() - start);
      if (status !== 200) refused++;
      memory.push(sum(await Promise.all(pids.map(readResidentMb))));
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  })();
  return async () => {
    over = true;
    await looking;
    const half = Math.ceil(memory.length / 2);
    return {
      health: { answers: took.length, refused, worstMs: Math.round(Math.max(...took)) },
      memory: [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))].map(Math.round) as [number, number],
    };
  };
};

/** Milliseconds until ten requests in a row are admitted again. */
const measureRecovery = async ({ origin }: Service): Promise<number> => {
  const start = performance.now();
  let inARow = 0;
  await until('everything is let in', 30_000, async () => {
    const { status } = await send(`${origin}${PAGES[inARow]}`, { headers: { Connection: 'close' } });
    inARow = status === 200 ? inARow + 1 : 0;
    return inARow === 10;
  });
  return Math.round(performance.now() - start);
};

/** Duration of the load, and of each of the two measurements of its capacity, in seconds. */
export interface LoadSeconds {
  readonly load: number;
  readonly capacity: number;
}

/** @param pids the processes that answer */
export const measureOverload = async (
  service: ServiceProcess,
  connections: CallerLoad['connections'],
  lasts: LoadSeconds,
  pids: readonly number[] = [service.pid],
): Promise<OverloadResult> => {
  const load = { port: Number(new URL(service.origin).port), paths: PAGES, connections };
  const capacity = await measureCapacity({ ...load, seconds: lasts.capacity });
  const perSecond = Math.round(TIMES * capacity);
  const end = watch(service, pids);
  const before = await readSchedule(pids);
  const loaded = await runCallers({ ...load, seconds: lasts.load, from: { perSecond } });
  const recoveryMs = await measureRecovery(service);
  const after = await readSchedule(pids);
  const slowdown = 1 + (after.waited - before.waited) / (after.ran - before.ran);
  return {
    connections,
    capacity: Math.round(capacity),
    perSecond,
    loaded,
    recoveryMs,
    slowdown,
    ...(await end()),
  };
};
