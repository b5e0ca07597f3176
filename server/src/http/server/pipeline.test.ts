import { once } from 'node:events';
import { Agent, createServer, type IncomingHttpHeaders, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { BASE_PATH, contract } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLog } from '../../platform/observe/log.ts';
import { createMetrics } from '../../platform/observe/metrics.ts';
import { createCacheCounts } from '../../platform/observe/reading.ts';
import { createRequestCount } from '../../platform/observe/requests.ts';
import { createAuthenticate, type Principal } from '../auth/access.ts';
import { createFailedTokens } from '../auth/failed-tokens.ts';
import { createIdentify } from '../auth/identify.ts';
import { createRecentCredentials } from '../auth/recent-credentials.ts';
import { createObtain } from '../cache/obtain.ts';
import { createResponseCache } from '../cache/response-cache.ts';
import { createApi, createGuard } from '../endpoints/api.ts';
import { createHeavyWork } from '../load/heavy-work.ts';
import { createOverload } from '../load/overload.ts';
import { handleErrors } from '../problem/error-handler.ts';
import { ProblemError } from '../problem/problem.ts';
import type { Limit } from '../rate-limit/limit.ts';
import { withContext } from '../request/context.ts';
import { createMatcher } from '../request/match.ts';
import { readyJson } from '../response/ready-json.ts';
import { createRecord } from '../response/record.ts';
import { recordResponses } from '../response/record-express.ts';
import { cors, createAddressReader, createExpress, secure } from './express.ts';
import { createPipeline } from './pipeline.ts';

const metrics = createMetrics();
const counts = createCacheCounts(metrics);
const countRequest = createRequestCount(metrics);

const log = createLog('silent');
const heavy = createHeavyWork({ atOnce: 100, places: 100, perPlace: 100, mostRestMs: 0 });
const overload = createOverload(
  { maxInFlight: 100, maxConnections: 100, shares: [], isProxy: () => false },
  log,
  countRequest,
);

/** Repeats what it was asked for, long enough to be compressed. */
const echo = async ({ params, query }: Record<string, unknown>) => {
  const { slug } = (params ?? {}) as { slug?: string };
  if (slug === 'missing') throw new ProblemError('broker_not_found', 'There is no such broker.');
  if (slug === 'broken') throw new Error('a fault');
  const text = JSON.stringify([params, query, 'x'.repeat(2000)]);
  return { status: 200, body: readyJson<never>(Buffer.from(text), { Link: `<of ${JSON.stringify(query)}>` }) };
};
/** The same handler for every route. */
const everywhere = (part: object): unknown =>
  'method' in part ? echo : Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, everywhere(inner)]));
const handlers = everywhere(contract) as never;

const person = (accountId: string): Principal => ({
  accountId,
  scopes: [],
  kycVerified: true,
  personKey: accountId,
  displayName: 'Alice',
});
const verify = async (token: string): Promise<Principal | undefined> => {
  if (token === 'away') throw new ProblemError('unavailable', 'The database does not answer.');
  return ['alice', 'spent'].includes(token) ? person(token) : undefined;
};

/** A budget that notes who was counted; some have used theirs up. */
const counting = (name: string, counted: string[]): Limit => ({
  requests: 60,
  consume: async (key) => {
    counted.push(`${name} ${key}`);
    const left = 1000 - counted.filter((other) => other === `${name} ${key}`).length;
    return { allowed: key !== 'account:spent', headers: { RateLimit: `"${name}";r=${left};t=60` } };
  },
});

/** The same service with the response cache before Express, and without. */
const createSide = (isFast: boolean) => {
  const counted: string[] = [];
  const app = createExpress(0);
  const limits = {
    public: counting('public', counted),
    history: counting('history', counted),
    pages: counting('pages', counted),
    badges: counting('badges', counted),
  };
  const cache = createResponseCache(2 ** 22, Date.now, counts);
  const identify = createIdentify({
    authenticate: createAuthenticate(verify),
    limits,
    failedTokens: createFailedTokens(counting('bad-tokens', counted)),
    recent: createRecentCredentials(
      () => new Date(),
      () => true,
    ),
    readAddress: createAddressReader(app),
  });
  const { handler, routes } = createApi(BASE_PATH, contract, handlers, { guard: createGuard(limits), cache, heavy });
  app.use(secure, cors);
  app.use(BASE_PATH, handler);
  app.use(handleErrors('', log));
  const record = createRecord(log, countRequest);
  const express = recordResponses(app, record);
  const reached: (string | undefined)[] = [];
  const reaching: RequestListener = (req, res) => {
    reached.push(req.url);
    express(req, res);
  };
  const match = createMatcher(
    isFast ? routes : routes.map(({ basePath, route, policy }) => ({ basePath, route, policy })),
  );
  const parts = { match, cache, obtain: createObtain(cache, limits, heavy), identify, record, overload, publicUrl: '' };
  const listener = createPipeline(
    isFast ? parts : { ...parts, cache: createResponseCache(0, Date.now, counts) },
    reaching,
  );
  return { counted, reached, server: createServer(withContext(listener)) };
};

const sides = { fast: createSide(true), express: createSide(false) };
type Side = (typeof sides)['fast'];

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // no deadline passes, however busy the machine is
  for (const { server } of Object.values(sides)) await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  vi.useRealTimers();
  overload.stop();
  agent.destroy();
  for (const { server } of Object.values(sides)) server.close();
});

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

interface ReceivedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

const without = ({ date, ...others }: IncomingHttpHeaders) => others;

/** An answer, and what was counted for it. */
const ask = async ({ server, counted }: Side, { method, target, headers }: ReceivedRequest) => {
  const { port } = server.address() as AddressInfo;
  const before = counted.length;
  const sent = request({ agent, port, host: '127.0.0.1', method, path: target, headers }).end();
  const [response] = await once(sent, 'response');
  const body = (await buffer(response)).toString('latin1');
  return {
    status: response.statusCode,
    headers: without(response.headers),
    body,
    counted: counted.slice(before),
  };
};

const maybe = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

/** Letters as they are, or percent-encoded. */
const spelt = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: text.length, maxLength: text.length })
    .map((dice) =>
      [...text]
        .map((letter, at) => (dice[at] === 0 ? `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}` : letter))
        .join(''),
    );

const NAMES = ['limit', 'offset', 'color', 'q', 'broker', 'cursor', 'colour', '__proto__'];
const VALUES = [
  '20',
  '0',
  '50',
  '100',
  '101',
  '020',
  'green',
  'alpha',
  'alpha+mark',
  '+',
  'MQ',
  '',
  'é',
  '%',
  '%zz',
  '#',
];
const parameter = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES))
  .chain(([name, value]) => fc.tuple(spelt(name), /[%é#]/.test(value) ? fc.constant(value) : spelt(value)))
  .map(([name, value]) => `${name}=${value}`);
/** Usual parameters, now and then in place of random ones. */
const usual = fc.constantFrom(
  'limit=20',
  'offset=0',
  'limit=50',
  'offset=20',
  'color=green',
  'q=alpha',
  'broker=alpha',
);
const query = fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: parameter }), {
  maxLength: 3,
});
const PATHS = [
  '/search',
  '/brokers',
  '/regulators',
  '/reviews',
  '/news',
  '/complaints',
  '/nothing',
  '/',
  '',
  '/BROKERS',
];
const LEAVES = ['alpha-markets', 'missing', 'broken', 'Alpha', '%61lpha', 'a/b', '', '%', 'a?'];
const path = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('/brokers', '/news', '/search', '/reviews') },
  { weight: 1, arbitrary: fc.constantFrom(...PATHS) },
  fc.tuple(fc.constantFrom('/brokers/', '/regulators/'), fc.constantFrom(...LEAVES)).map((parts) => parts.join('')),
);
const target = fc
  .tuple(path, query, fc.constantFrom('&', '&', '&', '&&'), fc.constantFrom('', '', '', '&', '#', '#x'))
  .map(([at, parts, joint, end]) => `${BASE_PATH}${at}${parts.length > 0 ? `?${parts.join(joint)}` : ''}${end}`);

const CREDENTIALS = ['Bearer alice', 'bearer alice', 'Bearer bad', 'Bearer spent', 'Bearer away', 'Bearer  alice'];
const headers = fc
  .record({
    authorization: maybe(...CREDENTIALS, 'Bearer', 'Bearer alice bob', 'Basic YTpi', 'alice', ''),
    accept: maybe('*/*', 'application/json', 'text/html', 'text/html,*/*;q=0.1', 'x', ''),
    'accept-encoding': maybe('gzip', 'br;q=1, gzip;q=0.8', 'identity', '*;q=0', 'x'),
    'if-none-match': maybe('*', '"x"', 'W/"x"'),
  })
  .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
const method = fc.oneof(
  { weight: 8, arbitrary: fc.constant('GET') },
  fc.constantFrom('HEAD', 'POST', 'OPTIONS', 'DELETE'),
);
const asked = fc
  .record({ method, target, headers })
  .map((given) => ({ ...given, headers: { ...given.headers, 'x-request-id': 'same-on-both' } }) as ReceivedRequest);

const examples: [ReceivedRequest][] = [
  '/search?q=alpha#x',
  '/search?q=#',
  '/brokers?limit=20#',
  '/search?q=alpha\u00a0x',
].map((odd) => [{ method: 'GET', target: `${BASE_PATH}${odd}`, headers: { 'x-request-id': 'same-on-both' } }]);

test('whatever is asked, however it is spelt and by whom: status, headers, bytes and budgets are those of Express', async () => {
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(asked, async (one) => {
      const expected = await ask(sides.express, one);
      expect(await ask(sides.fast, one)).toEqual(expected);
      expect(await ask(sides.fast, one)).toMatchObject({ status: expected.status, body: expected.body }); // when it is ready
      await ask(sides.express, one);
      statuses.add(expected.status);
    }),
    { seed: 13, numRuns: 300, examples },
  );
  expect([...statuses].sort()).toEqual([200, 204, 304, 400, 404, 405, 406, 429, 500]);
});

test.each<[string, Record<string, string>]>([
  ['/brokers?limit=20&offset=0', {}],
  ['/brokers?offset=20&limit=50', {}],
  ['/search?q=%61lpha%20mark', {}],
  ['/brokers/alpha-markets', { authorization: 'Bearer alice' }],
  ['/news?limit=20', { authorization: 'Bearer alice', 'if-none-match': '*' }],
  ['/brokers/alpha-markets', { authorization: 'Bearer bad' }],
])('%s %j does not reach Express', async (path, headers) => {
  const before = sides.fast.reached.length;
  const { status } = await ask(sides.fast, { method: 'GET', target: `${BASE_PATH}${path}`, headers });
  expect([status, sides.fast.reached.length]).toEqual(['if-none-match' in headers ? 304 : 200, before]);
});
