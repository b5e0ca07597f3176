import { type AuditEntry, recordAll } from '../../platform/audit/store.ts';
import { brokersChanged } from '../brokers/actions.ts';
import type { PersonalDataSource } from '../personal-data.ts';
import { tallyReview } from '../transparency/tally.ts';
import * as store from './store.ts';

/** What reviews hold about a person. An erased review is deleted whole, and counts nowhere any more. */
export const reviewData: PersonalDataSource = {
  collections: ['reviews'],
  // without the moderator who works on it
  held: async (person, tx) => ({
    reviews: (await store.findByPerson(person, tx)).map(({ claim, ...review }) => review),
  }),
  erase: async ({ actor, clock }, person, limit, tx) => {
    const reviews = await store.findByPerson(person, tx, limit);
    const published = reviews.filter(({ status }) => status === 'published');
    for (const review of published) await store.countInMonth(review, -1, tx);
    for (const review of reviews) await tallyReview(review, review, undefined, tx);
    await store.deleteReviews(reviews, tx);
    await brokersChanged([...new Set(published.map(({ broker }) => broker))], tx);
    const entries = reviews.map(
      ({ _id, status }): AuditEntry => ({
        action: 'review.erased',
        subject: { kind: 'review', id: String(_id) },
        before: { status },
        after: null,
        reason: 'person_erased',
      }),
    );
    if (entries.length > 0) await recordAll(actor, clock(), entries, tx);
    return reviews.length;
  },
};
