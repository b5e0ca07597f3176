import { notifyOperator } from '../features/notices/tell.ts';
import { type Context, inTransaction } from '../ledger/context.ts';
import type { JobRun } from '../platform/jobs/job.ts';

/** Mails the operator a summary of all checks, once in a run, even if another process takes over the run. */
export const sendSummary = async (
  context: Context,
  { checkpoint, advance }: Pick<JobRun, 'checkpoint' | 'advance'>,
  summarize: () => Promise<{ readonly subject: string; readonly text: string }>,
): Promise<void> => {
  if (checkpoint !== undefined) return;
  const { subject: title, text } = await summarize();
  await inTransaction(context, async (c) => {
    await notifyOperator(c, 'operator.summary', { title, text });
    await advance({ cursor: title, done: 1 }, 1, c.tx);
  });
};
