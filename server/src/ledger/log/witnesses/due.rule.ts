import type { RetrySchedule } from '../../../platform/delivery/retry.rule.ts';

/** How often a witness signs the same checkpoint again, in milliseconds: each of its signatures has a time. */
const RENEW_MS = 3_600_000;

/** How far the clock of a witness may be from ours, in milliseconds: readers are shown the time that it signs. */
const CLOCKS_MS = 86_400_000;

/** How long a witness is left alone after it failed: twice as long each time, up to ten minutes. */
export const WITNESS_RETRIES: RetrySchedule = {
  delaysMs: [5000, 10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 600_000],
  spread: [2 / 3, 1],
};

/** What is known of a witness. */
interface WitnessSchedule {
  /** It is not asked before this time. */
  readonly notBefore: Date;
  readonly cosignatures: readonly { readonly text: string; readonly at: Date }[];
}

/** Returns whether a witness is to be asked about the checkpoint of this text. */
export const isDue = ({ notBefore, cosignatures }: WitnessSchedule, text: string, now: Date): boolean => {
  if (now < notBefore) return false;
  const known = cosignatures.find((cosignature) => cosignature.text === text);
  return known === undefined || now.getTime() - known.at.getTime() >= RENEW_MS;
};

/** Returns whether a time that a witness has signed can be right. */
export const isPlausible = (signedAt: Date, now: Date): boolean =>
  Math.abs(signedAt.getTime() - now.getTime()) <= CLOCKS_MS;
