import type { EntryTimes } from './entry.ts';

/** The two times of a question to the record. */
export interface QueryTimes {
  /** Entries with this number or a lower one count. */
  readonly knownAt: number;
  /** A time in the world, RFC 3339. */
  readonly validAt: string;
}

/**
 * Returns the start of an entry's validity in milliseconds: its `validFrom`, unless unknown or after its own time.
 * @example computeValidFrom({ number: 7, time: '2026-03-20T12:00:00.000Z', cause: 'fact' }) // 1774008000000
 */
export const computeValidFrom = ({ cause, time, validFrom }: EntryTimes): number => {
  const own = Date.parse(time);
  if (validFrom === undefined) return cause === 'start' ? Number.NEGATIVE_INFINITY : own;
  return Math.min(own, Date.parse(validFrom));
};

const holdsAt = (entry: EntryTimes, at: number): boolean =>
  computeValidFrom(entry) <= at && (entry.validTo === undefined || at < Date.parse(entry.validTo));

/**
 * Returns the entry of a key that was known at one time and is valid at another: the highest number among such entries.
 * @example entryAt([{ number: 7, time: '2026-03-20T12:00:00.000Z', cause: 'fact' }], { knownAt: 7, validAt: '2026-03-21T00:00:00Z' })?.number // 7
 */
export const entryAt = <T extends EntryTimes>(
  entries: Iterable<T>,
  { knownAt, validAt }: QueryTimes,
): T | undefined => {
  const at = Date.parse(validAt);
  let winner: T | undefined;
  for (const entry of entries)
    if (entry.number <= knownAt && entry.number > (winner?.number ?? -1) && holdsAt(entry, at)) winner = entry;
  return winner;
};
