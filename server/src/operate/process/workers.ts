import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../platform/observe/log.ts';
import type { StopMessage } from './signals.ts';
import type { Addresses } from './web.ts';

/** A worker that died is replaced after this. */
const AGAIN_MS = 1000;
/** Longer than a worker takes to end. */
const STOP_MS = 12_500;

interface ReadyMessage {
  readonly ready: Addresses;
}

const isReady = (message: unknown): message is ReadyMessage =>
  typeof message === 'object' && message !== null && 'ready' in message;

/** To be called in a worker, once it serves. */
export const tellReady = (addresses: Addresses): void => {
  process.send?.({ ready: addresses } satisfies ReadyMessage);
};

const stop = async (worker: Worker, signal: NodeJS.Signals): Promise<void> => {
  const ended = once(worker, 'exit');
  worker.send({ stop: signal } satisfies StopMessage, () => {}); // one that ended meanwhile cannot be told
  await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
  if (!worker.isDead()) worker.process.kill('SIGKILL');
};

/** Processes that answer on `port`. One that dies is replaced. */
export const startWorkers = (count: number, port: number, log: Log) => {
  const ready = Promise.withResolvers<Addresses>();
  const serving = new Set<number>();
  let ending = false;
  let started = false;
  // dealt out by the primary, a connection would hang where its worker is killed before it has taken it
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const fork = (): void => {
    if (!ending) cluster.fork({ PORT: String(port) });
  };
  cluster.on('message', (worker, message: unknown) => {
    if (!isReady(message)) return;
    serving.add(worker.id);
    started ||= serving.size === count;
    if (started) ready.resolve(message.ready);
  });
  cluster.on('exit', (worker, code, signal) => {
    serving.delete(worker.id);
    if (ending) return;
    log.error({ worker: worker.id, code, signal }, 'a worker ended');
    if (started) setTimeout(fork, AGAIN_MS);
    else ready.reject(new Error('a worker did not start: its own line says why'));
  });
  for (let n = 0; n < count; n++) fork();
  return {
    /** Addresses of the service, once every worker serves. */
    ready: ready.promise,
    stop: async (signal: NodeJS.Signals): Promise<void> => {
      ending = true;
      await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && stop(worker, signal)));
    },
  };
};
