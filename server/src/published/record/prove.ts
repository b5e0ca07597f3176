import type { Context } from '../../ledger/context.ts';
import { requireNoHold } from '../../ledger/log/hold.ts';
import { isTreeRight } from '../../ledger/log/tree.ts';
import type { DoubtfulText } from '../../ledger/record/compare.ts';
import { findGap, nextNumber } from '../../ledger/record/read.ts';
import { numberEntries } from '../../ledger/record/sequencer.ts';
import { isUnavailable } from '../../platform/mongo-errors.ts';
import { findWrongDays } from './days.ts';
import { findUnrecorded, reconcile } from './reconcile.ts';
import { type ComparedSubtotals, proveSubtotals } from './subtotals.ts';

/** Result of a check of the record. */
export interface RecordProof {
  /** Number of entries. */
  readonly entries: number;
  /** Keys whose last entry differs from the published facts. */
  readonly unrecorded: readonly string[];
  /** Texts under these keys that are missing or do not match the commitments of their entries. */
  readonly doubtful: readonly DoubtfulText[];
  /** True if entries with these texts were left out until a person has looked at them. */
  readonly isHeld: boolean;
  readonly subtotals: ComparedSubtotals;
  /**
   * Faults without a repair: missing numbers, days or a log that do not follow from the entries, unreadable documents.
   */
  readonly broken: readonly string[];
}

/** The changes that a check of the record may make. */
interface Repair {
  /** True: add missing entries, and rebuild wrong subtotals. */
  readonly repair: boolean;
  /** True: also add entries whose texts do not match their commitments. */
  readonly acceptTexts: boolean;
}

/** Compares the record with the published facts, and proves its numbers, days, subtotals and the tree of its log. */
export const proveRecord = async (context: Context, { repair, acceptTexts }: Repair): Promise<RecordProof> => {
  const { db, clock } = context;
  const broken: string[] = [];
  /** Runs a step, and reports its documents if they are malformed. */
  const reading = async <T>(documents: string, step: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      if (isUnavailable(error) || !(error instanceof Error)) throw error;
      broken.push(`${documents} cannot be read: ${error.message}`);
      return otherwise;
    }
  };
  await reading('what waits in recordEntries', () => numberEntries(db, clock), undefined);
  const { keys: unrecorded, doubtful } = await reading('recordEntries or recordTexts', () => findUnrecorded(db), {
    keys: [],
    doubtful: [],
  });
  const isHeld = repair && doubtful.length > 0 && !acceptTexts;
  if (repair && unrecorded.length > 0 && broken.length === 0) {
    await requireNoHold(db);
    await reconcile(context, { cause: 'correction', acceptTexts });
    await numberEntries(db, clock);
  }
  const gap = await findGap(db);
  if (gap !== undefined) broken.push(`number ${gap} is missing, or cannot follow the one before`);
  for (const date of await reading('a value in recordEntries', () => findWrongDays(db), []))
    broken.push(`the root of ${date} does not follow from the entries before it`);
  if (!(await reading('the document "tree" of logHeads', () => isTreeRight(db), true)))
    broken.push('the tree of the log does not follow from the entries');
  // nothing may be built from damaged entries
  const subtotals = await reading('recordSubtotals', () => proveSubtotals(db, repair && broken.length === 0), {
    compared: 0,
    different: [],
    repaired: 0,
  });
  return { entries: await nextNumber(db), unrecorded, doubtful, isHeld, subtotals, broken };
};
