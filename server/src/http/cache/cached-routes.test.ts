import { BASE_PATH, contract, type RouteMeta } from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../platform/observe/metrics.ts';
import { createCacheCounts } from '../../platform/observe/reading.ts';
import { createHeavyWork, HEAVY_BOUNDS } from '../load/heavy-work.ts';
import { createAddressFormatter } from '../request/canonical.ts';
import { createMatcher } from '../request/match.ts';
import { SlugRedirect } from '../response/moved.ts';
import { readyJson } from '../response/ready-json.ts';
import { addCacheTags, type CachedRead, createCachedRoutes, resolveCacheTags } from './cached-routes.ts';
import { createResponseCache } from './response-cache.ts';

const heavy = createHeavyWork(HEAVY_BOUNDS);
const counts = createCacheCounts(createMetrics());

const NONE = {};
/** As many slugs as a request can name, each as long as it can be. */
const LONGEST_SLUGS = Array.from({ length: 50 }, (_, n) => `${100 + n}`.padEnd(80, 'x')).join(',');

describe('the one address of an answer', () => {
  test.each([
    [contract.brokers.list, NONE, { limit: 20, offset: 0 }, '/brokers'],
    [contract.brokers.list, NONE, { offset: 0, limit: 50 }, '/brokers?limit=50'],
    [contract.brokers.list, NONE, { color: 'green', offset: 40, limit: 20 }, '/brokers?offset=40&color=green'],
    [
      contract.brokers.list,
      NONE,
      { slugs: ['alpha', 'beta'], country: 'GB' },
      '/brokers?country=GB&slugs=alpha%2Cbeta',
    ],
    [contract.brokers.get, { slug: 'alpha-markets' }, NONE, '/brokers/alpha-markets'],
    [contract.regulators.get, { code: 'fsa-sc' }, NONE, '/regulators/fsa-sc'],
    [contract.reviews.list, NONE, { broker: 'alpha', limit: 20 }, '/reviews?broker=alpha'],
    [contract.news.list, NONE, { limit: 20, cursor: 'MQ' }, '/news?cursor=MQ'],
    [contract.search, NONE, { q: 'alpha mark' }, '/search?q=alpha+mark'],
    [contract.search, NONE, { q: 'a&b=c?#%/é' }, '/search?q=a%26b%3Dc%3F%23%25%2F%C3%A9'],
  ])('%#: %j %j %j is %s', (route, params, query, path) => {
    expect(createAddressFormatter(route, BASE_PATH)({ params, query })).toBe(`${BASE_PATH}${path}`);
  });

  test('an address with only the required parameters is the shortest there is', () => {
    for (const route of [contract.brokers.list, contract.news.list]) {
      const query = route.query.parse({}) as Record<string, string | number>;
      expect(createAddressFormatter(route, '')({ params: {}, query })).toBe(route.path);
    }
  });
});

test.each([
  [contract.brokers.get, { slug: 'alpha' }, NONE, ['broker:alpha', 'regulators']],
  [contract.brokers.list, NONE, { limit: 20 }, ['brokers']],
  [contract.reviews.list, NONE, { broker: 'beta' }, ['reviews:beta']],
  [contract.regulators.get, { code: 'fca' }, NONE, ['regulators', 'brokers']],
])('%#: an answer has the tags of what it shows', (route, params, query, tags) => {
  expect(resolveCacheTags(route.metadata as RouteMeta, { params, query })).toEqual(tags);
});

test('a former slug is answered by a redirect, until what it leads to changes', async () => {
  const cache = createResponseCache(2 ** 20, Date.now, counts);
  const get = async (args: object) => {
    addCacheTags(args, ['broker:beta']);
    throw new SlugRedirect('/beta', 'beta');
  };
  const { routes } = createCachedRoutes(BASE_PATH, { get: contract.brokers.get }, { get }, { cache, heavy });
  const read = createMatcher(routes)('GET', `${BASE_PATH}/brokers/alpha`)?.read as CachedRead;
  const { status, plain, headers } = await read.obtain();
  expect([status, JSON.parse(String(plain)), headers]).toEqual([
    308,
    { slug: 'beta' },
    { 'Cache-Control': 'public, max-age=30', Location: '/beta' },
  ]);
  expect(cache.find(read.key)).toBeDefined();
  cache.changed(['broker:beta']);
  expect(cache.find(read.key)).toBeUndefined();
});

describe('an address without Express', () => {
  const routes = { brokers: contract.brokers, search: contract.search };
  const handler = async (asked: object) => ({
    status: 200,
    body: readyJson<never>(Buffer.from(JSON.stringify(asked))),
  });
  const handlers = { brokers: { list: handler, get: handler }, search: handler };
  const api = createCachedRoutes(BASE_PATH, routes, handlers, {
    cache: createResponseCache(0, Date.now, counts),
    heavy,
  });
  const match = createMatcher(api.routes);
  const find = (target: string) => match('GET', target)?.read;

  test.each([
    ['/brokers', NONE, { limit: 20, offset: 0 }],
    ['/brokers?offset=40&color=green', NONE, { limit: 20, offset: 40, color: 'green' }],
    ['/brokers/alpha-markets', { slug: 'alpha-markets' }, NONE],
    ['/search?q=alpha+mark', NONE, { q: 'alpha mark' }],
    ['/search?q=a%26b%3Dc', NONE, { q: 'a&b=c' }],
  ])('%s has the parameters %j and the query %j', async (target, params, query) => {
    const read = find(`${BASE_PATH}${target}`);
    expect(read?.key).toBe(`${BASE_PATH}${target}`);
    const { plain, headers } = await (read as CachedRead).obtain();
    expect(JSON.parse(String(plain))).toMatchObject({ params, query });
    expect(headers).toEqual({ 'Cache-Control': expect.stringMatching(/^public, max-age=\d+$/) });
  });

  test.each([
    ['/brokers?limit=20&offset=0', '/brokers'],
    ['/brokers?offset=20&limit=50', '/brokers?limit=50&offset=20'],
    ['/brokers?color=green&&%6fffset=%340', '/brokers?offset=40&color=green'],
    ['/brokers?', '/brokers'],
    ['/brokers?country=gb&color=red', '/brokers?color=red&country=GB'],
    ['/brokers?slugs=beta,alpha,beta&status=ceased', '/brokers?status=ceased&slugs=alpha%2Cbeta'],
    [`/brokers?slugs=${LONGEST_SLUGS}`, `/brokers?slugs=${LONGEST_SLUGS.replaceAll(',', '%2C')}`],
    ['/brokers?updatedSince=0&limit=20&country=gb', '/brokers?country=GB&updatedSince=0'],
    ['/search?q=%61lpha%20mark', '/search?q=alpha+mark'],
    ['/search?q=+alpha+', '/search?q=alpha'],
  ])('%s asks for what %s does', (target, canonical) => {
    expect(find(`${BASE_PATH}${target}`)?.key).toBe(`${BASE_PATH}${canonical}`);
  });

  test.each([
    '/brokers/',
    '/brokers?limit=101',
    '/brokers?limit',
    '/brokers?limit=020',
    '/brokers?limit=+20',
    '/brokers?x=1',
    '/brokers?limit=2&limit=2',
    '/brokers?country=UK',
    '/brokers?slugs=alpha,',
    '/brokers/Alpha',
    '/brokers/a/b',
    '/brokers/%61lpha',
    '/brokerss',
    '/search',
    '/search?q=',
    '/search?q=%',
    '/search?q=%zz',
    '/news',
    '/brokers#x',
    '/brokers?#',
    '//brokers',
    '/search?q=a#b',
    '/search?q=a\u00e9',
    '/search?q=a b',
    '/brokers?__proto__=1',
    `/brokers?${'&'.repeat(2048)}`,
  ])('%s is left to Express', (target) => {
    expect(find(`${BASE_PATH}${target}`)).toBeUndefined();
  });
  test('a path outside the API is left to Express', () => {
    for (const target of ['/brokers', `x${BASE_PATH}/brokers`, `http://other.example${BASE_PATH}/brokers`, '*'])
      expect(find(target)).toBeUndefined();
  });
});
