import { publishComplaints } from '../../features/complaints/entries.ts';
import type { Context } from '../../ledger/context.ts';
import { readHold } from '../../ledger/log/hold.ts';
import { numberEntries } from '../../ledger/record/sequencer.ts';
import type { Count } from '../../platform/observe/counted.ts';
import { findMissingDays, publishDays } from './days.ts';
import { publishMethodology } from './methodology.ts';
import { reconcile } from './reconcile.ts';

/** Additions of a night to the record. */
export interface Night {
  /** Number of missing entries: facts were written without them. Entries with doubtful texts are still missing. */
  readonly corrected: number;
  /** Days whose scores were recorded. */
  readonly days: readonly string[];
}

/**
 * Adds the scores at the beginning of each missing day to the record, after the counts of complaints and all missing
 * entries.
 */
export const recordDays = async (context: Context, signal: AbortSignal, countCorrection: Count): Promise<Night> => {
  // days would be sealed above an entry that must change
  if (await readHold(context.db)) return { corrected: 0, days: [] };
  await publishMethodology(context);
  const corrected = await reconcile(context, { cause: 'correction', acceptTexts: false, signal });
  for (let n = 0; n < corrected; n++) countCorrection();
  await numberEntries(context.db, context.clock);
  const days = await findMissingDays(context.db, context.clock());
  if (days.length === 0) return { corrected, days };
  await publishComplaints(context, signal);
  await numberEntries(context.db, context.clock);
  await publishDays(context, days);
  await numberEntries(context.db, context.clock);
  return { corrected, days };
};
