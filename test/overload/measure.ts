/** Three times as many requests as the service can answer, and how it takes that. */
import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Job, Outcome } from '../bench/load.ts';
import { ask, endProcess, residentMb } from '../bench/processes.ts';
import { send } from '../support/http.ts';
import { type Service, until } from '../support/service.ts';
import type { Flood, Flooded } from './open-loop.ts';

export interface Overloaded {
  /** Requests a second that are answered when callers wait for their answers. */
  readonly capacity: number;
  readonly perSecond: number;
  readonly flooded: Flooded;
  readonly health: { readonly answers: number; readonly refused: number; readonly worstMs: number };
  /** Resident memory in MB: highest of each half. */
  readonly memory: readonly [number, number];
  /** Until the service let everything in again. */
  readonly recoveryMs: number;
  /** How much longer the service took for everything because others used its processor: 1 on a machine of its own. */
  readonly slowdown: number;
}

/** Pages of the list: each is made from the database, and no two that are asked for at a time are the same. */
export const PAGES = Array.from({ length: 200 }, (_, n) => `/api/v1/brokers?limit=100${n === 0 ? '' : `&offset=${n}`}`);
const TIMES = 3;
const CONNECTIONS = 300;
const LOOK_MS = 50;

const withProcess = async <Answer>(script: string, job: object): Promise<Answer> => {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), { serialization: 'advanced' });
  try {
    return await ask<Answer>(child, job);
  } finally {
    await endProcess(child, 'SIGTERM');
  }
};

const capacityOf = async (port: number): Promise<number> => {
  const requests = PAGES.map((path) => ({ path }));
  const job: Job = {
    port,
    requests,
    from: 0,
    headers: {},
    connections: 32,
    until: { seconds: 2 },
    expected: { status: 200 },
  };
  await withProcess<Outcome>('../bench/load.ts', job); // a server that has just been started runs slower code
  const outcome = await withProcess<Outcome | { error: string }>('../bench/load.ts', job);
  if ('error' in outcome) throw new Error(outcome.error);
  return outcome.answered / outcome.seconds;
};

/** Nanoseconds for which the main thread of a process has run, and has waited for a processor, so far. */
const schedule = async (pid: number): Promise<{ ran: number; waited: number }> => {
  const [ran = 0, waited = 0] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ').map(Number);
  return { ran, waited };
};

/** Looks at health and memory until told to end. */
const watch = ({ origin, pid }: Service) => {
  let over = false;
  let refused = 0;
  const [took, memory] = [[] as number[], [] as number[]];
  const looking = (async () => {
    while (!over) {
      const start = performance.now();
      const { status } = await send(`${origin}/healthz`, { headers: { Connection: 'close' } });
      took.push(performance.now() - start);
      if (status !== 200) refused++;
      memory.push(await residentMb(pid));
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

/** Everything is let in again: ten in a row. */
const recovered = async ({ origin }: Service): Promise<number> => {
  const start = performance.now();
  let inARow = 0;
  await until('everything is let in', 30_000, async () => {
    const { status } = await send(`${origin}${PAGES[inARow]}`, { headers: { Connection: 'close' } });
    inARow = status === 200 ? inARow + 1 : 0;
    return inARow === 10;
  });
  return Math.round(performance.now() - start);
};

/** @param seconds how long it lasts */
export const measureOverload = async (service: Service, seconds: number): Promise<Overloaded> => {
  const port = Number(new URL(service.origin).port);
  const capacity = await capacityOf(port);
  const perSecond = Math.round(TIMES * capacity);
  const end = watch(service);
  const before = await schedule(service.pid);
  const flood: Flood = { port, paths: PAGES, perSecond, seconds, connections: CONNECTIONS };
  const flooded = await withProcess<Flooded>('./open-loop.ts', flood);
  const recoveryMs = await recovered(service);
  const after = await schedule(service.pid);
  const slowdown = 1 + (after.waited - before.waited) / (after.ran - before.ran);
  return { capacity: Math.round(capacity), perSecond, flooded, recoveryMs, slowdown, ...(await end()) };
};
