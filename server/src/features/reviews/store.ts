import { REASON_CODES, REVIEW_STATUSES, type ReasonCode, type ReviewStatus } from '@broker-transparency/contract';
import { Schema, Types } from 'mongoose';
import type { DataSubject } from '../../ledger/define-module.ts';
import { type BacklogStats, measureBacklog } from '../../platform/backlog.ts';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { type ListPosition, publishedBefore } from '../../platform/position.ts';
import { STRICT } from '../../platform/schema.ts';
import type { Claim } from '../claims/claim.rule.ts';
import { sumMonths, toIncrement, toMonthIncrement, toReviewMonth } from './months.rule.ts';
import { isLive } from './status.rule.ts';

export interface ReviewDocument {
  readonly _id: Types.ObjectId;
  /** Key of the reviewed broker. */
  readonly broker: string;
  readonly accountId: string;
  /** Identifies the author across accounts. */
  readonly personKey: string;
  /** Set while the review prevents its author from writing another one. */
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
  /** Reason of the rejection or removal. */
  readonly reasonCode?: ReasonCode;
  /** Time at which a withheld review is published again. */
  readonly withheldUntil?: Date;
  /** The claim of the moderator who works on the review. */
  readonly claim?: Claim;
  /** Keys by which near-duplicates are found; see `similarity.rule.ts`. */
  readonly textKeys?: readonly number[];
  /** Id in the earlier system, if imported. */
  readonly importedAs?: string;
  /** Until the publication: the random bytes of the commitments that it will have in the record, by field. */
  readonly salts?: ReviewSalts;
}

/** 32 bytes in base64 for each text of a review. */
interface ReviewSalts {
  readonly title: string;
  readonly content: string;
  readonly author: string;
}

const Reviews = defineModel(
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
      reasonCode: { type: String, enum: REASON_CODES },
      withheldUntil: Date,
      claim: { type: { by: String, until: Date, terminal: String }, _id: false },
      textKeys: { type: [Number], default: undefined },
      importedAs: String,
      salts: { type: { title: String, content: String, author: String }, _id: false },
    },
    STRICT,
  )
    .index({ importedAs: 1 }, { unique: true, sparse: true })
    .index({ broker: 1, personKey: 1 }, { unique: true, partialFilterExpression: { live: true } })
    .index({ broker: 1, publishedAt: -1, _id: -1 }, { partialFilterExpression: { status: 'published' } })
    .index({ status: 1, _id: 1 })
    .index({ personKey: 1 })
    .index({ accountId: 1, _id: -1 })
    .index({ broker: 1, createdAt: -1 })
    .index({ textKeys: 1 }, { sparse: true }),
  'reviews',
);

const Months = defineModel(
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

/**
 * Filter of the reviews that count: those by people with a verified identity. Other published reviews do not count.
 */
const COUNTED = { status: 'published', identityVerified: true } as const;

const NEWEST_FIRST = { publishedAt: -1, _id: -1 } as const;
const toId = (id: string) => (Types.ObjectId.isValid(id) ? new Types.ObjectId(id) : Types.ObjectId.createFromTime(0));

/**
 * Lists the reviews of a broker and those merged into it, one item more than `limit`, which tells the caller that a
 * next page exists.
 */
export const listPublished = (db: Db, brokers: readonly string[], limit: number, position: ListPosition | undefined) =>
  Reviews(db)
    .find({ broker: { $in: brokers }, status: 'published', ...publishedBefore(position, toId) })
    .sort(NEWEST_FIRST)
    .limit(limit + 1)
    .maxTimeMS(500)
    .lean<ReviewDocument[]>()
    .exec();

export const insertReview = async (review: ReviewDocument, tx: Tx): Promise<void> => {
  await Reviews(tx.db).collection.insertOne(review, { session: tx });
};

export const findReview = (db: Db, id: string, tx: Tx | null) =>
  Types.ObjectId.isValid(id) && id.length === 24
    ? Reviews(db).findById(id).session(tx).lean<ReviewDocument>().exec()
    : Promise.resolve(null);

/** The author of a review: one of these accounts, or somebody with this display name. */
export type AuthorFilter = { readonly accountIds: readonly string[] } | { readonly displayName: string };

/** Filter of a list of reviews. */
export interface ReviewFilter {
  readonly status?: ReviewStatus | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly brokers?: readonly string[] | undefined;
  readonly author?: AuthorFilter | undefined;
  /** Key of the person who wrote them. */
  readonly personKey?: string | undefined;
  /** Reviews that are unclaimed at this time, or claimed by this moderator. */
  readonly free?: { readonly by: string; readonly at: Date } | undefined;
}

/** Returns the query for a name regardless of case. */
const buildNamePattern = (name: string) => ({
  $regex: `^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`,
  $options: 'i',
});

const buildFilter = ({ status, ids, brokers, author, personKey, free }: ReviewFilter, after?: string) => ({
  ...(personKey === undefined ? {} : { personKey }),
  ...(status === undefined ? {} : { status }),
  ...(brokers === undefined ? {} : { broker: { $in: brokers } }),
  ...(author === undefined
    ? {}
    : 'accountIds' in author
      ? { accountId: { $in: author.accountIds } }
      : { 'author.displayName': buildNamePattern(author.displayName) }),
  ...(ids === undefined && after === undefined
    ? {}
    : { _id: { ...(ids ? { $in: ids.map(toId) } : {}), ...(after === undefined ? {} : { $gt: toId(after) }) } }),
  ...(free === undefined
    ? {}
    : { $or: [{ claim: { $exists: false } }, { 'claim.until': { $lte: free.at } }, { 'claim.by': free.by }] }),
});

/** Lists reviews after the id `after`, oldest first. */
export const listReviews = (db: Db, filter: ReviewFilter, limit: number, after?: string): Promise<ReviewDocument[]> =>
  Reviews(db).find(buildFilter(filter, after)).sort({ _id: 1 }).limit(limit).lean<ReviewDocument[]>().exec();

export const countReviews = (db: Db, filter: ReviewFilter): Promise<number> =>
  Reviews(db).countDocuments(buildFilter(filter)).exec();

/** Counts the reviews of a person by state. */
export const countPersonReviews = async (db: Db, personKey: string): Promise<Partial<Record<ReviewStatus, number>>> => {
  const rows = await Reviews(db).aggregate<{ _id: ReviewStatus; count: number }>([
    { $match: { personKey } },
    { $group: { _id: '$status', count: { $sum: 1 } } },
    { $sort: { _id: 1 } },
  ]);
  return Object.fromEntries(rows.map(({ _id, count }) => [_id, count]));
};

/** Returns true if this person, or one of these accounts, has a live review of one of these brokers. */
export const hasLiveReview = async (
  brokers: readonly string[],
  { personKey, accountIds }: { readonly personKey: string; readonly accountIds: readonly string[] },
  tx: Tx,
): Promise<boolean> =>
  (await Reviews(tx.db)
    .exists({
      broker: { $in: brokers },
      live: true,
      $or: [{ personKey }, { accountId: { $in: accountIds } }],
    })
    .session(tx)) !== null;

/** Returns the live reviews about these brokers whose author has several. */
export const findSeveralLive = async (db: Db, brokers: readonly string[], tx: Tx | null): Promise<ReviewDocument[]> => {
  const people = await Reviews(db)
    .aggregate<{ ids: Types.ObjectId[] }>([
      { $match: { broker: { $in: brokers }, live: true } },
      { $group: { _id: '$personKey', ids: { $push: '$_id' } } },
      { $match: { 'ids.1': { $exists: true } } },
    ])
    .session(tx);
  return Reviews(db)
    .find({ _id: { $in: people.flatMap(({ ids }) => ids) } })
    .session(tx)
    .lean<ReviewDocument[]>()
    .exec();
};

/** Returns the reviews of these brokers that were taken down for this reason, newest first. */
export const findTakenDown = (brokers: readonly string[], reasonCode: ReasonCode, tx: Tx) =>
  Reviews(tx.db)
    .find({ broker: { $in: brokers }, status: { $in: ['rejected', 'removed'] }, reasonCode })
    .sort({ createdAt: -1, _id: -1 })
    .session(tx)
    .lean<ReviewDocument[]>()
    .exec();

/** Lists the live reviews of these accounts, oldest first; only about `brokers`, if given. */
export const listLiveReviews = async (
  db: Db,
  accountIds: readonly string[],
  brokers?: readonly string[],
  tx: Tx | null = null,
): Promise<ReviewDocument[]> =>
  accountIds.length === 0
    ? []
    : Reviews(db)
        .find({
          live: true,
          accountId: { $in: accountIds },
          ...(brokers === undefined ? {} : { broker: { $in: brokers } }),
        })
        .sort({ _id: 1 })
        .session(tx)
        .lean<ReviewDocument[]>()
        .exec();

/** Moves a review to a state. The first time of publication is kept. */
export const setStatus = async (
  review: ReviewDocument,
  { status, reasonCode, withheldUntil }: Pick<ReviewDocument, 'status' | 'reasonCode' | 'withheldUntil'>,
  at: Date,
  tx: Tx,
): Promise<void> => {
  await Reviews(tx.db)
    .updateOne(
      { _id: review._id, status: review.status },
      {
        $set: {
          status,
          ...(status === 'published' ? { publishedAt: review.publishedAt ?? at } : {}),
          ...(isLive(status) ? { live: true } : {}),
          ...(reasonCode === undefined ? {} : { reasonCode }),
          ...(withheldUntil === undefined ? {} : { withheldUntil }),
        },
        $unset: {
          claim: 1,
          ...(status === 'published' ? { salts: 1 } : {}), // from now on they are beside the record
          ...(isLive(status) ? {} : { live: 1 }),
          ...(reasonCode === undefined ? { reasonCode: 1 } : {}),
          ...(withheldUntil === undefined ? { withheldUntil: 1 } : {}),
        },
      },
    )
    .session(tx);
};

/** Returns the ids of withheld reviews whose time is over. */
export const findWithheldUntil = async (db: Db, at: Date): Promise<string[]> => {
  const rows = await Reviews(db)
    .find({ status: 'withheld', withheldUntil: { $lte: at } }, { _id: 1 })
    .sort({ _id: 1 })
    .lean<{ _id: Types.ObjectId }[]>()
    .exec();
  return rows.map(({ _id }) => String(_id));
};

export const setClaim = async (id: Types.ObjectId, claim: Claim | undefined, tx: Tx): Promise<void> => {
  await Reviews(tx.db)
    .updateOne({ _id: id }, claim ? { $set: { claim } } : { $unset: { claim: 1 } })
    .session(tx);
};

/** Returns the pending review that a moderator holds, or else the oldest unclaimed one. */
export const findNextInQueue = async (by: string, at: Date, tx: Tx): Promise<ReviewDocument | null> => {
  const oldest = (filter: { [key: string]: unknown }) =>
    Reviews(tx.db)
      .findOne({ status: 'pending', ...filter })
      .sort({ _id: 1 })
      .session(tx)
      .lean<ReviewDocument>()
      .exec();
  return (
    (await oldest({ 'claim.by': by, 'claim.until': { $gt: at }, 'claim.terminal': { $exists: false } })) ??
    (await oldest({ $or: [{ claim: { $exists: false } }, { 'claim.until': { $lte: at } }] }))
  );
};

export const setReply = async (id: Types.ObjectId, reply: ReviewDocument['reply'], tx: Tx): Promise<void> => {
  await Reviews(tx.db)
    .updateOne({ _id: id }, reply ? { $set: { reply } } : { $unset: { reply: 1 } })
    .session(tx);
};

/** Lists an account's reviews in every state, newest first, one more than `limit`. */
export const listByAccount = (db: Db, accountId: string, limit: number, before: string | undefined) =>
  Reviews(db)
    .find({ accountId, ...(before === undefined ? {} : { _id: { $lt: toId(before) } }) })
    .sort({ _id: -1 })
    .limit(limit + 1)
    .maxTimeMS(500)
    .lean<ReviewDocument[]>()
    .exec();

/** Returns other reviews in any state that share a text key. */
export const findSharingTextKeys = (db: Db, review: ReviewDocument, limit: number) =>
  Reviews(db)
    .find({ textKeys: { $in: [...(review.textKeys ?? [])] }, _id: { $ne: review._id } })
    .limit(limit)
    .lean<ReviewDocument[]>()
    .exec();

/** Counts the reviews of a broker that were written in a period. */
export const countWritten = (db: Db, brokers: readonly string[], from: Date, to: Date): Promise<number> =>
  Reviews(db)
    .countDocuments({ broker: { $in: brokers }, createdAt: { $gt: from, $lte: to } })
    .exec();

/** Counts the reviews that wait for a moderator. */
export const countWaitingReviews = (db: Db): Promise<BacklogStats> =>
  measureBacklog(Reviews(db), { status: 'pending' });

/** Returns the brokers with at least a number of reviews written since a time. */
export const findBusyBrokers = async (
  db: Db,
  since: Date,
  least: number,
): Promise<{ broker: string; count: number }[]> => {
  const first = Types.ObjectId.createFromTime(Math.floor(since.getTime() / 1000));
  const rows = await Reviews(db).aggregate<{ _id: string; count: number }>([
    { $match: { _id: { $gte: first }, createdAt: { $gt: since } } },
    { $group: { _id: '$broker', count: { $sum: 1 } } },
    { $match: { count: { $gte: least } } },
    { $sort: { count: -1, _id: 1 } },
  ]);
  return rows.map(({ _id, count }) => ({ broker: _id, count }));
};

export interface StatusCount {
  readonly broker: string;
  readonly status: ReviewStatus;
  readonly reasonCode?: ReasonCode;
  readonly count: number;
}

/** Counts reviews by broker, state and reason, for one broker or for all. */
export const countByStatus = async (broker: string | undefined, tx: Tx): Promise<StatusCount[]> => {
  const rows = await Reviews(tx.db)
    .aggregate<{ _id: Omit<StatusCount, 'count'>; count: number }>([
      { $match: broker === undefined ? {} : { broker } },
      { $group: { _id: { broker: '$broker', status: '$status', reasonCode: '$reasonCode' }, count: { $sum: 1 } } },
    ])
    .session(tx);
  return rows.map(({ _id, count }) => ({ ..._id, count }));
};

/** Adds a published review to its month, or removes it. A review by an unverified author counts in no month. */
export const countInMonth = async (review: ReviewDocument, sign: 1 | -1, tx: Tx): Promise<void> => {
  if (!review.identityVerified) return;
  const { broker } = review;
  const month = toReviewMonth(review.createdAt);
  await Months(tx.db)
    .updateOne(
      { _id: `${broker} ${month}` },
      { $inc: toMonthIncrement(review.rating, sign), $setOnInsert: { broker, month } },
      { upsert: true },
    )
    .session(tx);
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
  Months(tx.db)
    .find({ broker: { $in: brokers }, count: { $gt: 0 } })
    .session(tx)
    .lean<MonthRow[]>()
    .exec();

/** Sums the months from the published reviews themselves. */
export const sumReviews = async (brokers: readonly string[], tx: Tx): Promise<MonthRow[]> => {
  const rows: MonthRow[] = [];
  for (const broker of brokers) {
    const reviews = await Reviews(tx.db)
      .find({ broker, ...COUNTED }, { rating: 1, createdAt: 1 })
      .session(tx)
      .lean<Pick<ReviewDocument, 'rating' | 'createdAt'>[]>()
      .exec();
    rows.push(...sumMonths(reviews).map((month) => ({ broker, ...month })));
  }
  return rows;
};

export const replaceMonths = async (brokers: readonly string[], months: readonly MonthRow[], tx: Tx): Promise<void> => {
  await Months(tx.db)
    .deleteMany({ broker: { $in: brokers } })
    .session(tx);
  const rows = months.map((month) => ({ _id: `${month.broker} ${month.month}`, ...month }));
  if (rows.length > 0) await Months(tx.db).insertMany(rows, { session: tx });
};

/**
 * Returns the `count` newest published reviews of each broker in one command, because one command per broker took most
 * of the time of a refresh. Transactions allow $lookup, but not $unionWith.
 */
export const findNewestReviews = async (
  brokers: readonly string[],
  count: number,
  tx: Tx,
): Promise<ReviewDocument[]> => {
  const newest = [{ $match: COUNTED }, { $sort: NEWEST_FIRST }, { $limit: count }];
  const rows = await Months(tx.db)
    .aggregate<{ reviews: ReviewDocument[] }>([
      { $match: { broker: { $in: brokers }, count: { $gt: 0 } } },
      { $group: { _id: '$broker' } },
      { $lookup: { from: 'reviews', localField: '_id', foreignField: 'broker', pipeline: newest, as: 'reviews' } },
    ])
    .session(tx);
  return rows.flatMap(({ reviews }) => reviews);
};

/** Inserts many reviews, and counts them in their months. */
export const loadReviews = async (reviews: readonly ReviewDocument[], tx: Tx): Promise<void> => {
  await Reviews(tx.db).collection.insertMany(reviews as never[], { session: tx }); // mongoose models take seconds
  const published = Map.groupBy(
    reviews.filter((review) => review.status === 'published' && review.identityVerified),
    (review) => review.broker,
  );
  const months = [...published].flatMap(([broker, rows]) =>
    sumMonths(rows).map(({ month, ...sums }) => ({
      updateOne: {
        filter: { _id: `${broker} ${month}` },
        update: { $inc: toIncrement(sums), $setOnInsert: { broker, month } },
        upsert: true,
      },
    })),
  );
  if (months.length > 0) await Months(tx.db).collection.bulkWrite(months as never[], { session: tx });
};

/** Finds a person's reviews from all their accounts, up to `limit` (0: no limit). */
export const findByPerson = ({ accountIds, personHashes, until }: DataSubject, tx: Tx, limit = 0) =>
  Reviews(tx.db)
    .find({
      $or: [
        { accountId: { $in: accountIds } },
        { personKey: { $in: personHashes.map((hash) => `person:${hash}`) }, createdAt: { $lte: until } },
      ],
    })
    .sort({ _id: 1 })
    .limit(limit)
    .session(tx)
    .lean<ReviewDocument[]>()
    .exec();

export const deleteReviews = async (reviews: readonly ReviewDocument[], tx: Tx): Promise<void> => {
  await Reviews(tx.db)
    .deleteMany({ _id: { $in: reviews.map(({ _id }) => _id) } })
    .session(tx);
};

export const findLiveBrokers = (brokers: readonly string[], tx: Tx): Promise<string[]> =>
  Reviews(tx.db)
    .distinct('broker', { broker: { $in: brokers }, live: true })
    .session(tx)
    .exec();

/** Returns up to `limit` ids of reviews that were ever published, after this one, in order. */
export const listNextReviews = async (db: Db, id: string, limit: number): Promise<string[]> => {
  const rows = await Reviews(db)
    .find({ _id: { $gt: toId(id) }, publishedAt: { $exists: true } }, { _id: 1 })
    .sort({ _id: 1 })
    .limit(limit)
    .lean<Pick<ReviewDocument, '_id'>[]>()
    .exec();
  return rows.map(({ _id }) => String(_id));
};

/** Reads reviews by id. */
export const readReviews = (ids: readonly string[], tx: Tx): Promise<ReviewDocument[]> =>
  Reviews(tx.db)
    .find({ _id: { $in: ids.map(toId) } })
    .session(tx)
    .lean<ReviewDocument[]>()
    .exec();

/** Finds imported reviews by their ids in the earlier system. */
export const findImported = (references: readonly string[], tx: Tx): Promise<ReviewDocument[]> =>
  Reviews(tx.db)
    .find({ importedAs: { $in: references } })
    .session(tx)
    .lean<ReviewDocument[]>()
    .exec();

export const insertReviews = async (reviews: readonly ReviewDocument[], tx: Tx): Promise<void> => {
  if (reviews.length > 0) await Reviews(tx.db).collection.insertMany(reviews as never[], { session: tx });
};
