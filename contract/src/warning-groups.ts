/** The fields of a warning that decide its current meaning for a broker. */
export interface WarningState {
  readonly about: string;
  readonly match?: string | undefined;
  readonly withdrawnAt?: string | undefined;
  readonly correctedAt?: string | undefined;
}

/**
 * `confirmed`: in force, and about the broker. `unchecked`: in force, and matched to the broker only automatically.
 * `clone`: in force, and about somebody who impersonates the broker. `past`: withdrawn, corrected, or of a meaning
 * unknown to this release.
 */
export type WarningStanding = 'confirmed' | 'unchecked' | 'clone' | 'past';

/**
 * Returns the current meaning of a warning for a broker. Confirmed and unchecked warnings cap the score.
 * @example classifyWarning({ about: 'this_firm', match: 'unchecked' }) // 'unchecked'
 */
export const classifyWarning = ({ about, match, withdrawnAt, correctedAt }: WarningState): WarningStanding => {
  if (withdrawnAt !== undefined || correctedAt !== undefined) return 'past';
  if (about === 'clone_of_it') return 'clone';
  if (about !== 'this_firm') return 'past';
  return match === 'unchecked' ? 'unchecked' : 'confirmed';
};

/**
 * Groups the warnings of a broker by their current meaning, in the given order.
 * @example groupWarnings([{ about: 'clone_of_it' }]).clone.length // 1
 */
export const groupWarnings = <W extends WarningState>(
  warnings: readonly W[],
): Readonly<Record<WarningStanding, readonly W[]>> => {
  const of = (standing: WarningStanding) => warnings.filter((warning) => classifyWarning(warning) === standing);
  return { confirmed: of('confirmed'), unchecked: of('unchecked'), clone: of('clone'), past: of('past') };
};

/**
 * Returns true if a warning about the broker itself is in force, confirmed or not.
 * @example isWarned([{ about: 'clone_of_it' }]) // false
 */
export const isWarned = (warnings: readonly WarningState[]): boolean => {
  const { confirmed, unchecked } = groupWarnings(warnings);
  return confirmed.length + unchecked.length > 0;
};

/**
 * Returns true if a warning is in force, about the broker or about somebody who impersonates it.
 * @example isWarningInForce({ about: 'clone_of_it' }) // true
 */
export const isWarningInForce = (warning: WarningState | undefined): boolean =>
  warning !== undefined && classifyWarning(warning) !== 'past';

/**
 * `new`: in force now and not before, or now about the broker itself. `confirmed`: a person has confirmed whom it is
 * about.
 * `corrected`: it was shown by mistake, or it is only about somebody who impersonates the broker. `withdrawn`: the
 * authority took it back. `removed`: it is no longer listed. `reworded`: it means the same.
 */
export type WarningChange = 'new' | 'confirmed' | 'corrected' | 'withdrawn' | 'removed' | 'reworded';

const findEnding = (before: WarningState | undefined, after: WarningState): WarningChange => {
  const isNew = (field: 'correctedAt' | 'withdrawnAt'): boolean =>
    after[field] !== undefined && before?.[field] === undefined;
  const isMistake = ({ about }: WarningState): boolean => about === 'not_this_firm';
  if (isNew('correctedAt') || (isMistake(after) && !(before && isMistake(before)))) return 'corrected';
  return isNew('withdrawnAt') ? 'withdrawn' : 'reworded';
};

/**
 * Returns what a change of a warning about a broker means. Feeds, mails and the story of a broker ask it.
 * @param before undefined: the warning was not listed
 * @param after undefined: the warning is no longer listed
 * @example decideWarningChange({ about: 'this_firm', match: 'unchecked' }, { about: 'this_firm' }) // 'confirmed'
 */
export const decideWarningChange = (
  before: WarningState | undefined,
  after: WarningState | undefined,
): WarningChange => {
  if (after === undefined) return 'removed';
  if (!isWarningInForce(after)) return findEnding(before, after);
  if (before === undefined || !isWarningInForce(before)) return 'new';
  if (before.about !== after.about) return after.about === 'clone_of_it' ? 'corrected' : 'new';
  return before.match === 'unchecked' && after.match !== 'unchecked' ? 'confirmed' : 'reworded';
};
