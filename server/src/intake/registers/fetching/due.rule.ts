const HOUR_MS = 3_600_000;

/** Past requests, which determine the time of the next one. */
export interface FetchAttempts {
  readonly checkedAt: Date | null;
  readonly triedAt: Date | null;
  readonly failures: number;
}

/**
 * Returns the time of the next request: when the list may have changed, or soon after a failure and later more rarely.
 */
export const computeDueAt = ({ checkedAt, triedAt, failures }: FetchAttempts, everyHours: number): Date => {
  if (triedAt === null) return new Date(0);
  const hours = failures === 0 ? everyHours : Math.min(everyHours, 2 ** (failures - 1));
  return new Date((failures === 0 ? (checkedAt ?? triedAt) : triedAt).getTime() + hours * HOUR_MS);
};
