/** What a run of a job did, in numbers. */
export type JobCounts = Readonly<Record<string, number>>;

/** Returns the numbers in what a job resolves to: lists count by their length. Everything else is left out. */
export const toJobCounts = (report: unknown): JobCounts => {
  if (typeof report !== 'object' || report === null || Array.isArray(report)) return {};
  return Object.fromEntries(
    Object.entries(report).flatMap(([name, value]) =>
      typeof value === 'number' ? [[name, value]] : Array.isArray(value) ? [[name, value.length]] : [],
    ),
  );
};

/** Returns counts as a person reads them: `3 reminded, 0 overdue`. */
export const formatCounts = (counts: JobCounts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
