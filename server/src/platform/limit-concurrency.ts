/**
 * Returns a function that runs at most `limit` pieces of work at once. The others wait for their turn, in the order in
 * which they came.
 */
export const limitConcurrency = (limit: number) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < limit) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift(); // takes over the place of this one
      if (next) next();
      else running--;
    }
  };
};
