import { SEAL_AFTER_DAYS } from '@broker-transparency/contract/service-level';

const DAY_MS = 86_400_000;
/** Lines of one delivery, far below the 1 MB that the service takes. */
const MOST_LINES = 500;

/** What the service takes no more. */
export const TAKES_NO_MORE = -1;

/** Whether results about a day can still be delivered. The service says so itself; this only ends useless tries. */
export const isOpen = (date: string, now: Date): boolean =>
  Date.parse(`${date}T00:00Z`) + (SEAL_AFTER_DAYS + 2) * DAY_MS > now.getTime();

/** Returns the next lines to deliver behind those that the service has. */
export const nextLines = (lines: readonly string[], given: number): readonly string[] =>
  given < 0 ? [] : lines.slice(given, given + MOST_LINES);

/** Where to go on when the service says that lines do not continue what it has. */
export interface Has {
  readonly lines: number;
  readonly head: string | null;
}

/**
 * Returns how many of our lines the service has; undefined: what it has is another chain, which nothing can continue.
 * @param hashes of our lines, in order
 */
export const agreedLines = ({ lines, head }: Has, hashes: readonly string[]): number | undefined => {
  if (lines === 0 && head === null) return 0;
  return hashes[lines - 1] === head && head !== null ? lines : undefined;
};
