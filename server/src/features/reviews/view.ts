import type { Review } from '@broker-transparency/contract';
import type { ReviewDocument } from './store.ts';

const toCommonFields = (review: ReviewDocument, brokerSlug: string) => ({
  id: String(review._id),
  brokerSlug,
  rating: review.rating,
  title: review.title,
  content: review.content,
  language: review.language,
  author: {
    displayName: review.author.displayName,
    ...(review.author.country ? { country: review.author.country } : {}),
  },
  identityVerified: review.identityVerified,
  createdAt: review.createdAt.toISOString(),
});

/** Returns the broker's reply, if there is one. */
export const toReplyView = ({ reply }: ReviewDocument): Pick<Review, 'reply'> =>
  reply ? { reply: { content: reply.content, createdAt: reply.createdAt.toISOString() } } : {};

/** Returns the public view of a published review, with the current slug of its broker and never the account. */
export const toReviewView = (review: ReviewDocument, brokerSlug: string): Review => ({
  ...toCommonFields(review, brokerSlug),
  ...toReplyView(review),
  publishedAt: (review.publishedAt ?? review.createdAt).toISOString(),
});

/** Returns the answer to a submission. */
export const toSubmittedView = (review: ReviewDocument, brokerSlug: string) => ({
  ...toCommonFields(review, brokerSlug),
  status: review.status,
});
