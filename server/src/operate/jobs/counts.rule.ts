/** The counts of a run of a job. */
export type JobCounts = Readonly<Record<string, number>>;

/** Returns the numbers in the result of a job, and the lengths of lists. Leaves out everything else. */
export const toJobCounts = (report: unknown): JobCounts => {
  if (typeof report !== 'object' || report === null || Array.isArray(report)) return {};
  return Object.fromEntries(
    Object.entries(report).flatMap(([name, value]) =>
      typeof value === 'number' ? [[name, value]] : Array.isArray(value) ? [[name, value.length]] : [],
    ),
  );
};

/** Returns counts as text for people: `3 reminded, 0 overdue`. */
export const formatCounts = (counts: JobCounts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
