import type { Review } from '@broker-transparency/contract';
import { mayReply } from '@broker-transparency/contract/record';
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

/**
 * Returns the public view of a published review, never with the account. While the firm is a suspected clone, its reply
 * is not public.
 * @param broker the current slug and the status of its broker
 */
export const toReviewView = (
  review: ReviewDocument,
  broker: { readonly slug: string; readonly status: string },
): Review => ({
  ...toCommonFields(review, broker.slug),
  ...(mayReply(broker) ? toReplyView(review) : {}),
  publishedAt: (review.publishedAt ?? review.createdAt).toISOString(),
});

/** Returns the answer to a submission. */
export const toSubmittedView = (review: ReviewDocument, brokerSlug: string) => ({
  ...toCommonFields(review, brokerSlug),
  status: review.status,
});
