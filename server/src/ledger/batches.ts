import type { JobRun } from '../platform/jobs/job.ts';
import { type Context, inTransaction, type TxContext } from './context.ts';

/** The keys that a run processes, in order. */
export interface Batches {
  /** Total number of keys, including those of earlier runs of the same round. */
  readonly total: number;
  /** Returns the batch of keys after this key; the first batch if it is undefined. */
  readonly next: (after: string | undefined) => Promise<readonly string[]>;
  readonly work: (c: TxContext, keys: readonly string[]) => Promise<unknown>;
}

/**
 * Does the work in batches. Each batch and its checkpoint share one transaction, so that each key is processed once,
 * however often the run is interrupted. Returns the number of keys processed in this round, earlier runs included.
 */
export const inBatches = async (
  context: Context,
  { signal, checkpoint, advance }: JobRun,
  { total, next, work }: Batches,
): Promise<number> => {
  let { cursor, done } = checkpoint ?? { cursor: '', done: 0 };
  for (;;) {
    signal.throwIfAborted();
    const keys = await next(cursor === '' ? undefined : cursor);
    const last = keys.at(-1);
    if (last === undefined) return done;
    const reached = { cursor: last, done: done + keys.length };
    await inTransaction(context, async (c) => {
      await advance(reached, total, c.tx);
      await work(c, keys);
    });
    ({ cursor, done } = reached);
  }
};
