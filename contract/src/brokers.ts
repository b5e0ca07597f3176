import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { BrokerEntity, License } from './licenses.ts';
import { meta } from './metadata.ts';
import {
  Country,
  Extensible,
  Lei,
  OffsetPagination,
  QueryInteger,
  Slug,
  Text,
  Tier,
  Timestamp,
  WebUrl,
} from './primitives.ts';
import { problems } from './problem.ts';
import { Review } from './reviews.ts';
import { CHECKLIST_KEYS, COLORS } from './score/methodology.ts';
import { Color, RatingMonth, Score, StarDistribution } from './score/schema.ts';

export const BROKER_STATUSES = ['operating', 'ceased', 'merged', 'suspected_clone'] as const;

/** A public warning of an authority. One about a clone names the genuine firm and never counts against it. */
export const BrokerWarning = z
  .object({
    source: Text(1, 200),
    url: WebUrl,
    title: Text(1, 300),
    publishedAt: Timestamp,
    withdrawnAt: Timestamp.optional(),
    about: Extensible(z.enum(['this_firm', 'clone_of_it'])),
  })
  .meta({ id: 'BrokerWarning' });

/** A disclosure the broker should make. `met: null` means not checked, and counts as unmet. */
export const ChecklistItem = z
  .object({
    key: Extensible(z.enum(CHECKLIST_KEYS)),
    met: z.boolean().nullable(),
    sourceUrl: WebUrl.nullable(),
    checkedAt: Timestamp.nullable(),
  })
  .meta({ id: 'ChecklistItem' });

/** Where a fact comes from, and whom its licence asks to name. */
export const Provenance = z
  .object({
    fact: Text(1, 80).meta({ description: 'Name of the field it backs' }),
    sourceUrl: WebUrl,
    lastVerifiedAt: Timestamp.nullable().meta({ description: 'When the source was last opened; null: never' }),
    attribution: Text(1, 300)
      .optional()
      .meta({ description: 'Whom to name, and under which licence, where the source asks for it' }),
  })
  .meta({ id: 'Provenance' });

export const RatingSummary = z
  .object({
    average: z.number().nullable().meta({ description: 'Plain mean in stars, two decimals; null without reviews' }),
    bayesianAverage: z.number().meta({ description: 'Age-weighted mean shrunk toward 3 stars, as the score uses it' }),
    count: z.int(),
    distribution: StarDistribution,
  })
  .meta({ id: 'RatingSummary' });

/** Counts only: complaints themselves are private. */
export const ComplaintSummary = z
  .object({
    open: z.int().meta({ description: 'Received and neither closed nor overdue' }),
    overdue: z.int().meta({ description: 'Forwarded more than 15 days ago and not answered' }),
    closed: z.int().meta({ description: 'Resolved or unresolved, over all time' }),
    resolvedRate: z.number().nullable().meta({ description: 'Resolved among closed, 0–1; null without closed ones' }),
    timelyRate: z.number().nullable().meta({ description: 'Answered within 15 days among closed, 0–1' }),
    medianResponseDays: z.number().nullable().meta({ description: 'Days from forwarding to the broker’s answer' }),
  })
  .meta({ id: 'ComplaintSummary' });

const summaryFields = {
  id: z.string(),
  slug: Slug,
  name: z.string(),
  legalName: z.string(),
  tradingNames: z.array(z.string()),
  lei: Lei.optional(),
  website: WebUrl,
  domains: z.array(z.string()),
  country: Country,
  foundedYear: z.int().nullable(),
  description: z.string(),
  status: Extensible(z.enum(BROKER_STATUSES)),
  color: Color,
  score: Score,
  ratingSummary: RatingSummary,
  complaintSummary: ComplaintSummary,
  licenseCount: z.int().meta({ description: 'Licences held: not withdrawn, revoked or expired' }),
  bestTier: Tier.nullable().meta({ description: 'Strongest tier among the licences that score' }),
  warnings: z.array(BrokerWarning),
  licensesCheckedAt: Timestamp.nullable(),
  updatedAt: Timestamp,
};

/** A broker as lists and search show it. */
export const BrokerSummary = z.object(summaryFields).meta({ id: 'BrokerSummary' });
export type BrokerSummary = z.infer<typeof BrokerSummary>;

/** A broker with everything its score is made of: `recomputeScore` needs nothing else. */
export const BrokerDetail = z
  .object({
    ...summaryFields,
    entities: z.array(BrokerEntity),
    licenses: z.array(License),
    ratingsByMonth: z.array(RatingMonth),
    checklist: z.array(ChecklistItem),
    recentReviews: z.array(Review).meta({ description: 'The five newest published reviews' }),
    provenance: z.array(Provenance),
  })
  .meta({ id: 'BrokerDetail' });
export type BrokerDetail = z.infer<typeof BrokerDetail>;

export const BrokerList = z
  .object({ data: z.array(BrokerSummary), pagination: OffsetPagination })
  .meta({ id: 'BrokerList' });

export const brokers = initContract().router({
  list: {
    method: 'GET',
    path: '/brokers',
    summary: 'Brokers, best score first',
    description:
      'Ordered by score, then slug; brokers without a score come last. `Link` has the next and previous page.',
    query: z.strictObject({
      limit: QueryInteger(1, 100).default(20),
      offset: QueryInteger(0, 100_000).default(0),
      color: z.enum(COLORS).optional(),
    }),
    responses: { 200: BrokerList, ...problems() },
    metadata: meta({ access: 'public', limit: 'public', cache: 'catalog', shows: ['brokers'] }),
  },
  get: {
    method: 'GET',
    path: '/brokers/:slug',
    summary: 'One broker, with its score taken apart',
    pathParams: z.strictObject({ slug: Slug }),
    query: z.strictObject({}),
    responses: { 200: BrokerDetail, ...problems('broker_not_found') },
    metadata: meta({ access: 'public', limit: 'public', cache: 'catalog', shows: ['broker:{slug}'] }),
  },
});
