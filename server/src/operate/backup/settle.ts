import { type BlockReplay, replayBlocks } from '../../features/accounts/blocking.ts';
import { type Replay, replayErasures } from '../../features/people/actions.ts';
import type { Context } from '../../platform/context.ts';
import { readLogKey } from '../../platform/log/keys.ts';
import { reconcile } from '../../published/record/reconcile.ts';
import { recoverRecord } from '../../published/record/recover.ts';
import { blockListOf, type Config, erasureListOf, keptLogOf } from '../config.ts';

/** What a restore may not undo, and what was done about it. */
export interface Settled {
  /** Entries of the record that were signed after the backup. */
  readonly recovered: number;
  /** Entries that say what is published again instead. */
  readonly restated: number;
  readonly blocks: BlockReplay;
  readonly erasures: Replay;
  /** Why the log cannot go on from this database; undefined if it can. */
  readonly failure: unknown;
}

/**
 * Brings a restored database up to what must outlive a restore: the entries that were signed, blocks and erasures. They
 * are kept in files. Signed entries come first, since nothing else may get their numbers.
 */
export const settleRestored = async (context: Context, config: Config): Promise<Settled> => {
  let failure: unknown;
  const recover = async (): Promise<number | undefined> => {
    const [path] = config.logKeys;
    return path === undefined ? undefined : recoverRecord(context, keptLogOf(config, (await readLogKey(path)).name));
  };
  const recovered = await recover().catch((error) => {
    failure = error; // people must be erased again all the same
    return undefined;
  });
  // before erasures, which delete the accounts by which blocks find people
  const blocks = await replayBlocks(context, blockListOf(config));
  const erasures = await replayErasures(context, erasureListOf(config));
  // also what an earlier attempt took back and did not get to
  const restated = recovered === undefined ? 0 : await reconcile(context, 'restore');
  return { recovered: recovered ?? 0, restated, blocks, erasures, failure };
};
