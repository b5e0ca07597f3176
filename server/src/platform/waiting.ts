import { AsyncLocalStorage } from 'node:async_hooks';

/** Whether whoever asked for what is done now still waits for it. */
const scope = new AsyncLocalStorage<() => boolean>();

/** Does `work` for somebody who waits until `isOver`. */
export const whileWaitedFor = <T>(isOver: () => boolean, work: () => T): T => scope.run(isOver, work);

/** Somebody waits, who is answered in time whatever comes; what is done for nobody in particular takes as long as it takes. */
export const isWaitedFor = (): boolean => scope.getStore() !== undefined;

/** Nobody waits any more. What is done for nobody in particular, such as by a job, is always waited for. */
export const isAbandoned = (): boolean => scope.getStore()?.() ?? false;
