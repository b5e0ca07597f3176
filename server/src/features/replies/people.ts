import type { PersonalDataSource } from '../../ledger/define-module.ts';
import { withCurrentSlugs } from '../brokers/facts.ts';
import { setReviewReply } from '../reviews/actions.ts';
import { findReview } from '../reviews/facts.ts';
import * as store from './store.ts';

/**
 * The replies that a person wrote for a firm. An erasure deletes them, also those that are public, and the replies to
 * reviews of the person.
 */
export const replyData: PersonalDataSource = {
  name: 'reviewReplies',
  held: async ({ accountIds }, tx) => {
    const own = (await store.findByAccounts(accountIds, tx)).filter(({ accountId }) => accountIds.includes(accountId));
    const named = await withCurrentSlugs(tx.db, own, { session: tx });
    const shown = [];
    for (const { reviewerId, ...reply } of named) {
      // the text of a published one is kept with its review alone
      const review = reply.status === 'published' ? await findReview(tx.db, reply.reviewId, tx) : null;
      shown.push(review?.reply ? { ...reply, content: review.reply.content } : reply);
    }
    return { reviewReplies: shown };
  },
  erase: async (c, { accountIds }, limit) => {
    const replies = await store.findByAccounts(accountIds, c.tx, limit);
    await store.deleteReplies(
      replies.map(({ _id }) => _id),
      c.tx,
    );
    for (const { _id, reviewId, status } of replies) {
      const review = status === 'published' ? await findReview(c.db, reviewId, c.tx) : null;
      if (review?.reply) await setReviewReply(c, reviewId, undefined);
      c.audit('reply.erased', { kind: 'reply', id: _id }, { before: { status }, after: null, reason: 'person_erased' });
    }
    return replies.length;
  },
};
