import { notifyOperator } from '../../features/notices/tell.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import type { JobRun } from '../../platform/jobs/job.ts';
import { readSignals, type SignalInputs } from './read.ts';
import { formatSummary, toSignalRows } from './signals.rule.ts';

/** Mails the operator a summary of all signals, once in a run, even if another process takes over the run. */
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
