import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../platform/observe/log.ts';
import type { ServiceUrls } from './web.ts';

/** Delay in milliseconds before a worker that died is replaced. */
const AGAIN_MS = 1000;
/** Time in milliseconds until a worker is killed. Longer than a worker takes to end. */
const STOP_MS = 12_500;

/** The message from the primary that stops a worker, which `main.ts` reads. */
export interface StopMessage {
  readonly stop: NodeJS.Signals;
}

interface ReadyMessage {
  readonly ready: ServiceUrls;
}

const isReady = (message: unknown): message is ReadyMessage =>
  typeof message === 'object' && message !== null && 'ready' in message;

/** Tells the primary that this worker is ready. Only workers call it. */
export const notifyReady = (addresses: ServiceUrls): void => {
  process.send?.({ ready: addresses } satisfies ReadyMessage);
};

const stop = async (worker: Worker, signal: NodeJS.Signals): Promise<void> => {
  const ended = once(worker, 'exit');
  worker.send({ stop: signal } satisfies StopMessage, () => {}); // the worker may have exited meanwhile
  await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
  if (!worker.isDead()) worker.process.kill('SIGKILL');
};

/** Starts `count` workers on `port`, and replaces each that dies. */
export const startWorkers = (count: number, port: number, log: Log) => {
  const ready = Promise.withResolvers<ServiceUrls>();
  const serving = new Set<number>();
  let ending = false;
  let started = false;
  // If the primary distributed connections, one would hang when its worker is killed before it accepts it.
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
    /** Resolves with the addresses of the service when every worker is ready. */
    ready: ready.promise,
    stop: async (signal: NodeJS.Signals): Promise<void> => {
      ending = true;
      await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && stop(worker, signal)));
    },
  };
};
