import type { Review } from '@broker-transparency/contract';
import type { ReviewDocument } from './store.ts';

const fields = (review: ReviewDocument, brokerSlug: string) => ({
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
export const replyView = ({ reply }: ReviewDocument): Pick<Review, 'reply'> =>
  reply ? { reply: { content: reply.content, createdAt: reply.createdAt.toISOString() } } : {};

/** Returns the public view of a published review, with the current slug of its broker and never the account. */
export const reviewView = (review: ReviewDocument, brokerSlug: string): Review => ({
  ...fields(review, brokerSlug),
  ...replyView(review),
  publishedAt: (review.publishedAt ?? review.createdAt).toISOString(),
});

/** Returns what the author receives after submitting. */
export const submittedView = (review: ReviewDocument, brokerSlug: string) => ({
  ...fields(review, brokerSlug),
  status: review.status,
});
