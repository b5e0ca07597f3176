import { tellOperator } from '../../features/notices/tell.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import type { JobRun } from '../../platform/jobs/job.ts';
import { readSignals, type Watched } from './read.ts';
import { rowsOf, summaryText } from './signals.rule.ts';

/** Tells the operator by mail what waits, fails or is old: once in a run, whoever takes the run over. */
export const tellSummary = async (
  context: Context,
  { checkpoint, advance }: Pick<JobRun, 'checkpoint' | 'advance'>,
  watched: Watched,
): Promise<void> => {
  if (checkpoint !== undefined) return;
  const now = context.clock();
  const { subject: title, text } = summaryText(rowsOf(await readSignals(context.db, watched, now), now), now);
  await inTransaction(context, async (c) => {
    await tellOperator(c, 'operator.summary', { title, text });
    await advance({ cursor: title, done: 1 }, 1, c.tx);
  });
};
