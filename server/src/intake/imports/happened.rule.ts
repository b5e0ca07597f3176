/** Fields with the time of a past event. Ends, effects and announced changes may lie in the future. */
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

/** Time in milliseconds by which a day begins earlier in the first time zone than in UTC. */
const FIRST_ZONE_MS = 14 * 3_600_000;

/** Returns whether a time, a day or a year lies in the future everywhere. */
const isInFuture = (value: string | number, now: Date): boolean => {
  const text = String(value);
  if (text.includes('T')) return Date.parse(text) > now.getTime();
  const today = new Date(now.getTime() + FIRST_ZONE_MS).toISOString();
  return text > today.slice(0, text.length);
};

/** A value of a row that dates a past event in the future. */
interface FutureValue {
  /** Column name such as `licenses.0.issuedAt`. */
  readonly column: string;
  readonly value: string | number;
}

/** Finds every value of a row that dates a past event in the future. */
export const findFutureValues = (row: unknown, now: Date, path: readonly string[] = []): FutureValue[] => {
  if (typeof row === 'object' && row !== null)
    return Object.entries(row).flatMap(([name, part]) => findFutureValues(part, now, [...path, name]));
  if (typeof row !== 'string' && typeof row !== 'number') return [];
  return HAPPENED.has(path.at(-1) ?? '') && isInFuture(row, now) ? [{ column: path.join('.'), value: row }] : [];
};
