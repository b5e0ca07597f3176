import type { Context } from '../../platform/context.ts';
import { inBatches } from '../../platform/jobs/batches.ts';
import type { JobRun } from '../../platform/jobs/job.ts';
import { settleBlocks } from './blocks.ts';
import { countUnsettledBlocks, nextUnsettledBlocks } from './store.ts';

export { countUnsettledBlocks };

/** Extends blocks that exist only in an account to its person. */
export const settleFormerBlocks = async (context: Context, run: JobRun): Promise<number> =>
  inBatches(context, run, {
    total: (run.checkpoint?.done ?? 0) + (await countUnsettledBlocks(context.db)),
    next: (one) => nextUnsettledBlocks(context.db, one),
    work: settleBlocks,
  });
