import { createClient } from '@broker-transparency/client';
import { createTestServer, type TestServer } from '@broker-transparency/client/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken, type FilledService, startFilledService, succeeded } from '../support/filled-service.ts';
import { type HttpResponse, type SendOptions, send } from '../support/http.ts';
import { complaintBody, licenseRow, newsRow, reviewBody } from '../support/records.ts';
import { buildReview } from '../support/submissions.ts';

/* Consumers test against the client's test server, so its answers must match those of the real server. */

const LIMIT = 100;

/** A request. `as` names whose token it carries. `{cursor}` and `{etag}` stand for those of the previous answer. */
interface RequestStep extends Omit<SendOptions, 'token' | 'from'> {
  readonly path: string;
  readonly as?: keyof Tokens;
}
interface Tokens {
  readonly verified: string;
  readonly unverified: string;
  readonly complainer: string;
  readonly nonsense: string;
}
interface Side {
  readonly origin: string;
  readonly tokens: Tokens;
}

let service: FilledService;
let double: TestServer;
let sides: readonly [real: Side, double: Side];

const DISCLOSURES = [
  'legalEntity',
  'registerLink',
  'fees',
  'executionPolicy',
  'clientMoney',
  'riskWarning',
  'complaintProcedure',
  'leverage',
  'address',
  'ownership',
];

const { entity: _, ...license } = licenseRow('alpha-markets Ltd', 'fca');

/** A broker of the test server, as the filled service has it. */
const broker = (slug: string, over: object) => ({
  slug,
  name: slug.replace('-', ' '),
  legalName: `${slug} Ltd`,
  website: `https://${slug}.example/`,
  country: 'GB',
  licensesCheckedAt: '2026-01-05T00:00:00Z',
  licenses: [{ regulatorCode: 'fca', ...license, lastVerifiedAt: null, stale: true }],
  reviews: [],
  complaints: { resolved: 0, unresolved: 0 },
  checklist: Object.fromEntries(DISCLOSURES.map((key) => [key, null])),
  ...over,
});

/** A test server with the facts of the filled service. */
const createDouble = (): TestServer =>
  createTestServer({
    now: () => new Date(),
    rateLimit: LIMIT,
    fixtures: {
      regulators: [{ code: 'fca', country: 'GB', tier: 1 }],
      brokers: [
        broker('alpha-markets', { name: 'Alpha Markets', tradingNames: ['Älpha FX'] }),
        broker('beta-trade', { licenses: [] }),
        broker('gamma-fx', { licensesCheckedAt: null }),
      ],
      news: [1, 2, 3].map((number) => newsRow(number, { brokerSlugs: ['alpha-markets'] })),
    },
  });

beforeAll(async () => {
  service = await startFilledService({ PUBLIC_RATE_LIMIT: String(LIMIT) });
  const complainer = await createToken(service, 'carol', { scopes: 'complaints:write' });
  double = createDouble();
  const verified = double.token();
  const author = createClient({ baseUrl: double.baseUrl, fetch: double.fetch, token: verified });
  double.moveReview((await author.reviews.create(buildReview('alpha-markets'))).id, 'published');
  const unverified = double.token({ kyc: 'none' });
  const others = { unverified, complainer: double.token({ scopes: ['complaints:write'] }), nonsense: 'btr_nonsense' };
  sides = [
    { origin: service.origin, tokens: { ...service, complainer, nonsense: 'btr_nonsense' } },
    { origin: await double.listen(), tokens: { verified, ...others } },
  ];
});
afterAll(() => Promise.all([service.remove(), double.close()]));

/** Headers of the connection. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Headers whose values must match. Of the others only the names must. */
const SPOKEN = [
  'content-type',
  'cache-control',
  'allow',
  'www-authenticate',
  'link',
  'location',
  'vary',
  'ratelimit-policy',
  'x-content-type-options',
  'content-security-policy',
  'referrer-policy',
  'cross-origin-resource-policy',
  'strict-transport-security',
];

interface Body {
  readonly [field: string]: unknown;
  readonly errors?: readonly { pointer?: string; parameter?: string; code: string; detail: string }[];
  readonly data?: readonly { slug?: string; title?: string; score?: { value?: number } }[];
  readonly pagination?: { nextCursor?: string | null };
  readonly score?: { value?: number };
}

const listPlaces = ({ errors }: Body) =>
  errors?.map(({ pointer, parameter, code, detail }) => `${pointer ?? parameter} ${code}: ${detail}`);

/** The parts of a body that must match: its fields, an error's code and places, a list's items and a broker's score. */
const createOutline = (body: Body) => ({
  fields: Object.keys(body).sort(),
  code: body['code'],
  title: body['title'],
  detail: body['detail'],
  instance: body['instance'],
  places: listPlaces(body)?.sort(),
  moved: body['moved'],
  unknown: body['unknown'],
  items: body.data?.map(({ slug, title, score }) => [slug, title, score?.value]),
  pagination: body.pagination && { ...body.pagination, nextCursor: typeof body.pagination.nextCursor },
  score: body.score?.value,
});

const outline = ({ status, headers, text, json }: HttpResponse) => ({
  status,
  names: Object.keys(headers)
    .filter((name) => !OWN_HEADERS.has(name))
    .sort(),
  ...Object.fromEntries(SPOKEN.map((name) => [name, headers[name]])),
  link: headers['link']?.replace(/cursor=[^&>]+/, 'cursor=…'), // each side has cursors of its own
  body: text === '' ? '' : createOutline(json<Body>()),
});

/** Sends the requests one after another. */
const walk = async ({ origin, tokens }: Side, steps: readonly RequestStep[]) => {
  const outlines: ReturnType<typeof outline>[] = [];
  let filled: Readonly<Record<string, string>> = {};
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => filled[name] ?? '');
  for (const { path, as, headers = {}, ...asked } of steps) {
    const given = Object.entries(headers).map(([name, value]) => [name, fill(String(value))]);
    const token = as && tokens[as];
    const answer = await send(origin + fill(path), { ...asked, token, headers: Object.fromEntries(given) });
    outlines.push(outline(answer));
    const { pagination } = answer.text === '' ? {} : answer.json<Body>();
    filled = { cursor: pagination?.nextCursor ?? '', etag: answer.headers['etag'] ?? '' };
  }
  return outlines;
};

const v1 = (path: string, more: Omit<RequestStep, 'path'> = {}): RequestStep => ({ path: `/api/v1${path}`, ...more });
const record = (path: string): RequestStep => ({ path: `/transparency/v1/brokers${path}` });
const review = (over: object, more: Omit<RequestStep, 'path'> = {}) =>
  v1('/reviews', { as: 'verified', body: reviewBody('beta-trade', { ...over }), ...more });
const complaint = (over: object, more: Omit<RequestStep, 'path'> = {}) =>
  v1('/complaints', { as: 'complainer', body: complaintBody('beta-trade', { ...over }), ...more });
const key = (value: string) => ({ headers: { 'Idempotency-Key': value } });

const CONVERSATIONS: readonly (readonly [string, ...RequestStep[]])[] = [
  ['all brokers, best first', v1('/brokers')],
  ['pages of brokers', v1('/brokers?limit=1'), v1('/brokers?limit=1&offset=1'), v1('/brokers?limit=1&offset=9')],
  ['brokers of a color', v1('/brokers?color=gray&limit=1'), v1('/brokers?color=green')],
  [
    'brokers by filters',
    v1('/brokers?country=gb&limit=1'),
    v1('/brokers?country=CY'),
    v1('/brokers?regulator=fca'),
    v1('/brokers?status=operating&regulator=fca&color=green'),
    v1('/brokers?residence=gb'),
    v1('/brokers?license=confirmed'),
    v1('/brokers?license=none&warnings=unknown'),
    v1('/brokers?warnings=standing'),
    v1('/brokers?slugs=gamma-fx,nobody,beta-trade&limit=1&offset=1'),
  ],
  [
    'filters that nothing passes',
    v1('/brokers?country=UK'),
    v1('/brokers?regulator=fcaa'),
    v1('/brokers?regulator=nobody'),
    v1('/brokers?status=operatin'),
    v1('/brokers?slugs=Alpha'),
    v1('/brokers?color=GREEN&status='),
  ],
  ['limits of a page', v1('/brokers?limit=0'), v1('/brokers?limit=101'), v1('/brokers?limit=01&offset=-1')],
  ['invalid queries', v1('/brokers?colour=red'), v1('/brokers?color=blue'), v1('/brokers?color=%zz')],
  ['a repeated parameter', v1('/news?limit=1&limit=2')],
  ['a broker', v1('/brokers/alpha-markets'), v1('/brokers/gamma-fx')],
  ['unknown brokers', v1('/brokers/nobody'), v1('/brokers/Alpha'), v1('/brokers/%zz'), v1('/brokers/')],
  [
    'an unchanged broker',
    v1('/brokers/beta-trade'),
    v1('/brokers/beta-trade', { headers: { 'If-None-Match': 'W/{etag}' } }),
  ],
  ['a search', v1('/search?q=alpha'), v1('/search?q=alpah'), v1('/search?q=%C3%A4lpha+fx'), v1('/search?q=nothing')],
  ['a search for two words', v1('/search?q=trade+beta'), v1('/search?q=fx'), v1('/search?q=REF-fca')],
  ['a search for nothing', v1('/search'), v1('/search?q=+')],
  ['a regulator', v1('/regulators/fca'), v1('/regulators/nobody'), v1('/regulators?x=1')],
  ['reviews', v1('/reviews?broker=alpha-markets'), v1('/reviews?broker=beta-trade'), v1('/reviews?broker=nobody')],
  ['invalid queries of lists', v1('/reviews'), v1('/reviews?broker=alpha-markets&cursor=%20'), v1('/news?cursor=abc')],
  ['pages of news', v1('/news?limit=2'), v1('/news?limit=2&cursor={cursor}')],
  ['what was known of a broker', record('/alpha-markets/at'), record('/gamma-fx/at')],
  ['what was known before anything was', record('/alpha-markets/at?knownAt=0'), record('/nobody/at')],
  ['unknown times', record('/alpha-markets/at?knownAt=yesterday'), record('/alpha-markets/at?validAt=7&x=1')],
  ['a history of nobody', record('/nobody/history'), record('/alpha-markets/history?limit=0&from=-1')],
  [
    'no proof',
    record('/alpha-markets/proof?date=2020-01-01'),
    record('/nobody/proof'),
    record('/alpha-markets/proof?date=x'),
  ],
  ['HEAD', v1('/news', { method: 'HEAD' }), v1('/brokers/nobody', { method: 'HEAD' })],
  ['other methods', v1('/brokers', { method: 'DELETE' }), v1('/complaints'), v1('/reviews', { method: 'PUT' })],
  ['OPTIONS', v1('/reviews', { method: 'OPTIONS' }), v1('/brokers/alpha-markets', { method: 'OPTIONS' })],
  ['a preflight', v1('/reviews', { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'POST' } })],
  ['other paths', v1('/nothing'), { path: '/api/v2/brokers' }],
  [
    'accepted media types',
    v1('/news', { headers: { Accept: 'text/html' } }),
    v1('/news', { headers: { Accept: '*/*' } }),
  ],
  [
    'no token',
    v1('/reviews', { body: reviewBody('beta-trade') }),
    v1('/complaints', { body: complaintBody('beta-trade') }),
  ],
  ['another scheme', v1('/reviews', { body: {}, headers: { Authorization: 'Basic abc' } })],
  ['a bad token', review({}, { as: 'nonsense' }), v1('/news', { as: 'nonsense' }), v1('/news', { as: 'complainer' })],
  ['no scope, no identity', review({}, { as: 'complainer' }), review({}, { as: 'unverified' })],
  [
    'a body that does not fit',
    review({ rating: 4.123, title: 'a', more: 1 }),
    review({ rating: 'five', language: null }),
  ],
  ['an empty body', v1('/reviews', { as: 'verified', body: {} }), v1('/complaints', { as: 'complainer', body: [] })],
  ['a body with nested faults', complaint({ amountInDispute: { amount: 1, currency: 'usd' }, category: 'x' })],
  [
    'a body that is no JSON',
    review({}, { body: '{"broker":' }),
    review({}, { body: '"text"' }),
    review({}, { body: '\xff' }),
  ],
  [
    'bodies of other types',
    review({}, { headers: { 'Content-Type': 'text/plain' } }),
    review({}, { headers: { 'Content-Encoding': 'gzip' } }),
    review({ content: 'x'.repeat(70_000) }),
  ],
  ['a POST with a query', review({}, { path: '/api/v1/reviews?x=1' } as object)],
  ['a review of an unknown broker', v1('/reviews', { as: 'verified', body: reviewBody('nobody') })],
  ['a second review', v1('/reviews', { as: 'verified', body: reviewBody('alpha-markets') })],
  ['invalid keys', review({}, key('two words')), review({}, key('x'.repeat(256)))],
  [
    'a review with a key',
    review({}, key('"one"')),
    review({}, key('one')),
    review({ rating: 1 }, key('one')),
    review({}, key('another')),
  ],
  ['a complaint', complaint({}), complaint({}), complaint({ title: 'Another one' }), complaint({}, key('two'))],
];

test.each(CONVERSATIONS.map(([name, ...steps]) => ({ name, steps })))(
  'the test server answers as the service does: $name',
  async ({ steps }) => {
    const [real, other] = await Promise.all(sides.map((side) => walk(side, steps)));
    expect(other).toEqual(real);
  },
);

test('the test server answers a former slug as the service does', async () => {
  succeeded(await service.cli('broker', 'rename', 'gamma-fx', 'delta-fx'));
  double.add({
    brokers: [broker('delta-fx', { name: 'gamma fx', licensesCheckedAt: null })],
    formerSlugs: { 'gamma-fx': 'delta-fx' },
  });
  const steps = [
    v1('/brokers/gamma-fx'),
    v1('/brokers/gamma-fx', { method: 'HEAD' }),
    v1('/brokers/gamma-fx', { headers: { 'If-None-Match': '*' } }),
    v1('/brokers?slugs=gamma-fx,alpha-markets'),
    v1('/reviews?limit=5&broker=gamma-fx'),
    v1('/reviews?broker=gamma-fx&limit=0'),
    v1('/reviews', { as: 'verified', body: reviewBody('gamma-fx') }),
    v1('/reviews', { as: 'verified', body: reviewBody('delta-fx') }),
    v1('/complaints', { as: 'complainer', body: complaintBody('gamma-fx') }),
  ];
  const [real, other] = await Promise.all(sides.map((side) => walk(side, steps)));
  expect(real?.map(({ status }) => status)).toEqual([308, 308, 308, 200, 308, 400, 201, 409, 201]);
  expect(other).toEqual(real);
});

test('the test server ends the budget as the service does', async () => {
  const ask = async ({ origin, tokens }: Side) => {
    const path = `${origin}/api/v1/brokers?limit=1`;
    for (let used = 1; ; used++) {
      const answer = await send(path, { token: tokens.unverified });
      if (answer.status !== 200 || used > LIMIT) return outline(answer);
    }
  };
  const [real, other] = await Promise.all(sides.map(ask));
  expect(real?.status).toBe(429);
  expect(other).toEqual(real);
});
