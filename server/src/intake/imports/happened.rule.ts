/** Fields of rows that say when something happened. Ends, effects and announced changes may lie ahead. */
const HAPPENED: ReadonlySet<string> = new Set([
  'activeSince',
  'checkedAt',
  'createdAt',
  'foundedYear',
  'issuedAt',
  'lastVerifiedAt',
  'licensesCheckedAt',
  'publishedAt',
  'withdrawnAt',
]);

/** A day begins this much earlier where clocks are furthest ahead of UTC. */
const FIRST_ZONE_MS = 14 * 3_600_000;

/** Returns whether a time, a day or a year has not come yet anywhere. */
const isInFuture = (value: string | number, now: Date): boolean => {
  const text = String(value);
  if (text.includes('T')) return Date.parse(text) > now.getTime();
  const today = new Date(now.getTime() + FIRST_ZONE_MS).toISOString();
  return text > today.slice(0, text.length);
};

/** A part of a row that says that something happened at a time that lies ahead. */
interface FutureValue {
  /** Such as `licenses.0.issuedAt`. */
  readonly column: string;
  readonly value: string | number;
}

/** Finds every time in a row that lies ahead although it says when something happened. */
export const findFutureValues = (row: unknown, now: Date, path: readonly string[] = []): FutureValue[] => {
  if (typeof row === 'object' && row !== null)
    return Object.entries(row).flatMap(([name, part]) => findFutureValues(part, now, [...path, name]));
  if (typeof row !== 'string' && typeof row !== 'number') return [];
  return HAPPENED.has(path.at(-1) ?? '') && isInFuture(row, now) ? [{ column: path.join('.'), value: row }] : [];
};
