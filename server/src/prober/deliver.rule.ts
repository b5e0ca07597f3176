import { SEAL_AFTER_DAYS } from '@broker-transparency/service-level';

const DAY_MS = 86_400_000;
/** Characters of one delivery: even if each takes three bytes, the delivery is below the service's limit of 1 MB. */
const MOST_CHARACTERS = 300_000;

/** Marks a day for which the service accepts no more lines. */
export const TAKES_NO_MORE = -1;

/** Returns true if results about a day can still be delivered. The service decides; this only ends useless tries. */
export const isOpen = (date: string, now: Date): boolean =>
  Date.parse(`${date}T00:00Z`) + (SEAL_AFTER_DAYS + 2) * DAY_MS > now.getTime();

/** Returns the next lines to deliver after those that the service has. */
export const takeNextLines = (lines: readonly string[], given: number): readonly string[] => {
  if (given < 0) return [];
  let [end, size] = [given, 0];
  for (; end < lines.length; end++) {
    size += (lines[end] as string).length + 1;
    if (size > MOST_CHARACTERS) break;
  }
  return lines.slice(given, Math.max(end, given + 1));
};

/** Returns the number of lines before the faulty line that a refusal names. */
export const countLinesBefore = (refusal: string): number => Number(/\bLine (\d{1,5}): /.exec(refusal)?.[1] ?? 1) - 1;

/** The service's last line, if it refuses lines that do not continue its own. */
export interface ChainHead {
  readonly lines: number;
  readonly head: string | null;
}

/**
 * Returns the number of our lines that the service has; undefined if it has another chain, which our lines cannot
 * continue.
 * @param hashes of our lines, in order
 */
export const countAgreedLines = ({ lines, head }: ChainHead, hashes: readonly string[]): number | undefined => {
  if (lines === 0 && head === null) return 0;
  return hashes[lines - 1] === head && head !== null ? lines : undefined;
};
