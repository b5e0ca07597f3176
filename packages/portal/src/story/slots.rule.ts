/** A part of the time of a chart, with the score at its beginning and its end. */
export interface Slot {
  /** First and last time of it, RFC 3339 in UTC. */
  readonly from: string;
  readonly to: string;
  /** Null: not rated. */
  readonly first: number | null;
  readonly last: number | null;
}

/** Number of parts: each is at least 24 px wide on a phone, so that a finger meets one. */
export const MOST_SLOTS = 8;
const DAY = 86_400_000;

/**
 * Splits the time of a chart into equal parts.
 * @param points scores from their times on, oldest first; the last one is now
 */
export const splitIntoSlots = (points: readonly { readonly time: string; readonly value: number | null }[]): Slot[] => {
  const [begin, end] = [points[0], points.at(-1)].map((point) => Date.parse(point?.time ?? '')) as [number, number];
  if (!(end > begin)) return [];
  const count = Math.min(MOST_SLOTS, Math.max(1, Math.floor((end - begin) / DAY)));
  const findValue = (time: number): number | null =>
    points.findLast((point) => Date.parse(point.time) <= time)?.value ?? null;
  return Array.from({ length: count }, (_, at) => {
    const [from, to] = [at, at + 1].map((share) => Math.round(begin + (share / count) * (end - begin))) as [
      number,
      number,
    ];
    return {
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      first: findValue(from),
      last: findValue(to),
    };
  });
};
