import * as z from 'zod';
import { NoBody, NoQuery, Slug, Timestamp } from '../primitives.ts';
import { AUTH_PROBLEMS, BODY_PROBLEMS, problems } from '../problem.ts';
import type { RouteGroup } from '../route.ts';
import { enterpriseMeta } from './metadata.ts';

/** Maximum brokers of a watchlist. */
const MOST_WATCHED = 500;

/** The name of a watchlist, which is its organisation's choice. */
export const WatchlistName = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters and digits, joined by single hyphens')
  .meta({ description: 'Name of the watchlist, of your choice.', examples: ['clients'] });

/** A list of brokers that an organisation watches. */
export const Watchlist = z
  .object({
    name: z.string().describe('Its name.'),
    brokers: z
      .array(Slug)
      .describe(
        'Current slugs, in alphabetical order. A renamed broker stays on it, and a merged one as its successor.',
      ),
    updatedAt: Timestamp.describe('When it was last written.'),
  })
  .meta({ id: 'Watchlist', description: 'Brokers that your organisation watches.' });
export type Watchlist = z.infer<typeof Watchlist>;

/** The brokers that a watchlist is to have. */
export const WatchlistDraft = z
  .strictObject({
    brokers: z.array(Slug).max(MOST_WATCHED).describe('Slugs, current or former ones. They replace those before.'),
  })
  .meta({ id: 'WatchlistDraft', description: 'The brokers that a watchlist is to have.' });

/** Every watchlist of an organisation. */
export const WatchlistList = z
  .object({
    data: z
      .array(
        z
          .object({
            name: z.string(),
            brokers: z.int().min(0).describe('How many brokers were put on it.'),
            updatedAt: Timestamp.describe('When it was last written.'),
          })
          .meta({ id: 'WatchlistSummary', description: 'A watchlist, without its brokers.' }),
      )
      .describe('By name.'),
  })
  .meta({ id: 'WatchlistList', description: 'The watchlists of your organisation.' });
export type WatchlistList = z.infer<typeof WatchlistList>;

const pathParams = z.strictObject({ name: WatchlistName });
const metadata = enterpriseMeta('watchlists:write');

/** Routes of watchlists. They filter the feed and webhooks. */
export const enterpriseWatchlists = {
  list: {
    method: 'GET',
    path: '/watchlists',
    summary: 'Your watchlists',
    query: NoQuery,
    responses: { 200: WatchlistList, ...problems(...AUTH_PROBLEMS) },
    metadata,
  },
  get: {
    method: 'GET',
    path: '/watchlists/:name',
    summary: 'The brokers of a watchlist',
    pathParams,
    query: NoQuery,
    responses: { 200: Watchlist, ...problems(...AUTH_PROBLEMS, 'not_found') },
    metadata,
  },
  put: {
    method: 'PUT',
    path: '/watchlists/:name',
    summary: 'Makes a watchlist, or replaces its brokers',
    pathParams,
    query: NoQuery,
    body: WatchlistDraft,
    responses: {
      200: Watchlist,
      ...problems(...AUTH_PROBLEMS, ...BODY_PROBLEMS, 'broker_not_found', 'state_conflict'),
    },
    metadata,
  },
  remove: {
    method: 'DELETE',
    path: '/watchlists/:name',
    summary: 'Removes a watchlist that no webhook follows, and answers what it was',
    pathParams,
    query: NoQuery,
    body: NoBody,
    responses: { 200: Watchlist, ...problems(...AUTH_PROBLEMS, 'not_found', 'state_conflict') },
    metadata,
  },
} as const satisfies RouteGroup;
