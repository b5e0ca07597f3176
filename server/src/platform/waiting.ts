import { AsyncLocalStorage } from 'node:async_hooks';

/** The signal of asynchronous work that is aborted when its caller has stopped waiting. */
const scope = new AsyncLocalStorage<AbortSignal>();

/** Runs `work` for a caller who waits until `isOver` is aborted. */
export const runWhileAwaited = <T>(isOver: AbortSignal, work: () => T): T => scope.run(isOver, work);

/** Runs `work` for several callers: it continues when this caller stops waiting. */
export const runDetached = <T>(work: () => T): T => scope.exit(work);

/** Returns the signal that is aborted when the caller stops waiting; undefined for work without a caller. */
export const findAbandonSignal = (): AbortSignal | undefined => scope.getStore();

/**
 * Returns whether a caller waits for this work and gets an answer in time in any case. Other work, such as a job, may
 * take as long as it needs.
 */
export const isWaitedFor = (): boolean => findAbandonSignal() !== undefined;

/** Returns whether the caller has stopped waiting. Always false for work without a caller, such as a job. */
export const isAbandoned = (): boolean => findAbandonSignal()?.aborted ?? false;
