import type { WarningChange, WarningState } from './warning.rule.ts';

/** Changes of a list that nobody has to accept: so few rows, or withdrawals up to this share of the warnings that stand. */
const UNASKED = { rows: 9, withdrawnShare: 0.2 } as const;

/** Warnings of a list as they are kept. */
interface StoredWarnings {
  readonly known: ReadonlyMap<string, WarningState>;
  /** True if the list was read before. A first reading is all new. */
  readonly isReadBefore: boolean;
}

/** Returns why a person has to accept what a reading changes; undefined: nobody has to. Another list turns everything over. */
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
