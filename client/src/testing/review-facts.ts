import type { BrokerFixture, ReviewFixture } from './fixtures.ts';
import { createRandom, type TestRandom, toId } from './random.ts';
import { RECIPES } from './recipes.ts';
import type { StoredReview } from './stored.ts';
import { daysBefore } from './times.ts';
import { REVIEW_TEXTS, REVIEW_TITLES } from './words.ts';

const COUNTRIES = ['XA', 'XB', 'XC'];

/** A review's broker, and its number among the broker's reviews, from 1. */
interface Place {
  readonly brokerSlug: string;
  readonly number: number;
}

const drawReview = (
  { brokerSlug, number }: Place,
  { rating, ...given }: ReviewFixture,
  at: Date,
  random: TestRandom,
): StoredReview => {
  // Within the last 200 days, so that age reduces its weight in the score only a little
  const createdAt = daysBefore(at, random.int(2, 200) + random.int(0, 999) / 1000);
  const published = new Date(Math.min(at.getTime(), createdAt.getTime() + random.int(3_600, 86_400) * 1000));
  return {
    id: toId('review', brokerSlug, String(number)),
    brokerSlug,
    rating,
    title: random.pick(REVIEW_TITLES),
    content: random.pick(REVIEW_TEXTS),
    language: 'en',
    author: { displayName: `Fictional reviewer ${number}`, country: random.pick(COUNTRIES) },
    identityVerified: true,
    createdAt: createdAt.toISOString(),
    publishedAt: given.createdAt ?? published.toISOString(),
    ...given,
    status: 'published',
    token: undefined,
  };
};

/** Draws the published reviews of a broker. */
export const drawReviews = (
  { slug, color = 'green', reviews }: BrokerFixture,
  seed: string,
  at: Date,
): StoredReview[] => {
  const random = createRandom(seed, 'reviews', slug);
  const recipe = RECIPES[color];
  const count = typeof reviews === 'number' ? reviews : random.int(...recipe.reviews);
  const given =
    typeof reviews === 'object'
      ? reviews
      : Array.from({ length: count }, () => ({ rating: random.int(...recipe.halfStars) / 2 }));
  return given.map((review, index) => drawReview({ brokerSlug: slug, number: index + 1 }, review, at, random));
};
