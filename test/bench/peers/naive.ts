/**
 * The API as a team might first write it: Express, ts-rest, mongoose, helmet and a rate limiter on Redis, each used as
 * its manual shows. Each request assembles a broker from its collections. The indexes are the service's own.
 */
import {
  BASE_PATH,
  type BrokerDetail,
  type BrokerSummary,
  contract,
  ENDED_LICENSE_STATUSES,
} from '@broker-transparency/contract';
import { createExpressEndpoints, initServer } from '@ts-rest/express';
import express, { type RequestHandler } from 'express';
import helmet from 'helmet';
import { Redis } from 'ioredis';
import mongoose, { Schema, type Types } from 'mongoose';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { announce } from './peer.ts';

type StoredBroker = Omit<BrokerDetail, 'licenses' | 'recentReviews'> & { readonly _id: string };
type StoredLicense = Omit<BrokerDetail['licenses'][number], 'tier'> & { readonly _id: string; readonly broker: string };
type Tier = BrokerDetail['licenses'][number]['tier'];
type StoredReview = Omit<BrokerDetail['recentReviews'][number], 'id' | 'brokerSlug' | 'createdAt' | 'publishedAt'> & {
  readonly _id: Types.ObjectId;
  readonly broker: string;
  readonly status: string;
  readonly createdAt: Date;
  readonly publishedAt: Date;
};

const loose = { strict: false, autoIndex: false, autoCreate: false } as const;
const text = { type: String, required: true } as const;
const Brokers = mongoose.model('Broker', new Schema({ _id: String, name: String, color: String }, loose), 'brokers');
const Licenses = mongoose.model('License', new Schema({ _id: String, broker: text }, loose), 'licenses');
const Reviews = mongoose.model('Review', new Schema({ broker: text, status: text }, loose), 'reviews');
const Regulators = mongoose.model('Regulator', new Schema({ _id: String, tier: Number }, loose), 'regulators');

await mongoose.connect(process.env['MONGODB_URL'] as string);
const tiers = new Map((await Regulators.find().lean<{ _id: string; tier: Tier }[]>()).map((r) => [r._id, r.tier]));

const findReviews = (broker: string) =>
  Reviews.find({ broker, status: 'published' }).sort({ publishedAt: -1, _id: -1 }).limit(5).lean<StoredReview[]>();

const computeAverage = async (broker: string): Promise<{ average: number | null; count: number }> => {
  const [row] = await Reviews.aggregate<{ average: number; count: number }>([
    { $match: { broker, status: 'published' } },
    { $group: { _id: null, average: { $avg: '$rating' }, count: { $sum: 1 } } },
  ]);
  return row ? { average: Math.round(row.average * 100) / 100, count: row.count } : { average: null, count: 0 };
};

const toReview = ({ _id, broker, rating, title, content, language, author, ...review }: StoredReview) => ({
  id: String(_id),
  brokerSlug: broker,
  rating,
  title,
  content,
  language,
  author,
  identityVerified: review.identityVerified,
  createdAt: review.createdAt.toISOString(),
  publishedAt: review.publishedAt.toISOString(),
});

const ENDED: ReadonlySet<string> = new Set(ENDED_LICENSE_STATUSES);
/** No look at a register counts for longer, in milliseconds. */
const HALF_A_YEAR = 180 * 86_400_000;

const toLicense = ({ _id, broker, ...license }: StoredLicense) => ({
  ...license,
  tier: tiers.get(license.regulatorCode) ?? 4,
  ...(ENDED.has(license.status)
    ? {}
    : { stale: Date.now() - Date.parse(license.lastVerifiedAt ?? '1970') > HALF_A_YEAR }),
});

const findDetail = async (slug: string): Promise<BrokerDetail> => {
  const [broker, licenses, reviews, { average, count }] = await Promise.all([
    Brokers.findById(slug, {
      licenses: 0,
      recentReviews: 0,
      regulatedBy: 0,
      serves: 0,
      answers: 0,
      keys: 0,
    }).lean<StoredBroker>(),
    Licenses.find({ broker: slug }).lean<StoredLicense[]>(),
    findReviews(slug),
    computeAverage(slug),
  ]);
  if (!broker) throw new Error('the benchmark asks for brokers that are there');
  const { _id, ...fields } = broker;
  return {
    ...fields,
    ratingSummary: { ...fields.ratingSummary, average, count },
    licenses: licenses.map(toLicense),
    recentReviews: reviews.map(toReview),
  };
};

const SUMMARY = {
  _id: 0,
  entities: 0,
  licenses: 0,
  ratingsByMonth: 0,
  complaintsByMonth: 0,
  checklist: 0,
  recentReviews: 0,
  provenance: 0,
  regulatedBy: 0,
  serves: 0,
  answers: 0,
  keys: 0,
};

const api = initServer().router(
  { brokers: contract.brokers, search: contract.search },
  {
    brokers: {
      list: async ({ query: { limit, offset, color } }) => {
        const filter = color === undefined ? {} : { color };
        const [data, total] = await Promise.all([
          Brokers.find(filter, SUMMARY)
            .sort({ 'score.value': -1, _id: 1 })
            .skip(offset)
            .limit(limit)
            .lean<BrokerSummary[]>(),
          Brokers.countDocuments(filter),
        ]);
        return { status: 200, body: { data, pagination: { limit, offset, total } } };
      },
      get: async ({ params: { slug } }) => ({ status: 200, body: await findDetail(slug) }),
    },
    search: async ({ query: { q } }) => {
      const name = new RegExp(q.replace(/[^\p{L}\p{N} ]/gu, '\\$&'), 'i');
      return { status: 200, body: { data: await Brokers.find({ name }, SUMMARY).limit(20).lean<BrokerSummary[]>() } };
    },
  },
);

const limiter = new RateLimiterRedis({
  storeClient: new Redis(process.env['REDIS_URL'] as string),
  keyPrefix: 'naive',
  points: 1_000_000,
  duration: 60,
});
const limit: RequestHandler = (req, res, next) => {
  limiter.consume(req.ip ?? '').then(
    () => next(),
    () => res.sendStatus(429),
  );
};

const app = express();
app.use(helmet(), limit, express.json());
const router = express.Router();
createExpressEndpoints({ brokers: contract.brokers, search: contract.search }, api, router, {
  logInitialization: false,
});
app.use(BASE_PATH, router);
const server = app.listen(0, '127.0.0.1', () => announce(server));
