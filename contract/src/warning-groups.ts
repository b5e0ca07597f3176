/** The fields of a warning that decide what it says of a broker now. */
export interface WarningState {
  readonly about: string;
  readonly match?: string | undefined;
  readonly withdrawnAt?: string | undefined;
  readonly correctedAt?: string | undefined;
}

/**
 * `confirmed`: it stands, and is about the broker. `unchecked`: it stands, and only a machine says that it is about the
 * broker. `clone`: it stands, and is about somebody who pretends to be the broker. `past`: it was withdrawn or corrected,
 * or is about something that this release does not know.
 */
export type WarningStanding = 'confirmed' | 'unchecked' | 'clone' | 'past';

/**
 * Tells what a warning says of a broker now. The score of a broker is capped by those that are confirmed or unchecked.
 * @example classifyWarning({ about: 'this_firm', match: 'unchecked' }) // 'unchecked'
 */
export const classifyWarning = ({ about, match, withdrawnAt, correctedAt }: WarningState): WarningStanding => {
  if (withdrawnAt !== undefined || correctedAt !== undefined) return 'past';
  if (about === 'clone_of_it') return 'clone';
  if (about !== 'this_firm') return 'past';
  return match === 'unchecked' ? 'unchecked' : 'confirmed';
};

/**
 * Groups the warnings of a broker by what they say of it now, in the order in which they come.
 * @example groupWarnings([{ about: 'clone_of_it' }]).clone.length // 1
 */
export const groupWarnings = <W extends WarningState>(
  warnings: readonly W[],
): Readonly<Record<WarningStanding, readonly W[]>> => {
  const of = (standing: WarningStanding) => warnings.filter((warning) => classifyWarning(warning) === standing);
  return { confirmed: of('confirmed'), unchecked: of('unchecked'), clone: of('clone'), past: of('past') };
};

/**
 * Tells whether a warning about the broker itself stands, confirmed or not.
 * @example isWarned([{ about: 'clone_of_it' }]) // false
 */
export const isWarned = (warnings: readonly WarningState[]): boolean => {
  const { confirmed, unchecked } = groupWarnings(warnings);
  return confirmed.length + unchecked.length > 0;
};
