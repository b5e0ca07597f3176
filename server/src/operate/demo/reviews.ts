import type { ReasonCode, ReviewStatus } from '@broker-transparency/contract';
import { Types } from 'mongoose';
import type { ReviewDocument } from '../../features/reviews/actions.ts';
import { isLive } from '../../features/reviews/status.rule.ts';
import { apportion } from './apportion.ts';
import type { DemoBroker } from './brokers.ts';
import { addDays, interpolateDate, pickEarlier, subtractDays } from './calendar.ts';
import { MOODS, type Mood, type PhraseSet, TONGUES } from './phrases.ts';
import { createRandom, type DemoRandom } from './random.ts';
import { HANDLES, ORIGINS, PAIRS } from './words.ts';

/** Number of people who write reviews. It is prime, so that any stride visits everybody before it repeats. */
const PEOPLE = 6007;

interface Reviewer {
  readonly number: string;
  readonly language: string;
  readonly author: ReviewDocument['author'];
}

const createReviewers = (seed: string): Reviewer[] => {
  const random = createRandom(seed, 'people');
  const origins = ORIGINS.flatMap(({ weight, ...origin }) => Array<typeof origin>(weight).fill(origin));
  return Array.from({ length: PEOPLE }, (_, index) => {
    const { country, language } = random.pick(origins);
    const displayName = `${random.pick(HANDLES)} ${index + 1}`;
    const author = random.chance(0.7) ? { displayName, country } : { displayName };
    return { number: String(index + 1).padStart(4, '0'), language, author };
  });
};

const STATUSES: readonly ReviewStatus[] = [
  ...Array<ReviewStatus>(88).fill('published'),
  ...Array<ReviewStatus>(4).fill('rejected'),
  ...(['pending', 'pending', 'pending', 'withdrawn', 'withdrawn', 'withdrawn', 'removed', 'removed'] as const),
];

const drawRating = (stars: number, random: DemoRandom): number => {
  const drawn = random.chance(0.08) ? random.pick([1, 5]) : stars + 1.6 * random.bell();
  const steps = random.pick([1, 2, 2, 4, 10, 100]); // most people give whole or half stars
  return Math.round(Math.min(5, Math.max(1, Math.round(drawn * steps) / steps)) * 100) / 100;
};

const toMood = (rating: number): Mood => MOODS[rating >= 3.75 ? 0 : rating >= 2.5 ? 1 : 2];

const fillPlaceholders = (text: string, random: DemoRandom): string =>
  text
    .replace('{days}', String(random.int(2, 28)))
    .replace('{months}', String(random.int(3, 40)))
    .replace('{minutes}', String(random.int(4, 55)))
    .replace('{pair}', random.pick(PAIRS));

const writeText = (tongue: PhraseSet, mood: Mood, random: DemoRandom) => {
  const { titles, sentences } = tongue[mood];
  const length = random.chance(0.03) ? sentences.length : random.int(1, 4);
  const chosen = random.shuffled(sentences).slice(0, length);
  return {
    title: fillPlaceholders(random.pick(titles), random),
    content: chosen.map((sentence) => fillPlaceholders(sentence, random)).join(tongue.space),
  };
};

/** Returns the times of a review, and its state by the anchor. */
const createHistory = (broker: DemoBroker, drawn: ReviewStatus, random: DemoRandom, anchor: Date) => {
  // Moderation does not take years, so pending reviews are recent.
  const status = drawn === 'pending' && broker.until < anchor ? 'published' : drawn;
  const part = random.next();
  const createdAt =
    status === 'pending'
      ? subtractDays(anchor, 9 * part + 0.01)
      : interpolateDate(broker.from, broker.until, 1 - part * (0.3 + 0.7 * part));
  const moderatedAt = interpolateDate(createdAt, pickEarlier(addDays(createdAt, 3), anchor), random.next());
  const wasPublished = status === 'published' || status === 'removed' || (status === 'withdrawn' && random.chance(0.6));
  return { status, createdAt, ...(wasPublished ? { publishedAt: moderatedAt } : {}) };
};

const createReply = (
  publishedAt: Date | undefined,
  text: string,
  random: DemoRandom,
  anchor: Date,
): ReviewDocument['reply'] => {
  const part = random.next();
  if (publishedAt === undefined || !random.chance(0.12)) return undefined;
  return {
    content: text,
    createdAt: interpolateDate(publishedAt, pickEarlier(addDays(publishedAt, 10), anchor), part),
  };
};

/** Reasons for rejections and removals of demo reviews. */
const REASONS: readonly ReasonCode[] = [
  'not_a_review',
  'advertising',
  'insult',
  'off_topic',
  'duplicate',
  'personal_data',
];

const pickReason = (status: ReviewStatus, index: number): Pick<ReviewDocument, 'reasonCode'> =>
  status === 'rejected' || status === 'removed' ? { reasonCode: REASONS[index % REASONS.length] as ReasonCode } : {};

/** Builds the id of a review from its time, a fixed middle part and its number. */
const createReviewId = (createdAt: Date, index: number): Types.ObjectId =>
  new Types.ObjectId(
    `${Math.floor(createdAt.getTime() / 1000).toString(16)}de30000000${index.toString(16).padStart(6, '0')}`,
  );

/** A reviewer and the broker they review. */
interface ReviewPair {
  readonly broker: DemoBroker;
  readonly person: Reviewer;
  /** Number of the review in the set. */
  readonly index: number;
}

const createReview = ({ broker, person, index }: ReviewPair, random: DemoRandom, anchor: Date): ReviewDocument => {
  const { createdAt, publishedAt, status } = createHistory(broker, random.pick(STATUSES), random, anchor);
  const rating = drawRating(broker.archetype.stars, random);
  const mood = toMood(rating);
  const tongue = TONGUES[person.language] as PhraseSet;
  const reply = createReply(publishedAt, tongue.replies[mood], random, anchor);
  return {
    _id: createReviewId(createdAt, index),
    broker: broker.record.slug,
    accountId: `demo-account-${person.number}`,
    personKey: `person:demo-${person.number}`,
    ...(isLive(status) ? { live: true } : {}),
    status,
    rating,
    ...writeText(tongue, mood, random),
    language: person.language,
    author: person.author,
    identityVerified: true,
    ...(reply === undefined ? {} : { reply }),
    ...pickReason(status, index),
    createdAt,
    ...(publishedAt === undefined ? {} : { publishedAt }),
  };
};

/** Returns `total` reviews, by broker. Nobody reviews a broker twice. */
export const createDemoReviews = (brokers: readonly DemoBroker[], seed: string, anchor: Date, total: number) => {
  const people = createReviewers(seed);
  const counts = apportion(
    total,
    brokers.map((broker) => broker.popularity),
  );
  let index = 0;
  return brokers.flatMap((broker, at) => {
    const random = createRandom(seed, 'reviews', broker.record.slug);
    const [first, stride] = [random.int(0, PEOPLE - 1), random.int(1, PEOPLE - 1)];
    return Array.from({ length: counts[at] ?? 0 }, (_, n) => {
      const person = people[(first + n * stride) % PEOPLE] as Reviewer;
      return createReview({ broker, person, index: index++ }, random, anchor);
    });
  });
};
