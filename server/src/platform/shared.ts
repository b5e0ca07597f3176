import { runDetached } from './waiting.ts';

/** Lets callers share a read that is already running. It goes on whoever of them stops waiting. */
export const shareRead = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined;
  return () => {
    running ??= runDetached(read).finally(() => {
      running = undefined;
    });
    return running;
  };
};
