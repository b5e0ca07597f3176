import type { PersonalDataSource } from '../../ledger/define-module.ts';
import { markBrokersDirty } from '../brokers/changed.ts';
import { withCurrentSlugs } from '../brokers/facts.ts';
import { tallyReview } from '../transparency/tally.ts';
import { toErasedEntries } from './entries.rule.ts';
import * as store from './store.ts';

/** The personal data in reviews. An erasure deletes whole reviews and removes them from all counts. */
export const reviewData: PersonalDataSource = {
  name: 'reviews',
  // leaves out the moderator who claimed a review
  held: async (person, tx) => {
    const reviews = await withCurrentSlugs(tx.db, await store.findByPerson(person, tx), { session: tx });
    return { reviews: reviews.map(({ claim, ...review }) => review) };
  },
  erase: async (c, person, limit) => {
    const reviews = await store.findByPerson(person, c.tx, limit);
    const published = reviews.filter(({ status }) => status === 'published');
    for (const review of published) await store.countInMonth(review, -1, c.tx);
    for (const review of reviews) await tallyReview(c, review, review, undefined);
    await store.deleteReviews(reviews, c.tx);
    for (const entry of reviews.flatMap(toErasedEntries)) c.publish({ ...entry, cause: 'erasure' });
    await markBrokersDirty(c, [...new Set(published.map(({ broker }) => broker))]);
    for (const { _id, status } of reviews) {
      const change = { before: { status }, after: null, reason: 'person_erased' };
      c.audit('review.erased', { kind: 'review', id: String(_id) }, change);
    }
    return reviews.length;
  },
};
