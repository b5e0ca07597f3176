import { terminal } from '../../platform/terminal.ts';

/** Calls `work` with a signal that aborts when the command is told to end. */
export const interruptible = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const controller = new AbortController();
  const unlisten = terminal().onStop(() => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    unlisten();
  }
};
