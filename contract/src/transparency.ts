import * as z from 'zod';
import { entryRoutes } from './entries.ts';
import { brokerHistory } from './history.ts';
import { meta } from './metadata.ts';
import { GROUNDS, REASON_CODES } from './moderation.ts';
import { openingRoutes } from './openings.ts';
import { Extensible, NoQuery, Slug } from './primitives.ts';
import { problems } from './problem.ts';
import type { RouteGroup } from './route.ts';
import { serviceLevelRoutes } from './service-level-routes.ts';

/** Path prefix of the routes by which anybody can check the service. */
export const TRANSPARENCY_BASE_PATH = '/transparency/v1';

const Count = z.int().min(0);
const ByReason = z
  .object(
    Object.fromEntries(REASON_CODES.map((code) => [code, Count])) as Record<
      (typeof REASON_CODES)[number],
      typeof Count
    >,
  )
  .meta({ id: 'CountByReason' });

/** Counts of the reviews of one broker by outcome. The other counts of `reviews` add up to `received`. */
export const ModerationCounts = z
  .object({
    reviews: z.object({
      received: Count,
      pending: Count,
      published: Count,
      withheld: Count.meta({ description: 'Not public while a claim against it is examined' }),
      withdrawn: Count,
      rejected: ByReason,
      removed: ByReason,
    }),
    reports: z.object({
      received: Count,
      open: Count,
      upheld: Count.meta({ description: 'The review was removed' }),
    }),
    appeals: z.object({ received: Count, open: Count, reversed: Count }),
  })
  .meta({ id: 'ModerationCounts' });
export type ModerationCounts = z.infer<typeof ModerationCounts>;

/** How long cases waited for a person's decision. Days that have begun count as whole ones. */
export const ModerationDelay = z
  .object({
    decided: Count.meta({ description: 'Cases that a person decided within 365 days' }),
    medianDays: Count.nullable().meta({ description: 'Half of them were decided within so many days' }),
    p90Days: Count.nullable().meta({ description: 'Nine of ten were decided within so many days' }),
  })
  .meta({ id: 'ModerationDelay' });
export type ModerationDelay = z.infer<typeof ModerationDelay>;

/**
 * Moderation figures for the reviews of one broker, with an explanation of each reason, and figures of those who
 * decide. An operator who was added after a decision never decides an appeal against it.
 */
export const ModerationTransparency = ModerationCounts.extend({
  brokerSlug: Slug,
  operators: z.object({
    added: Count.meta({ description: 'Everybody who was ever an operator of the service, of all brokers together' }),
    alone: Count.meta({
      description: 'Those whose access one admin alone gave or renewed; no second admin confirmed it',
    }),
  }),
  delays: z
    .object({ reviews: ModerationDelay, reports: ModerationDelay, appeals: ModerationDelay })
    .meta({ description: 'How long cases waited, of all brokers together' }),
  reasons: z.array(
    z.object({
      code: Extensible(z.enum(REASON_CODES)),
      description: z.string(),
      ground: Extensible(z.enum(GROUNDS)),
    }),
  ),
}).meta({ id: 'ModerationTransparency' });
export type ModerationTransparency = z.infer<typeof ModerationTransparency>;

/**
 * Routes by which anybody can check the service: public figures about moderation, which make it visible if reviews are
 * suppressed, and the published facts of a broker at any time.
 */
export const transparencyContract = {
  moderation: {
    method: 'GET',
    path: '/moderation/:slug',
    summary: 'How the reviews of a broker were moderated, in numbers',
    description: 'Counts of reviews by what moderators decided, and of the reasons. They name nobody.',
    pathParams: z.strictObject({ slug: Slug }),
    query: NoQuery,
    responses: { 200: ModerationTransparency, ...problems('broker_not_found') },
    metadata: meta({
      access: 'public',
      limit: 'public',
      cache: 'catalog',
      shows: ['moderation:{slug}', 'operators'],
      moved: 'slug',
    }),
  },
  brokers: brokerHistory,
  entries: entryRoutes,
  openings: openingRoutes,
  serviceLevel: serviceLevelRoutes,
} as const satisfies RouteGroup;
