import type { TxContext } from '../../platform/context.ts';
import { moveReview } from '../reviews/actions.ts';
import { findSeveralLive, findTakenDown, hasLiveReview, type ReviewDocument } from '../reviews/facts.ts';
import { closeOpenCases, storeDecision } from './actions.ts';

const REASON = 'merged';

const takeDown = async (c: TxContext, { _id, status }: ReviewDocument): Promise<void> => {
  const [kind, to] = status === 'pending' ? (['reject', 'rejected'] as const) : (['remove', 'removed'] as const);
  const id = String(_id);
  const review = await moveReview(c, id, { to, reasonCode: REASON, reason: REASON });
  await storeDecision(c, review, { kind, reasonCode: REASON });
  // nobody has found a ground for it
  await closeOpenCases(c, id, { outcome: 'withdrawn', reason: REASON });
};

/**
 * Takes down all but the newest live review of each person about brokers that become one. Returns their number.
 * @param keys of the brokers
 */
export const takeDownOlder = async (c: TxContext, keys: readonly string[]): Promise<number> => {
  const people = await findSeveralLive(keys, c.tx);
  const older = people.flatMap(([, ...rest]) => rest);
  for (const review of older) await takeDown(c, review);
  return older.length;
};

const bringBack = async (c: TxContext, { _id, status }: ReviewDocument): Promise<void> => {
  const to = status === 'removed' ? 'published' : 'pending';
  const review = await moveReview(c, String(_id), { to, reason: 'broker_split', by: 'split' });
  if (to === 'published') await storeDecision(c, review, { kind: 'publish' });
};

/**
 * Brings back what a merger took down, except where its author has another live review of the same broker. Returns the
 * number of reviews.
 * @param keys of a broker that is by itself again
 */
export const bringBackMerged = async (c: TxContext, keys: readonly string[]): Promise<number> => {
  let count = 0;
  for (const review of await findTakenDown(keys, REASON, c.tx)) {
    if (await hasLiveReview(keys, { personKey: review.personKey, accountIds: [] }, c.tx)) continue;
    await bringBack(c, review);
    count++;
  }
  return count;
};
