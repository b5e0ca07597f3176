import type { Db, Tx } from '../../platform/mongo.ts';
import { resolveSlugs, withCurrentSlugs } from '../brokers/facts.ts';
import { findSpeakingRight } from '../representatives/facts.ts';
import { findReview } from '../reviews/facts.ts';
import { findReplyRefusal, type ReplyRefusal, type ReplyState } from './status.rule.ts';
import * as store from './store.ts';

export { countWaitingReplies, type ReplyDocument } from './store.ts';

/** Lists replies in a state, oldest first, with the current slugs of their brokers. */
export const listReplies = async (db: Db, status: ReplyState, limit: number): Promise<store.ReplyDocument[]> =>
  withCurrentSlugs(db, await store.listReplies(db, status, limit));

/** Lists the replies that wait for an operator, oldest first. */
export const listRepliesToModerate = (db: Db, limit: number): Promise<store.ReplyDocument[]> =>
  listReplies(db, 'waiting', limit);

/** Returns a reply that waits for an operator, with the current slug of its broker; undefined if it does not wait. */
export const findReplyToModerate = async (db: Db, id: string): Promise<store.ReplyDocument | undefined> =>
  (await withCurrentSlugs(db, await store.findReplies(db, id, 'waiting')))[0];

/** Returns why a reply that waits cannot become public, since its review, its broker or its author has changed. */
export const findPublishRefusal = async (
  db: Db,
  { reviewId, broker, representative }: store.ReplyDocument,
  tx?: Tx,
): Promise<ReplyRefusal | undefined> => {
  const review = await findReview(db, reviewId, tx ?? null);
  const firm = (await resolveSlugs(db, [broker], tx && { session: tx }))(broker);
  const { holds: maySpeak } = await findSpeakingRight(db, representative, tx);
  return findReplyRefusal({
    status: firm?.status ?? 'ceased',
    reviewStatus: review?.status ?? 'removed',
    hasReply: review?.reply !== undefined,
    maySpeak,
  });
};

/** Lists the replies of a broker, by its keys, newest first. */
export const listRepliesOfBroker = store.listByBrokers;
