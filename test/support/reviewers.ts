import type { ReviewSubmission, SubmittedReview } from '@broker-transparency/client';
import { createToken, succeeded } from './filled-service.ts';
import type { Service } from './process.ts';
import { buildReview } from './submissions.ts';

/** Tokens of `count` verified people, each with their own account. */
export const verifiedPeople = async (service: Service, count: number): Promise<string[]> => {
  const tokens: string[] = [];
  for (let n = 0; n < count; n++) tokens.push(await createToken(service, `person-${n}`));
  return tokens;
};

/** The reason to give for a move that needs one. */
const REASONS: Readonly<Record<string, string>> = {
  reject: 'not_a_review',
  remove: 'not_a_review',
  withdraw: 'author_request',
};

/** Moves a review to another state, as a moderator does. */
export const moderate = async (service: Service, move: string, id: string): Promise<void> => {
  const code = REASONS[move];
  const reason = code === undefined ? [] : ['--reason', code];
  succeeded(await service.cli('review', move, id, ...reason));
};

/** Writes and publishes one review per token, one after another. */
export const publishReviews = async (
  service: Service,
  broker: string,
  tokens: readonly string[],
  over: Partial<ReviewSubmission> = {},
): Promise<SubmittedReview[]> => {
  const reviews: SubmittedReview[] = [];
  for (const token of tokens) {
    const review = await service.client(token).reviews.create(buildReview(broker, over));
    await moderate(service, 'publish', review.id);
    reviews.push(review);
  }
  return reviews;
};
