import { randomBytes } from 'node:crypto';
import type { TxContext } from '../../ledger/context.ts';
import type { ErasureReason } from './policy.rule.ts';
import * as store from './store.ts';

/**
 * Notes in the caller's transaction that data was deleted which no backup may bring back. Each running process copies
 * the note to the list of erasures.
 * @param ids random ids of the data, which nothing else gets later
 */
export const noteEnded = async (c: TxContext, ids: readonly string[], reason: ErasureReason): Promise<void> => {
  const subjectHash = randomBytes(32).toString('hex'); // nobody looks for it by a name
  for (const accountId of ids) {
    const erasure = { accountId, subjectHash, reason, erasedAt: c.now };
    await store.saveErasure(erasure, c.tx);
    await store.setFinished(erasure, c.now, c.tx);
  }
};
