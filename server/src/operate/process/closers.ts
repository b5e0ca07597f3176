import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../platform/observe/log.ts';

/** Default time in milliseconds that a part gets to close before it is abandoned. */
const PATIENCE_MS = 2000;

type CleanupStep = () => Promise<unknown> | undefined;

/** Closes parts in the reverse order of their start, each once. */
export const createCleanupStack = () => {
  const closers: { readonly close: CleanupStep; readonly patienceMs: number }[] = [];
  return {
    add: (close: CleanupStep, patienceMs = PATIENCE_MS): void => {
      closers.push({ close, patienceMs });
    },
    closeAll: async (log: Log): Promise<void> => {
      for (const { close, patienceMs } of closers.splice(0).reverse())
        await Promise.race([Promise.resolve(close()), sleep(patienceMs, undefined, { ref: false })]).catch(
          (error: unknown) => log.error({ err: error }, 'not closed cleanly'),
        );
    },
  };
};
export type CleanupStack = ReturnType<typeof createCleanupStack>;
