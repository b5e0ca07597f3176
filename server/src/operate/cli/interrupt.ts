/** Calls `work` with a signal that aborts on the first SIGINT or SIGTERM. A second one ends the process. */
export const interruptible = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
};
