import { whoeverWaits } from './waiting.ts';

/** Lets callers share a read that is already running. It goes on whoever of them stops waiting. */
export const shared = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined;
  return () => {
    running ??= whoeverWaits(read).finally(() => {
      running = undefined;
    });
    return running;
  };
};
