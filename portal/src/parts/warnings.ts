import type { BrokerSummary } from '@broker-transparency/client';

type Warning = BrokerSummary['warnings'][number];

/** The warnings that stand, by whom they are about. A withdrawn or corrected one stands no more. */
export interface StandingWarnings {
  /** About the firm itself, and confirmed or never in doubt. */
  readonly confirmed: readonly Warning[];
  /** About the firm itself, as an automatic match that nobody has checked yet. */
  readonly unchecked: readonly Warning[];
  /** About somebody who pretends to be the firm. */
  readonly clones: readonly Warning[];
}

/** Sorts the warnings of a broker that stand. What a later version of the service says of one counts as about the firm. */
export const standingWarnings = (warnings: readonly Warning[]): StandingWarnings => {
  const standing = warnings.filter(
    ({ withdrawnAt, correctedAt, about }) =>
      withdrawnAt === undefined && correctedAt === undefined && about !== 'not_this_firm',
  );
  const own = standing.filter(({ about }) => about !== 'clone_of_it');
  return {
    confirmed: own.filter(({ match }) => match !== 'unchecked'),
    unchecked: own.filter(({ match }) => match === 'unchecked'),
    clones: standing.filter(({ about }) => about === 'clone_of_it'),
  };
};
