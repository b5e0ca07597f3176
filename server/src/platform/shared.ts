import { runDetached } from './waiting.ts';

/** Lets callers share a running read. The read continues if some of them stop waiting. */
export const shareRead = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined;
  return () => {
    running ??= runDetached(read).finally(() => {
      running = undefined;
    });
    return running;
  };
};
