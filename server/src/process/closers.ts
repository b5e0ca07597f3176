import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../observe/log.ts';

/** A part that does not end within this is left behind. */
const PATIENCE_MS = 5000;

/** Ends things in the opposite order of their start. */
export const createClosers = () => {
  const closers: (() => Promise<unknown> | undefined)[] = [];
  return {
    add: (close: () => Promise<unknown> | undefined): void => {
      closers.push(close);
    },
    closeAll: async (log: Log): Promise<void> => {
      for (const close of closers.reverse())
        await Promise.race([Promise.resolve(close()), sleep(PATIENCE_MS, undefined, { ref: false })]).catch(
          (error: unknown) => log.error({ err: error }, 'not closed cleanly'),
        );
    },
  };
};
export type Closers = ReturnType<typeof createClosers>;
