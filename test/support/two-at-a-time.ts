/** Runs `work` for every item, two at a time: a process of the command line takes a core. */
export const twoAtATime = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  const left = [...items.entries()].reverse();
  const worker = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) results[next[0]] = await work(next[1]);
  };
  await Promise.all([worker(), worker()]);
  return results;
};
