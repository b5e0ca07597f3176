const HOUR_MS = 3_600_000;

/** What counts for the time of the next request. */
export interface FetchAttempts {
  readonly checkedAt: Date | null;
  readonly triedAt: Date | null;
  readonly failures: number;
}

/** Returns when a list is asked for next: when it may have changed, or after a failure soon and then more seldom. */
export const computeDueAt = ({ checkedAt, triedAt, failures }: FetchAttempts, everyHours: number): Date => {
  if (triedAt === null) return new Date(0);
  const hours = failures === 0 ? everyHours : Math.min(everyHours, 2 ** (failures - 1));
  return new Date((failures === 0 ? (checkedAt ?? triedAt) : triedAt).getTime() + hours * HOUR_MS);
};
