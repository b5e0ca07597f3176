import { SEAL_AFTER_DAYS } from '@broker-transparency/contract/service-level';

const DAY_MS = 86_400_000;
/** Characters of one delivery: even if each takes three bytes, it is below the 1 MB that the service takes. */
const MOST_CHARACTERS = 300_000;

/** What the service takes no more. */
export const TAKES_NO_MORE = -1;

/** Whether results about a day can still be delivered. The service says so itself; this only ends useless tries. */
export const isOpen = (date: string, now: Date): boolean =>
  Date.parse(`${date}T00:00Z`) + (SEAL_AFTER_DAYS + 2) * DAY_MS > now.getTime();

/** Returns the next lines to deliver behind those that the service has. */
export const takeNextLines = (lines: readonly string[], given: number): readonly string[] => {
  if (given < 0) return [];
  let [end, size] = [given, 0];
  for (; end < lines.length; end++) {
    size += (lines[end] as string).length + 1;
    if (size > MOST_CHARACTERS) break;
  }
  return lines.slice(given, Math.max(end, given + 1));
};

/** Returns how many lines of a delivery can be taken, if the service refuses it and names a line that cannot. */
export const countLinesBefore = (refusal: string): number => Number(/\bLine (\d{1,5}): /.exec(refusal)?.[1] ?? 1) - 1;

/** Where to go on when the service says that lines do not continue what it has. */
export interface ChainHead {
  readonly lines: number;
  readonly head: string | null;
}

/**
 * Returns how many of our lines the service has; undefined: what it has is another chain, which nothing can continue.
 * @param hashes of our lines, in order
 */
export const countAgreedLines = ({ lines, head }: ChainHead, hashes: readonly string[]): number | undefined => {
  if (lines === 0 && head === null) return 0;
  return hashes[lines - 1] === head && head !== null ? lines : undefined;
};
