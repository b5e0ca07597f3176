import type { RouteMeta } from '@broker-transparency/contract';
import { ENTERPRISE_BASE_PATH } from '@broker-transparency/contract/enterprise';
import { ROUTES } from '@broker-transparency/contract/routes';
import { expect, test } from 'vitest';
import { createMatcher } from './match.ts';

const match = createMatcher(
  ROUTES.filter(({ basePath }) => basePath !== ENTERPRISE_BASE_PATH).map(({ basePath, ...route }) => ({
    basePath,
    route,
    policy: route.metadata as RouteMeta,
  })),
);

const WRITES_REVIEWS = { scope: 'reviews:write', kyc: true };
const READS_ACCOUNT = { scope: 'account:read', kyc: false };
const WRITES_ACCOUNT = { scope: 'account:write', kyc: false };

test.each([
  ['GET', '/api/v1/brokers', 'public'],
  ['HEAD', '/api/v1/brokers?limit=x', 'public'],
  ['GET', '/api/v1/brokers/%61lpha', 'public'],
  ['GET', '/api/v1/reviews', 'public'],
  ['POST', '/api/v1/reviews', WRITES_REVIEWS],
  ['GET', '/account/v1/reviews', READS_ACCOUNT],
  ['HEAD', '/account/v1/reviews?limit=1', READS_ACCOUNT],
  ['POST', '/account/v1/reviews/1/withdrawal', WRITES_ACCOUNT],
  ['GET', '/transparency/v1/moderation/alpha', 'public'],
])('%s %s is counted for a caller of a route that is open to %j', (method, target, access) => {
  expect(match(method, target)?.access).toEqual(access);
});

test.each([
  ['/transparency/v1/brokers/alpha/history', 'history'],
  ['/transparency/v1/brokers/alpha/at?knownAt=7', 'history'],
  ['/transparency/v1/brokers/alpha/proof', 'history'],
  ['/transparency/v1/moderation/alpha', 'public'],
  ['/api/v1/brokers/alpha', 'public'],
])('GET %s is counted against the budget %s', (target, limit) => {
  expect(match('GET', target)?.limit).toBe(limit);
  expect(match('HEAD', target)?.limit).toBe(limit);
});

test.each([
  ['DELETE', '/api/v1/reviews'],
  ['HEAD', '/api/v1/complaints'],
  ['POST', '/account/v1/reviews'],
  ['GET', '/account/v1/reviews//withdrawal'],
  ['GET', '/account/v1/reviews/%/other'],
  ['GET', '/api/v1/nothing'],
  ['GET', '/api/v1/%zz'],
  ['GET', '/api/v1/brokers/'],
  ['GET', '/api/v1/brokers//'],
  ['GET', '/api/v1//brokers'],
  ['GET', '/api/v1/./brokers'],
  ['GET', '/api/v1/../v1/brokers'],
  ['GET', '/api/v1/%2e%2e/v1/brokers'],
  ['GET', '/api/v1/..%2fv1/brokers'],
  ['GET', '/api/v1/brokers%2F'],
  ['GET', '/api/v1/brokers%20'],
  ['GET', '/api/v1/brokers%00'],
  ['GET', '/api/v1/brokers%'],
  ['GET', '/api/v1/brokers\\'],
  ['GET', '/api/v1/brokers/alpha/'],
  ['GET', '/api/v1/brokers//alpha'],
  ['GET', '/api/v1/brokers/alpha/reviews'],
  ['GET', '/api/v1/Brokers'],
  ['GET', '/api/v1/BROKERS'],
  ['GET', '/api/v1/BROKERS/alpha'],
  ['GET', '/api/v1/__proto__'],
  ['GET', '/api/v1/constructor'],
  ['GET', '/api/v1/complaints'],
  ['GET', '/api/v1/complaints/'],
])('%s %s is no route of an API, and counted like a public read', (method, target) => {
  expect(match(method, target)).toEqual({ access: 'public', limit: 'public' });
});

test.each([
  ['OPTIONS', '/api/v1/brokers'],
  ['OPTIONS', '/api/v1/nothing'],
  ['GET', '/api/v1/brokers/%zz'],
  ['DELETE', '/api/v1/brokers/%'],
  ['POST', '/account/v1/reviews/%c3/appeal'],
  ['GET', '/api/v10/brokers'],
  ['GET', '/api/v1.0/brokers'],
  ['GET', '/api/v2/brokers'],
  ['GET', '/api'],
  ['GET', '/api/v1'],
  ['GET', '/api/v1/'],
  ['GET', '/api/v1?a=b'],
  ['POST', '/account/v1'],
  ['GET', '/API/V1/brokers'],
  ['GET', '/Api/v1/brokers'],
  ['GET', '/%61pi/v1/brokers'],
  ['GET', '/api%2Fv1%2Fbrokers'],
  ['GET', '/api/v1%2Fbrokers'],
  ['GET', '/api//v1/brokers'],
  ['GET', '//api/v1/brokers'],
  ['GET', '/docs'],
  ['GET', '/?/api/v1/brokers'],
  ['OPTIONS', '*'],
])('%s %s is not counted here', (method, target) => {
  expect(match(method, target)).toBeUndefined();
});
