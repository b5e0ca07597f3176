/** Calls `work` again and again, `everyMs` after it ended, until stopped. An error goes to `onError`, and the loop goes on. */
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
    /** Ends the loop after the round that runs. */
    stop: (): Promise<void> => {
      stopped = true;
      clearTimeout(timer);
      return running;
    },
  };
};
