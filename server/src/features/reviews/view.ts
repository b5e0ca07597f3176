import type { Review } from '@broker-transparency/contract';
import type { ReviewDocument } from './store.ts';

const fields = (review: ReviewDocument) => ({
  id: String(review._id),
  brokerSlug: review.broker,
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

/** The broker's answer, where there is one. */
export const replyView = ({ reply }: ReviewDocument): Pick<Review, 'reply'> =>
  reply ? { reply: { content: reply.content, createdAt: reply.createdAt.toISOString() } } : {};

/** What the public sees of a published review: never the account. */
export const reviewView = (review: ReviewDocument): Review => ({
  ...fields(review),
  ...replyView(review),
  publishedAt: (review.publishedAt ?? review.createdAt).toISOString(),
});

/** What its author gets back. */
export const submittedView = (review: ReviewDocument) => ({ ...fields(review), status: review.status });
