import { BASE_PATH, contract, type RouteMeta } from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import { canonicalTarget, tagsOf } from './preparing.ts';

const NONE = {};

describe('the one address of an answer', () => {
  test.each([
    [contract.brokers.list, NONE, { limit: 20, offset: 0 }, '/brokers'],
    [contract.brokers.list, NONE, { offset: 0, limit: 50 }, '/brokers?limit=50'],
    [contract.brokers.list, NONE, { color: 'green', offset: 40, limit: 20 }, '/brokers?offset=40&color=green'],
    [contract.brokers.get, { slug: 'alpha-markets' }, NONE, '/brokers/alpha-markets'],
    [contract.regulators.get, { code: 'fsa-sc' }, NONE, '/regulators/fsa-sc'],
    [contract.reviews.list, NONE, { broker: 'alpha', limit: 20 }, '/reviews?broker=alpha'],
    [contract.news.list, NONE, { limit: 20, cursor: 'MQ' }, '/news?cursor=MQ'],
    [contract.search, NONE, { q: 'alpha mark' }, '/search?q=alpha+mark'],
    [contract.search, NONE, { q: 'a&b=c?#%/é' }, '/search?q=a%26b%3Dc%3F%23%25%2F%C3%A9'],
  ])('%#: %j %j %j is %s', (route, params, query, path) => {
    expect(canonicalTarget(route, BASE_PATH, { params, query })).toBe(`${BASE_PATH}${path}`);
  });

  test('of no parameters but those that must be there is the shortest there is', () => {
    for (const route of [contract.brokers.list, contract.news.list]) {
      const query = route.query.parse({}) as Record<string, string | number>;
      expect(canonicalTarget(route, '', { params: {}, query })).toBe(route.path);
    }
  });
});

test.each([
  [contract.brokers.get, { slug: 'alpha' }, NONE, ['broker:alpha']],
  [contract.brokers.list, NONE, { limit: 20 }, ['brokers']],
  [contract.reviews.list, NONE, { broker: 'beta' }, ['reviews:beta']],
  [contract.regulators.get, { code: 'fca' }, NONE, ['regulators', 'brokers']],
])('%#: what it shows: %j %j %j', (route, params, query, tags) => {
  expect(tagsOf(route.metadata as RouteMeta, { params, query })).toEqual(tags);
});
