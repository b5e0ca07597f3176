/** How often a witness signs the same checkpoint again, in milliseconds: each of its signatures has a time. */
const RENEW_MS = 3_600_000;

/** How far the clock of a witness may be from ours, in milliseconds: readers are shown the time that it signs. */
const CLOCKS_MS = 86_400_000;

const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 600_000;

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

/**
 * Returns how long a witness is left alone after it failed: twice as long each time, up to ten minutes, and by chance up
 * to a third less, so that many logs do not come back to it at once.
 * @param failures how often it failed in a row
 * @param chance from 0 to 1
 */
export const computeBackoff = (failures: number, chance: number): number =>
  Math.round(Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS) * (1 - chance / 3));
