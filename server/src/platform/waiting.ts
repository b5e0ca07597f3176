import { AsyncLocalStorage } from 'node:async_hooks';

/** Tells, for asynchronous work, whether its caller has stopped waiting. */
const scope = new AsyncLocalStorage<() => boolean>();

/** Runs `work` for a caller who waits until `isOver` returns true. */
export const whileWaitedFor = <T>(isOver: () => boolean, work: () => T): T => scope.run(isOver, work);

/**
 * Returns whether a caller waits for this work and gets an answer in time whatever happens. Other work, such as a job,
 * may take as long as it needs.
 */
export const isWaitedFor = (): boolean => scope.getStore() !== undefined;

/** Returns whether the caller has stopped waiting. Always false for work without a caller, such as a job. */
export const isAbandoned = (): boolean => scope.getStore()?.() ?? false;
