import type {
  BrokerDetail,
  BrokersListQuery,
  ComplaintSubmission,
  NewsListQuery,
  ReviewSubmission,
  ReviewsListQuery,
  SearchQuery,
} from '@broker-transparency/client';
import { decideVerdict, listLicenseChoices, type Moved } from '@broker-transparency/contract';
import { isWarned } from '@broker-transparency/contract/score';
import { ACCOUNT_CALLS, requireAuthor } from './account-calls.ts';
import { sortNewestFirst, toReviewView, toSummary } from './build-broker.ts';
import type { CallHandler, CallResult } from './call.ts';
import { ENTERPRISE_CALLS } from './enterprise-calls.ts';
import { buildLinkHeader, buildNextLink, buildUpdatesLink, parseCursor, slicePage } from './pages.ts';
import { type CallName, CallRefusal, type NamedRoute } from './policy.ts';
import { RECORD_CALLS } from './record-calls.ts';
import { findBrokers } from './search.ts';
import type { State } from './state.ts';
import { requireBroker, submitComplaint, submitReview } from './submissions.ts';
import { requireKnown, type ValidRequest } from './validation.ts';

/** Returns the redirect of a read that names a former slug, or undefined for any other request. */
export const findRedirect = (
  { basePath, path, metadata: { moved: parameter } }: NamedRoute,
  { params, query }: ValidRequest,
  url: URL,
  state: State,
): CallResult | undefined => {
  if (parameter === undefined) return undefined;
  const given = params?.[parameter] ?? (query as Readonly<Record<string, string>>)[parameter] ?? '';
  const slug = state.currentSlug(given);
  if (slug === given) return undefined;
  const asked = { ...(query as Readonly<Record<string, unknown>>), [parameter]: slug };
  // in the order of the contract, whatever the request's is
  const names = Object.keys(asked).filter((name) => url.searchParams.has(name));
  const search = new URLSearchParams(Object.fromEntries(names.map((name) => [name, String(asked[name])])));
  const target = basePath + path.replace(`:${parameter}`, slug);
  const body: Moved = { slug };
  return { body, moved: true, headers: { Location: names.length === 0 ? target : `${target}?${search}` } };
};

/** A query after validation, with its defaults. */
type PagedQuery<Query> = Query & { readonly limit: number; readonly offset: number };

const isPermitted = (broker: BrokerDetail, residence: string, at: Date): boolean =>
  decideVerdict(broker, residence, at).permission?.state === 'permitted';

/**
 * Returns the brokers that pass all filters at a time.
 * @throws CallRefusal if no regulator has the code
 */
const filterBrokers = (
  state: State,
  { color, country, regulator, status, residence, license, warnings, slugs }: BrokersListQuery,
  at: Date,
) => {
  if (regulator !== undefined)
    requireKnown(
      'regulator',
      regulator,
      state.regulators.map(({ code }) => code),
    );
  const regulated =
    regulator === undefined ? undefined : new Set(state.regulatedBy(regulator).map((broker) => broker.slug));
  return state.brokers.filter(
    (broker) =>
      (color === undefined || broker.color === color) &&
      (country === undefined || broker.country === country) &&
      (regulated === undefined || regulated.has(broker.slug)) &&
      (status === undefined || broker.status === status) &&
      (residence === undefined || isPermitted(broker, residence, at)) &&
      (license === undefined || listLicenseChoices(broker, at).includes(license)) &&
      (warnings === undefined || isWarned(broker.warnings) === (warnings === 'standing')) &&
      (slugs === undefined || slugs.includes(broker.slug)),
  );
};

/** The implementation of each call. */
export const CALLS: Readonly<Record<CallName, CallHandler>> = {
  ...RECORD_CALLS,
  ...ACCOUNT_CALLS,
  ...ENTERPRISE_CALLS,
  search: ({ query }, { state }) => ({
    body: { data: findBrokers(state.brokers, (query as SearchQuery).q).map(toSummary) },
  }),
  'brokers.list': ({ query }, { state, at }) => {
    const asked = query as PagedQuery<BrokersListQuery>;
    const { limit, offset } = asked;
    const named = asked.slugs && state.nameSlugs(asked.slugs);
    const all = filterBrokers(state, { ...asked, slugs: named?.slugs }, at);
    const names = named ? { moved: named.moved, unknown: named.unknown } : {};
    if (asked.updatedSince !== undefined) {
      const { found, updates } = state.findUpdates(all, asked.updatedSince, limit, named?.slugs);
      const pagination = { limit, offset, total: found.length };
      const { offset: _, ...next } = asked;
      const headers = updates.more ? buildUpdatesLink(next, updates.next) : {};
      return { body: { data: found.map(toSummary), pagination, updates, ...names }, headers };
    }
    const sorted = asked.sort === 'newest_change' ? state.sortByChange(all) : all;
    const data = sorted.slice(offset, offset + limit).map(toSummary);
    const pagination = { limit, offset, total: all.length };
    const body = { data, pagination, ...names };
    return { body, headers: buildLinkHeader(asked, all.length) };
  },
  'brokers.get': ({ params }, { state }) => ({ body: requireBroker(state, params['slug'] ?? '') }),
  'regulators.list': (_, { state }) => ({ body: { data: state.regulators } }),
  'regulators.get': ({ params: { code = '' } }, { state }) => {
    const regulator = state.regulator(code);
    if (regulator === undefined) throw new CallRefusal('regulator_not_found', `No regulator has the code "${code}".`);
    return { body: { ...regulator, brokers: state.regulatedBy(code) } };
  },
  'reviews.list': ({ query }, { state }) => {
    const { broker, limit, cursor } = query as PagedQuery<ReviewsListQuery>;
    const start = parseCursor(cursor);
    requireBroker(state, broker);
    const published = state.listPublishedReviews(broker).map(toReviewView);
    const newest = sortNewestFirst(published, ({ publishedAt }) => publishedAt);
    const body = slicePage(newest, limit, start);
    return { body, headers: buildNextLink('/reviews', { broker, limit }, body.pagination.nextCursor) };
  },
  'reviews.create': ({ body }, context) => ({
    body: submitReview(context.state, requireAuthor(context), body as ReviewSubmission, context.at),
  }),
  'complaints.create': ({ body }, context) => ({
    body: submitComplaint(context.state, requireAuthor(context), body as ComplaintSubmission, context.at),
  }),
  'news.list': ({ query }, { state }) => {
    const { limit, cursor } = query as PagedQuery<NewsListQuery>;
    const body = slicePage(state.news, limit, parseCursor(cursor));
    return { body, headers: buildNextLink('/news', { limit }, body.pagination.nextCursor) };
  },
};
