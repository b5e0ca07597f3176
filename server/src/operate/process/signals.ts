import cluster from 'node:cluster';
import type { Log } from '../../platform/observe/log.ts';

/** What a primary tells its workers. */
export interface StopMessage {
  readonly stop: NodeJS.Signals;
}

const isStop = (message: unknown): message is StopMessage =>
  typeof message === 'object' && message !== null && 'stop' in message;

/** The first signal drains, the second ends at once. SIGINT comes from a person: no probe period. */
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
 * A terminal sends SIGINT to every process: a worker waits for its primary's word. SIGTERM to a worker recycles it
 * alone.
 */
const workerSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    process.on('SIGINT', () => {});
    process.on('SIGTERM', resolve);
    process.on('message', (message) => {
      if (isStop(message)) resolve(message.stop);
    });
  });

/** An orchestrator kills what takes longer than it was told: 15 s. A worker ends before its primary gives it up. */
const END_MS = cluster.isWorker ? 12_000 : 14_500;

/** The signal to end by. Whatever hangs, the process ends in time after it: what was acknowledged is stored. */
export const nextSignal = async (log: Log): Promise<NodeJS.Signals> => {
  const signal = await (cluster.isWorker ? workerSignal() : ownSignal());
  setTimeout(() => {
    log.warn('the process ends before everything is closed');
    process.exit(0);
  }, END_MS).unref();
  return signal;
};

/** A signal came before the service was ready: `startServer` ends by it as by one that comes later. */
export class StoppedEarly extends Error {}

/** Ends a start that hangs. */
export const stoppedEarly = async (signal: Promise<NodeJS.Signals>): Promise<never> => {
  throw new StoppedEarly(await signal);
};
