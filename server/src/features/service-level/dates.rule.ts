const DAY_MS = 86_400_000;

/** Returns the days from one to another, both included, in order. */
export const datesBetween = (first: string, last: string): string[] => {
  const dates: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS)
    dates.push(new Date(at).toISOString().slice(0, 10));
  return dates;
};
