import type { RetrySchedule } from '../../../platform/delivery/retry.rule.ts';

/** Interval at which a witness signs the same checkpoint again, in milliseconds: each signature has a time. */
const RENEW_MS = 3_600_000;

/**
 * Greatest difference between the clocks of a witness and of this machine, in milliseconds: readers see the signed
 * time.
 */
const CLOCKS_MS = 86_400_000;

/** How long a witness is left alone after it failed: twice as long each time, up to ten minutes. */
export const WITNESS_RETRIES: RetrySchedule = {
  delaysMs: [5000, 10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 600_000],
  spread: [2 / 3, 1],
};

/** Schedule of a witness. */
interface WitnessSchedule {
  /** Time of the earliest next request. */
  readonly notBefore: Date;
  readonly cosignatures: readonly { readonly text: string; readonly at: Date }[];
}

/** Returns whether a signature for this text is due from a witness. */
export const isDue = ({ notBefore, cosignatures }: WitnessSchedule, text: string, now: Date): boolean => {
  if (now < notBefore) return false;
  const known = cosignatures.find((cosignature) => cosignature.text === text);
  return known === undefined || now.getTime() - known.at.getTime() >= RENEW_MS;
};

/** Returns whether a signed time is plausible. */
export const isPlausible = (signedAt: Date, now: Date): boolean =>
  Math.abs(signedAt.getTime() - now.getTime()) <= CLOCKS_MS;
