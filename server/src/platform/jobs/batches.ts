import { type Context, inTransaction, type TxContext } from '../context.ts';
import type { JobRun } from './job.ts';

/** What a run goes through, in order of its keys. */
export interface Batches {
  /** How many keys there are in all, those of earlier runs of the round included. */
  readonly total: number;
  /** The keys that come after this one, as many as are done at a time; after none at first. */
  readonly next: (after: string | undefined) => Promise<readonly string[]>;
  readonly work: (c: TxContext, keys: readonly string[]) => Promise<unknown>;
}

/**
 * Does the work in batches, each in one transaction with the checkpoint that says so: once, however often it is
 * interrupted. Returns how many.
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
