import type { Context } from '../../platform/context.ts';
import { isTreeRight } from '../../platform/log/tree.ts';
import { findGap, nextNumber } from '../../platform/record/read.ts';
import { numberEntries } from '../../platform/record/sequencer.ts';
import { findWrongDays } from './days.ts';
import { findUnrecorded, reconcile } from './reconcile.ts';
import { type ComparedSubtotals, proveSubtotals } from './subtotals.ts';

/** What a check of the record found. */
export interface Proven {
  /** Number of entries. */
  readonly entries: number;
  /** Keys whose last entry does not say what is published. */
  readonly unrecorded: readonly string[];
  readonly subtotals: ComparedSubtotals;
  /** What nobody can repair: numbers that are missing, and days or a log that do not follow from the entries. */
  readonly broken: readonly string[];
}

/**
 * Compares the record with what is published, and proves its numbers, its days, its subtotals and the tree of its log. With
 * `repair`, adds the entries that are missing and makes wrong subtotals anew.
 */
export const proveRecord = async (context: Context, repair: boolean): Promise<Proven> => {
  await numberEntries(context.db, context.clock);
  const unrecorded = await findUnrecorded(context.db);
  if (repair && unrecorded.length > 0) {
    await reconcile(context, 'correction');
    await numberEntries(context.db, context.clock);
  }
  const gap = await findGap(context.db);
  const wrong = await findWrongDays(context.db);
  const broken = [
    ...(gap === undefined ? [] : [`number ${gap} is missing, or its time is before that of the one before`]),
    ...wrong.map((date) => `the root of ${date} does not follow from the entries before it`),
    ...((await isTreeRight(context.db)) ? [] : ['the tree of the log does not follow from the entries']),
  ];
  // nothing may be made from entries that are not as they were written
  const subtotals = await proveSubtotals(context.db, repair && broken.length === 0);
  return { entries: await nextNumber(context.db), unrecorded, subtotals, broken };
};
