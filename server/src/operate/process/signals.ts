import cluster from 'node:cluster';
import type { Log } from '../../platform/observe/log.ts';
import { terminal } from '../../platform/terminal.ts';

/** Orchestrators kill a process 15 s after SIGTERM. A worker exits before its primary stops waiting for it. */
const END_MS = cluster.isWorker ? 12_000 : 14_500;

/**
 * Resolves with the first signal to stop. Even if closing hangs, the process then exits within `END_MS`; acknowledged
 * writes are already stored.
 */
export const awaitSignal = async (log: Log): Promise<NodeJS.Signals> => {
  const { onStop, exit } = terminal();
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    onStop(resolve);
  });
  setTimeout(() => {
    log.warn('the process ends although not everything is closed');
    exit(0);
  }, END_MS).unref();
  return signal;
};

/** A signal arrived before the service was ready. `startServer` then stops as for a later signal. */
export class EarlyStopError extends Error {}

/** Rejects when the signal arrives, to end a start that hangs. @throws EarlyStopError */
export const rejectOnSignal = async (signal: Promise<NodeJS.Signals>): Promise<never> => {
  throw new EarlyStopError(await signal);
};
