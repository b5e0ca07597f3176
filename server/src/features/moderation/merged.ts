import type { TxContext } from '../../ledger/context.ts';
import { filterWithoutLive, findLiveDoubles, moveReview } from '../reviews/actions.ts';
import { findTakenDown, type ReviewDocument } from '../reviews/facts.ts';
import { closeAppeal, storeDecision } from './actions.ts';
import { findOpenAppeals, listDecisionsAbout } from './store.ts';

const REASON = 'merged';

const findDoubles = async ({ tx }: TxContext, keys: readonly string[]): Promise<ReviewDocument[]> =>
  (await findLiveDoubles(keys, tx)).flatMap(([, ...rest]) => rest);

/** Returns how many reviews `takeDownDoubles` would take down. Writes nothing. */
export const countDoubles = async (c: TxContext, keys: readonly string[]): Promise<number> =>
  (await findDoubles(c, keys)).length;

/**
 * Takes down all but one live review of each person about brokers that become one: the newest published one stays, or
 * else the newest pending one. Reports about the others stay open. Returns their number.
 * @param keys of the brokers
 */
export const takeDownDoubles = async (c: TxContext, keys: readonly string[]): Promise<number> => {
  const doubles = await findDoubles(c, keys);
  for (const { _id, status, withheldUntil } of doubles) {
    const [kind, to] = status === 'pending' ? (['reject', 'rejected'] as const) : (['remove', 'removed'] as const);
    const review = await moveReview(c, String(_id), { to, reasonCode: REASON, withheldUntil, reason: REASON });
    await storeDecision(c, review, { kind, reasonCode: REASON });
  }
  return doubles.length;
};

/** Withholds a review again that was withheld when a merger took it down, for the same reason and until the same time. */
const withholdAgain = async (c: TxContext, id: string, withheldUntil: Date): Promise<void> => {
  const earlier = (await listDecisionsAbout(c.db, [id], c.tx)).find(({ kind }) => kind === 'withhold');
  const { reasonCode, facts: note } = earlier?.statement ?? { reasonCode: null, facts: undefined };
  const verdict = { reasonCode: reasonCode ?? undefined, note };
  const move = { to: 'withheld', ...verdict, withheldUntil, reason: 'broker_split', by: 'split' } as const;
  await storeDecision(c, await moveReview(c, id, move), { kind: 'withhold', ...verdict });
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
    await closeAppeal(c, appeal, { outcome: 'reversed', reason: 'broker_split' });
};

/** The reviews that come back after a split: one for each person, and none who has a live one. */
const findReturning = async (c: TxContext, keys: readonly string[]): Promise<ReviewDocument[]> => {
  const taken = await findTakenDown(keys, REASON, c.tx);
  const newest = [...new Map(taken.reverse().map((review) => [review.personKey, review])).values()];
  return filterWithoutLive(newest, keys, c.tx);
};

/** Returns how many reviews `bringBackMerged` would bring back. Writes nothing. */
export const countMerged = async (c: TxContext, keys: readonly string[]): Promise<number> =>
  (await findReturning(c, keys)).length;

/**
 * Brings back what a merger took down, except where its author has another live review of the same broker. Returns the
 * number of reviews.
 * @param keys of a broker that is by itself again
 */
export const bringBackMerged = async (c: TxContext, keys: readonly string[]): Promise<number> => {
  const reviews = await findReturning(c, keys);
  for (const review of reviews) await restoreMerged(c, review);
  return reviews.length;
};
