import { notifyOperator } from '../../features/notices/tell.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import type { JobRun } from '../../platform/jobs/job.ts';
import { readSignals, type SignalInputs } from './read.ts';
import { formatSummary, toSignalRows } from './signals.rule.ts';

/** Tells the operator by mail what waits, fails or is old: once in a run, whoever takes the run over. */
export const sendSummary = async (
  context: Context,
  { checkpoint, advance }: Pick<JobRun, 'checkpoint' | 'advance'>,
  watched: SignalInputs,
): Promise<void> => {
  if (checkpoint !== undefined) return;
  const now = context.clock();
  const { subject: title, text } = formatSummary(toSignalRows(await readSignals(context.db, watched, now), now), now);
  await inTransaction(context, async (c) => {
    await notifyOperator(c, 'operator.summary', { title, text });
    await advance({ cursor: title, done: 1 }, 1, c.tx);
  });
};
