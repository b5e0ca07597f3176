import type { TxContext } from '../../ledger/context.ts';
import { filterWithoutLive, findLiveDoubles, moveReview } from '../reviews/actions.ts';
import { findTakenDown, type ReviewDocument } from '../reviews/facts.ts';
import { closeAppeal, storeDecision } from './actions.ts';
import { findOpenAppeals, listDecisionsAbout } from './store.ts';

const REASON = 'merged';

const findDoubles = async ({ tx }: TxContext, keys: readonly string[]): Promise<ReviewDocument[]> =>
  (await findLiveDoubles(keys, tx)).flatMap(([, ...rest]) => rest);

/** Returns the number of reviews that `takeDownDoubles` would take down. Writes nothing. */
export const countDoubles = async (c: TxContext, keys: readonly string[]): Promise<number> =>
  (await findDoubles(c, keys)).length;

/**
 * Takes down all but one live review of each person about brokers that become one: the newest published one stays, or
 * else the newest pending one. Their reports stay open. Returns the number of reviews taken down.
 * @param keys of the brokers
 */
export const takeDownDoubles = async (c: TxContext, keys: readonly string[]): Promise<number> => {
  const doubles = await findDoubles(c, keys);
  for (const { _id, status, withheldUntil } of doubles) {
    const [kind, to] = status === 'pending' ? (['reject', 'rejected'] as const) : (['remove', 'removed'] as const);
    const review = await moveReview(c, String(_id), { to, reasonCode: REASON, withheldUntil, reason: REASON });
    await storeDecision(c, review, { kind, reasonCode: REASON }, { isReported: false });
  }
  return doubles.length;
};

/**
 * Withholds a restored review again that was withheld before the merger, for the same reason and until the same time.
 */
const withholdAgain = async (c: TxContext, id: string, withheldUntil: Date): Promise<void> => {
  const earlier = (await listDecisionsAbout(c.db, [id], c.tx)).find(({ kind }) => kind === 'withhold');
  const { reasonCode, facts: note } = earlier?.statement ?? { reasonCode: null, facts: undefined };
  const verdict = { reasonCode: reasonCode ?? undefined, note };
  const move = { to: 'withheld', ...verdict, withheldUntil, reason: 'broker_split', by: 'split' } as const;
  await storeDecision(c, await moveReview(c, id, move), { kind: 'withhold', ...verdict }, { until: withheldUntil });
};

const restoreMerged = async (c: TxContext, { _id, status, withheldUntil }: ReviewDocument): Promise<void> => {
  const id = String(_id);
  if (withheldUntil !== undefined) await withholdAgain(c, id, withheldUntil);
  else {
    const to = status === 'removed' ? 'published' : 'pending';
    const review = await moveReview(c, id, { to, reason: 'broker_split', by: 'split' });
    if (to === 'published') await storeDecision(c, review, { kind: 'publish' });
  }
  for (const appeal of await findOpenAppeals(id, c.tx))
    await closeAppeal(c, appeal, { outcome: 'ended', reason: 'broker_split' });
};

/** Returns the reviews to restore after a split: one per person without a live review. */
const findReturning = async (c: TxContext, keys: readonly string[]): Promise<ReviewDocument[]> => {
  const taken = await findTakenDown(keys, REASON, c.tx);
  const newest = [...new Map(taken.reverse().map((review) => [review.personKey, review])).values()];
  return filterWithoutLive(newest, keys, c.tx);
};

/** Returns the number of reviews that `bringBackMerged` would restore. Writes nothing. */
export const countMerged = async (c: TxContext, keys: readonly string[]): Promise<number> =>
  (await findReturning(c, keys)).length;

/**
 * Restores the reviews that a merger took down, unless their author has another live review of the broker. Returns
 * their number.
 * @param keys of the broker after the split
 */
export const bringBackMerged = async (c: TxContext, keys: readonly string[]): Promise<number> => {
  const reviews = await findReturning(c, keys);
  for (const review of reviews) await restoreMerged(c, review);
  return reviews.length;
};
