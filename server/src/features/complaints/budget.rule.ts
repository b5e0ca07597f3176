import { COMPLAINT_LIMIT } from '@broker-transparency/contract';

const WINDOW_MS = COMPLAINT_LIMIT.hours * 3_600_000;

/** Returns the start of the window in which complaints count. */
export const windowStart = (now: Date): Date => new Date(now.getTime() - WINDOW_MS);

/**
 * Returns the seconds until an account that may send `most` complaints per window can send another; 0 if it can now.
 * @param sent when its complaints were sent, newest first
 */
export const secondsUntilNext = (sent: readonly Date[], most: number, now: Date): number => {
  const oldest = sent[most - 1];
  return oldest === undefined ? 0 : Math.max(0, Math.ceil((oldest.getTime() + WINDOW_MS - now.getTime()) / 1000));
};
