import { REVIEW_STATUSES, type ReviewStatus } from '@broker-transparency/contract';
import mongoose, { Schema, Types } from 'mongoose';
import { type Position, publishedBefore } from '../http/cursor.ts';
import type { Tx } from '../platform/mongo.ts';
import { STRICT } from '../platform/schema.ts';
import { monthIncrement, monthOf, sumMonths } from './months.ts';
import { isLive } from './status.ts';

export interface ReviewDocument {
  readonly _id: Types.ObjectId;
  readonly broker: string;
  readonly accountId: string;
  /** Who wrote it, across accounts. */
  readonly personKey: string;
  /** Present while the review keeps its author from writing another one. */
  readonly live?: true;
  readonly status: ReviewStatus;
  readonly rating: number;
  readonly title: string;
  readonly content: string;
  readonly language: string;
  readonly author: { readonly displayName: string; readonly country?: string };
  readonly identityVerified: boolean;
  readonly reply?: { readonly content: string; readonly createdAt: Date };
  readonly createdAt: Date;
  readonly publishedAt?: Date;
}

const Reviews = mongoose.model(
  'Review',
  new Schema<ReviewDocument>(
    {
      broker: { type: String, required: true },
      accountId: { type: String, required: true },
      personKey: { type: String, required: true },
      live: Boolean,
      status: { type: String, enum: REVIEW_STATUSES, required: true },
      rating: { type: Number, required: true },
      title: { type: String, required: true },
      content: { type: String, required: true },
      language: { type: String, required: true },
      author: { displayName: { type: String, required: true }, country: String },
      identityVerified: { type: Boolean, required: true },
      reply: { type: { content: String, createdAt: Date }, _id: false },
      createdAt: { type: Date, required: true },
      publishedAt: Date,
    },
    STRICT,
  )
    .index({ broker: 1, personKey: 1 }, { unique: true, partialFilterExpression: { live: true } })
    .index({ broker: 1, publishedAt: -1, _id: -1 }, { partialFilterExpression: { status: 'published' } })
    .index({ status: 1, _id: 1 })
    .index({ accountId: 1 }),
  'reviews',
);

const Months = mongoose.model(
  'RatingMonth',
  new Schema(
    {
      _id: String,
      broker: { type: String, required: true },
      month: { type: String, required: true },
      count: Number,
      sum: Number,
      sumOfSquares: Number,
      distribution: Schema.Types.Mixed,
    },
    STRICT,
  ).index({ broker: 1 }),
  'ratingMonths',
);

const NEWEST_FIRST = { publishedAt: -1, _id: -1 } as const;
const toId = (id: string) => (Types.ObjectId.isValid(id) ? new Types.ObjectId(id) : Types.ObjectId.createFromTime(0));

/** One item more than `limit`, so that the caller sees whether there is a next page. */
export const listPublished = (broker: string, limit: number, position: Position | undefined) =>
  Reviews.find({ broker, status: 'published', ...publishedBefore(position, toId) })
    .sort(NEWEST_FIRST)
    .limit(limit + 1)
    .maxTimeMS(500)
    .lean<ReviewDocument[]>()
    .exec();

export const insertReview = async (review: ReviewDocument, tx: Tx): Promise<void> => {
  await Reviews.create([review], { session: tx });
};

export const findReview = (id: string, tx: Tx) =>
  Types.ObjectId.isValid(id) && id.length === 24
    ? Reviews.findById(id).session(tx).lean<ReviewDocument>().exec()
    : Promise.resolve(null);

export const listByStatus = (status: ReviewStatus | undefined, limit: number) =>
  Reviews.find(status === undefined ? {} : { status })
    .sort({ _id: 1 })
    .limit(limit)
    .lean<ReviewDocument[]>()
    .exec();

/** Moves a review to a state. Its time of publication, once set, stays. */
export const setStatus = async (review: ReviewDocument, status: ReviewStatus, at: Date, tx: Tx): Promise<void> => {
  await Reviews.updateOne(
    { _id: review._id, status: review.status },
    {
      $set: { status, ...(status === 'published' ? { publishedAt: at } : {}) },
      ...(isLive(status) ? {} : { $unset: { live: 1 } }),
    },
  ).session(tx);
};

/** Adds a published review to its month, or takes it out again. */
export const countInMonth = async (review: ReviewDocument, sign: 1 | -1, tx: Tx): Promise<void> => {
  const { broker } = review;
  const month = monthOf(review.createdAt);
  await Months.updateOne(
    { _id: `${broker} ${month}` },
    { $inc: monthIncrement(review.rating, sign), $setOnInsert: { broker, month } },
    { upsert: true },
  ).session(tx);
};

export interface MonthRow {
  readonly broker: string;
  readonly month: string;
  readonly count: number;
  readonly sum: number;
  readonly sumOfSquares: number;
  readonly distribution: Partial<Record<string, number>>;
}

export const findMonths = (brokers: readonly string[], tx: Tx) =>
  Months.find({ broker: { $in: brokers }, count: { $gt: 0 } })
    .session(tx)
    .lean<MonthRow[]>()
    .exec();

/** The same months, summed from the published reviews themselves. */
export const sumReviews = async (brokers: readonly string[], tx: Tx): Promise<MonthRow[]> => {
  const rows: MonthRow[] = [];
  for (const broker of brokers) {
    const reviews = await Reviews.find({ broker, status: 'published' }, { rating: 1, createdAt: 1 })
      .session(tx)
      .lean<Pick<ReviewDocument, 'rating' | 'createdAt'>[]>()
      .exec();
    rows.push(...sumMonths(reviews).map((month) => ({ broker, ...month })));
  }
  return rows;
};

/**
 * The `count` newest published reviews of each broker that has a month, in one command: one command per broker took most of
 * the time of a refresh. (A transaction takes $lookup, but not $unionWith.)
 */
export const newestReviews = async (brokers: readonly string[], count: number, tx: Tx): Promise<ReviewDocument[]> => {
  const newest = [{ $match: { status: 'published' } }, { $sort: NEWEST_FIRST }, { $limit: count }];
  const rows = await Months.aggregate<{ reviews: ReviewDocument[] }>([
    { $match: { broker: { $in: brokers }, count: { $gt: 0 } } },
    { $group: { _id: '$broker' } },
    { $lookup: { from: 'reviews', localField: '_id', foreignField: 'broker', pipeline: newest, as: 'reviews' } },
  ]).session(tx);
  return rows.flatMap(({ reviews }) => reviews);
};

/** Stores many reviews at once, and the months they make. For brokers that have no reviews yet. */
export const loadReviews = async (reviews: readonly ReviewDocument[], tx: Tx): Promise<void> => {
  await Reviews.insertMany(reviews, { session: tx });
  const published = Map.groupBy(
    reviews.filter((review) => review.status === 'published'),
    (review) => review.broker,
  );
  const months = [...published].flatMap(([broker, rows]) =>
    sumMonths(rows).map((sums) => ({ _id: `${broker} ${sums.month}`, broker, ...sums })),
  );
  if (months.length > 0) await Months.insertMany(months, { session: tx });
};
