import cluster from 'node:cluster';
import type { Log } from '../../platform/observe/log.ts';

/** The message from the primary that stops a worker. */
export interface StopMessage {
  readonly stop: NodeJS.Signals;
}

const isStop = (message: unknown): message is StopMessage =>
  typeof message === 'object' && message !== null && 'stop' in message;

/**
 * Drains on the first signal and exits at once on the second. SIGINT comes from a person, so it has no probe period.
 */
const ownSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let first = true;
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        if (!first) process.exit(1);
        first = false;
        resolve(signal);
      });
  });

/**
 * Ignores SIGINT, because a terminal sends it to every process: a worker waits for the primary's message instead.
 * SIGTERM recycles this worker alone.
 */
const workerSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    process.on('SIGINT', () => {});
    process.on('SIGTERM', resolve);
    process.on('message', (message) => {
      if (isStop(message)) resolve(message.stop);
    });
  });

/** Orchestrators kill a process 15 s after SIGTERM. A worker exits before its primary stops waiting for it. */
const END_MS = cluster.isWorker ? 12_000 : 14_500;

/**
 * Resolves with the first signal to stop. Even if closing hangs, the process then exits within `END_MS`; acknowledged
 * writes are already stored.
 */
export const nextSignal = async (log: Log): Promise<NodeJS.Signals> => {
  const signal = await (cluster.isWorker ? workerSignal() : ownSignal());
  setTimeout(() => {
    log.warn('the process ends before everything is closed');
    process.exit(0);
  }, END_MS).unref();
  return signal;
};

/** A signal arrived before the service was ready. `startServer` then stops as for a later signal. */
export class StoppedEarly extends Error {}

/** Rejects when the signal arrives, to end a start that hangs. @throws StoppedEarly */
export const stoppedEarly = async (signal: Promise<NodeJS.Signals>): Promise<never> => {
  throw new StoppedEarly(await signal);
};
