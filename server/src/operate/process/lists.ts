import pLimit from 'p-limit';
import { replayBlocks } from '../../features/accounts/blocking.ts';
import { followErasures } from '../../features/people/actions.ts';
import type { Context } from '../../ledger/context.ts';
import { startLoop } from '../../platform/loop.ts';
import { type Config, resolveBlockList, resolveErasureList } from '../config.ts';
import type { ProcessParts, Settle } from './parts.ts';

/** Milliseconds between checks for erasures and blocks that a list lacks. */
const COPY_MS = 60_000;

/**
 * Starts to copy the erasures and blocks of the database to the lists of this machine, at once and every minute.
 * Erasures and blocks that only a list has were undone by a restore, and are applied again. With `CLOCK` nothing is
 * copied: the list could claim to be complete up to a future time.
 */
export const startListCopies = (context: Context, config: Config, { log, closers }: ProcessParts): Settle => {
  if (config.clock !== undefined) return async () => {};
  const inTurn = pLimit(1); // each call reads the list as the call before left it
  const copyAll = async (): Promise<void> => {
    const blocks = await replayBlocks(context, resolveBlockList(config)); // before erasures, which delete accounts
    const { again, unreadable } = await followErasures(context, resolveErasureList(config));
    if (again.length > 0) log.warn({ count: again.length }, 'people who were erased were back, and are erased again');
    if (unreadable.length + blocks.unreadable.length > 0)
      log.error(
        { erasures: unreadable, blocks: blocks.unreadable },
        'lines of ERASURE_LIST or BLOCK_LIST cannot be read: mend or delete them',
      );
  };
  const copyInTurn = (): Promise<void> => inTurn(copyAll);
  const copying = startLoop(copyInTurn, COPY_MS, (error) =>
    log.error({ err: error }, 'erasures and blocks could not be copied to ERASURE_LIST and BLOCK_LIST; retrying'),
  );
  closers.add(copying.stop);
  return copyInTurn;
};
