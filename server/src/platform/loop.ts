/**
 * Calls `work` repeatedly, each time `everyMs` after the last call ended, until stopped. An error is passed to
 * `onError`, and the loop continues.
 */
export const startLoop = (work: () => Promise<void>, everyMs: number, onError: (error: unknown) => void) => {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let stopped = false;
  const round = () => {
    running = work()
      .catch(onError)
      .finally(() => {
        if (!stopped) timer = setTimeout(round, everyMs);
      });
  };
  round();
  return {
    /** Ends the loop and resolves when the running call of `work` has ended. */
    stop: (): Promise<void> => {
      stopped = true;
      clearTimeout(timer);
      return running;
    },
  };
};

/** Returns a worker that runs `work` on demand, unless it is running. An error is passed to `onError`. */
export const createWorker = (work: () => Promise<void>, onError: (error: unknown) => void) => {
  let running: Promise<void> | undefined;
  return {
    run: (): void => {
      running ??= work()
        .catch(onError)
        .finally(() => {
          running = undefined;
        });
    },
    /** Resolves when `work` is not running. */
    ended: async (): Promise<void> => running,
  };
};
