/** Lets so many run at once; the others wait for their turn, in the order they came. */
export const limitConcurrency = (limit: number) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < limit) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift(); // it takes the place of this one
      if (next) next();
      else running--;
    }
  };
};
