import type { WarningChange, WarningState } from './warning.rule.ts';

/** Maximum changes of a list that need no acceptance: number of rows, and withdrawn share of the standing warnings. */
const UNASKED = { rows: 9, withdrawnShare: 0.2 } as const;

/** Stored warnings of a list. */
interface StoredWarnings {
  readonly known: ReadonlyMap<string, WarningState>;
  /** True if the list was read before. A first reading is all new. */
  readonly isReadBefore: boolean;
}

/**
 * Returns why a person has to accept the changes of a reading; undefined if nobody has to. A wrong file changes nearly
 * all warnings.
 */
export const findUpheaval = (
  changes: readonly Pick<WarningChange, 'change'>[],
  { known, isReadBefore }: StoredWarnings,
): string | undefined => {
  if (!isReadBefore) return undefined;
  const count = (...kinds: WarningChange['change'][]): number =>
    changes.filter(({ change }) => kinds.includes(change)).length;
  const standing = [...known.values()].filter(({ withdrawnAt }) => withdrawnAt === null).length;
  const [withdrawn, added] = [count('withdrawn'), count('new', 'back')];
  if (withdrawn > UNASKED.rows && withdrawn > standing * UNASKED.withdrawnShare)
    return `It withdraws ${withdrawn} of the ${standing} warnings that stand, more than ${UNASKED.withdrawnShare * 100} %.`;
  if (added > UNASKED.rows && added > standing)
    return `It adds ${added} warnings, and ${standing} stand: it adds more than there are.`;
  return undefined;
};
