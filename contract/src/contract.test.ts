import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { BROKER_STATUSES } from './brokers.ts';
import { COMPLAINT_CATEGORIES, ComplaintSubmission } from './complaints.ts';
import { BASE_PATH, contract } from './contract.ts';
import { ENDED_LICENSE_STATUSES } from './licenses.ts';
import { CACHES, LIMITS, type RouteMeta } from './metadata.ts';
import { ReviewSubmission } from './reviews.ts';
import { listRoutes } from './route.ts';
import { COLORS, LICENSE_STATUSES } from './score/methodology.ts';
import { SEARCH_RESULTS } from './search.ts';

/** Every route by its name, at any depth, so that a tenth one is not overlooked. */
const routes = listRoutes(contract);

/** The nine endpoints of the specification. `codes` leaves out those that every route has. */
const own = {
  post: [
    'malformed_json',
    'authentication_required',
    'invalid_token',
    'insufficient_scope',
    'broker_not_found',
    'state_conflict',
    'idempotency_in_progress',
    'content_too_large',
    'unsupported_media_type',
    'idempotency_key_reused',
  ],
};
const endpoints: Record<string, { route: string; query: string[]; codes: string[] }> = {
  search: { route: 'GET /search', query: ['q'], codes: [] },
  'brokers.list': {
    route: 'GET /brokers',
    query: [
      'limit',
      'offset',
      'color',
      'country',
      'regulator',
      'status',
      'residence',
      'license',
      'warnings',
      'sort',
      'slugs',
      'updatedSince',
    ],
    codes: [],
  },
  'brokers.get': { route: 'GET /brokers/:slug', query: [], codes: ['broker_not_found'] },
  'regulators.list': { route: 'GET /regulators', query: [], codes: [] },
  'regulators.get': { route: 'GET /regulators/:code', query: [], codes: ['regulator_not_found'] },
  'reviews.list': { route: 'GET /reviews', query: ['broker', 'limit', 'cursor'], codes: ['broker_not_found'] },
  'reviews.create': { route: 'POST /reviews', query: [], codes: [...own.post, 'kyc_required', 'review_exists'] },
  'complaints.create': { route: 'POST /complaints', query: [], codes: own.post },
  'news.list': { route: 'GET /news', query: ['limit', 'cursor'], codes: [] },
};

const common = [
  'invalid_request',
  'bad_request',
  'not_acceptable',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
];

test('the contract has exactly the nine endpoints of the specification, under /api/v1', () => {
  expect(BASE_PATH).toBe('/api/v1');
  expect(Object.fromEntries(routes.map(([place, { method, path }]) => [place, `${method} ${path}`]))).toEqual(
    Object.fromEntries(Object.entries(endpoints).map(([place, { route }]) => [place, route])),
  );
});

describe.each(routes)('%s', (place, route) => {
  const metadata = route.metadata as RouteMeta;
  const isPost = route.method === 'POST';

  test('a route has a summary and a policy', () => {
    expect(route.summary).toMatch(/^[A-Z].{10,}[^.]$/);
    expect(LIMITS).toHaveProperty(metadata.limit);
    expect(CACHES).toHaveProperty(metadata.cache);
  });

  test('needs a token, a body and idempotency if it is a POST, and is cached otherwise', () => {
    expect(metadata.access !== 'public').toBe(isPost);
    expect(metadata.cache).toBe(isPost ? 'none' : 'catalog');
    expect(metadata.shows !== undefined).toBe(metadata.cache !== 'none');
    expect(metadata.idempotency !== undefined).toBe(isPost);
    expect(route.headers !== undefined).toBe(isPost);
    expect(route.body !== undefined).toBe(isPost);
  });

  test('answers one success status and its own problems', () => {
    const statuses = Object.keys(route.responses).map(Number);
    expect(statuses.filter((status) => status < 400)).toEqual([isPost ? 201 : 200]);
    const codes = statuses
      .filter((status) => status >= 400)
      .flatMap((status) => (route.responses[status] as unknown as { shape: { code: z.ZodEnum } }).shape.code.options);
    expect(codes.sort()).toEqual([...common, ...(endpoints[place]?.codes ?? [])].sort());
  });

  test('takes the query parameters of the specification', () => {
    const { shape = {} } = route.query as Partial<z.ZodObject>;
    expect(Object.keys(shape)).toEqual(endpoints[place]?.query);
  });

  test('refuses unknown parameters and fields', () => {
    for (const schema of [route.pathParams, route.query, route.body].filter((part) => part !== undefined)) {
      const issues = (schema as z.ZodType).safeParse({ surprise: '1' }).error?.issues ?? [];
      expect(issues.filter(({ code }) => code === 'unrecognized_keys')).toMatchObject([{ keys: ['surprise'] }]);
    }
  });

  test('names its path parameters', () => {
    const named = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    const params = route.pathParams === undefined ? [] : Object.keys((route.pathParams as z.ZodObject).shape);
    expect(params).toEqual(named);
  });
});

test('a review needs a verified identity, and a complaint does not', () => {
  expect(contract.reviews.create.metadata).toMatchObject({
    access: { scope: 'reviews:write', kyc: true },
    idempotency: 'key',
  });
  expect(contract.complaints.create.metadata).toMatchObject({
    access: { scope: 'complaints:write', kyc: false },
    idempotency: 'key-or-body',
  });
});

test('the contract has the limits of the specification', () => {
  expect(LIMITS.public).toEqual({ requests: 60, windowSeconds: 60 });
  expect(SEARCH_RESULTS).toBe(20);
});

const text = (length: number) => 'x'.repeat(length);

const manySlugs = (count: number) => Array.from({ length: count }, (_, n) => `broker-${100 + n}`).join(',');

describe('queries', () => {
  const queries = {
    '/search': contract.search.query,
    '/brokers': contract.brokers.list.query,
    '/reviews': contract.reviews.list.query,
    '/news': contract.news.list.query,
  };
  test.each<[keyof typeof queries, object, object | null]>([
    ['/search', { q: ' alpha ' }, { q: 'alpha' }],
    ['/search', { q: text(100) }, { q: text(100) }],
    ['/search', {}, null],
    ['/search', { q: '' }, null],
    ['/search', { q: '  ' }, null],
    ['/search', { q: text(101) }, null],
    ['/search', { q: ['a', 'b'] }, null],
    ['/brokers', {}, { limit: 20, offset: 0 }],
    ['/brokers', { limit: '1', offset: '100000', color: 'green' }, { limit: 1, offset: 100_000, color: 'green' }],
    ...COLORS.map((color): [keyof typeof queries, object, object] => [
      '/brokers',
      { color },
      { limit: 20, offset: 0, color },
    ]),
    ['/brokers', { limit: '0' }, null],
    ['/brokers', { limit: '101' }, null],
    ...[
      ...[
        '',
        ' ',
        '+',
        '\t',
        '\0',
        '1\0',
        '\uFEFF1',
        '-1',
        '-0',
        '00',
        '01',
        '+1',
        '1.0',
        '1.5',
        '.5',
        '1e1',
        '0x10',
        '0b1',
      ],
      ...['\uFF11', '1_000', '1,000', '2147483648', '4294967296', '9007199254740993', '999999999999999999999', '1e400'],
      ...[
        'NaN',
        'Infinity',
        '-Infinity',
        'null',
        'true',
        'undefined',
        '[]',
        '{}',
        '$ne',
        '{"$gt":0}',
        '__proto__',
        "' OR 1=1--",
      ],
    ].flatMap((odd): [keyof typeof queries, object, null][] => [
      ['/brokers', { limit: odd }, null],
      ['/brokers', { offset: odd }, null],
      ['/brokers', { color: odd }, null],
      ['/reviews', { broker: 'alpha', limit: odd }, null],
      ['/news', { limit: odd }, null],
    ]),
    ['/brokers', { offset: '100001' }, null],
    ['/brokers', { offset: '-1' }, null],
    ['/brokers', { color: 'Green' }, null],
    ['/brokers', { color: 'blue' }, null],
    ['/brokers', { color: '' }, null],
    ['/brokers', { color: ['green', 'red'] }, null],
    ['/brokers', { color: { $ne: 'red' } }, null],
    ['/brokers', { colour: 'green' }, null],
    ...['GB', 'gb', 'Gb'].map((country): [keyof typeof queries, object, object] => [
      '/brokers',
      { country },
      { limit: 20, offset: 0, country: 'GB' },
    ]),
    ...['', 'G', 'GBR', 'UK', 'uk', 'EL', 'G1', 'ＧＢ', 'GB,CY', ' GB', ['GB']].map(
      (country): [keyof typeof queries, object, null] => ['/brokers', { country }, null],
    ),
    ['/brokers', { regulator: 'fsc-mu' }, { limit: 20, offset: 0, regulator: 'fsc-mu' }],
    ['/brokers', { regulator: 'FCA' }, null],
    ['/brokers', { regulator: 'fca,cysec' }, null],
    ...BROKER_STATUSES.map((status): [keyof typeof queries, object, object] => [
      '/brokers',
      { status },
      { limit: 20, offset: 0, status },
    ]),
    ['/brokers', { status: 'Operating' }, null],
    ['/brokers', { status: 'removed' }, null],
    ['/brokers', { residence: 'de' }, { limit: 20, offset: 0, residence: 'DE' }],
    ['/brokers', { residence: 'UK' }, null],
    ['/brokers', { license: 'confirmed' }, { limit: 20, offset: 0, license: 'confirmed' }],
    ['/brokers', { license: '1' }, { limit: 20, offset: 0, license: '1' }],
    ['/brokers', { license: '5' }, null],
    ['/brokers', { license: 'true' }, null],
    ['/brokers', { warnings: 'standing' }, { limit: 20, offset: 0, warnings: 'standing' }],
    ['/brokers', { warnings: 'none' }, null],
    ['/brokers', { slugs: 'alpha' }, { limit: 20, offset: 0, slugs: ['alpha'] }],
    ['/brokers', { slugs: 'beta,alpha,beta' }, { limit: 20, offset: 0, slugs: ['alpha', 'beta'] }],
    ['/brokers', { slugs: manySlugs(50) }, { limit: 20, offset: 0, slugs: manySlugs(50).split(',') }],
    ...['', ',', 'alpha,', 'alpha,,beta', 'alpha, beta', 'Alpha', 'alpha;beta', text(81), manySlugs(51), ['alpha']].map(
      (slugs): [keyof typeof queries, object, null] => ['/brokers', { slugs }, null],
    ),
    ['/brokers', { updatedSince: '0' }, { limit: 20, offset: 0, updatedSince: 0 }],
    ['/brokers', { updatedSince: '17', offset: '0' }, { limit: 20, offset: 0, updatedSince: 17 }],
    ['/brokers', { updatedSince: '17', offset: '1' }, null],
    ...['', '-1', '1.5', '017', '1000000000', '2026-11-01', ['1']].map(
      (updatedSince): [keyof typeof queries, object, null] => ['/brokers', { updatedSince }, null],
    ),
    ['/brokers', { sort: 'newest_change' }, { limit: 20, offset: 0, sort: 'newest_change' }],
    ['/brokers', { sort: 'score' }, null],
    ['/brokers', { sort: 'newest_change', updatedSince: '0' }, null],
    ['/brokers', { slug: 'alpha' }, null],
    ['/brokers', { 'color[$ne]': 'red' }, null],
    ['/reviews', { broker: 'alpha' }, { broker: 'alpha', limit: 20 }],
    ['/reviews', {}, null],
    ['/reviews', { broker: 'Alpha' }, null],
    ['/reviews', { broker: ['a', 'b'] }, null],
    ['/reviews', { broker: 'alpha', cursor: '' }, null],
    ['/reviews', { broker: 'alpha', offset: '1' }, null],
    ['/news', {}, { limit: 20 }],
    ['/news', { limit: '100', cursor: '1.abc' }, { limit: 100, cursor: '1.abc' }],
    ['/news', { broker: 'alpha' }, null],
  ])('%s takes or refuses %j', (path, input, expected) => {
    const result = (queries[path] as z.ZodType).safeParse(input);
    expect(result.success ? result.data : null).toEqual(expected);
  });
});

test.each([
  [{ country: 'uk' }, 'not_one_of', 'must be an ISO 3166-1 alpha-2 code; did you mean "GB"?'],
  [{ slugs: 'alpha,Beta Trade!' }, 'invalid_format', /joined by commas; did you mean "beta-trade"\?$/],
  [{ slugs: 'alpha,' }, 'invalid_format', 'must be slugs such as alpha-markets, joined by commas'],
  [{ slugs: manySlugs(51) }, 'too_big', 'must have at most 50 slugs, not 51'],
  [{ offset: '20', updatedSince: '0' }, 'too_big', /^must be 0 with "updatedSince": "updates\.next" of an answer/],
])('the fault of %j says what to send instead', (query, code, message) => {
  const issues = contract.brokers.list.query.safeParse(query).error?.issues ?? [];
  expect(issues).toEqual([
    expect.objectContaining({
      path: Object.keys(query).slice(0, 1),
      params: { code },
      message: expect.stringMatching(message),
    }),
  ]);
});

/** Values that no text field takes. */
const NO_TEXT = [
  true,
  0,
  1.5,
  [],
  {},
  ['a'],
  { $gt: '' },
  { $regex: '.*' },
  { length: 5 },
  '  ',
  '\0',
  '\ud800',
  '\u200b'.repeat(30),
];

/** Values of a field that the schema takes and refuses. It also refuses a submission without a `required` field. */
interface Field {
  readonly required: boolean;
  readonly taken: readonly unknown[];
  readonly refused: readonly unknown[];
}
const broker: Field = {
  required: true,
  taken: ['alpha-markets', text(80)],
  refused: [
    ...NO_TEXT,
    '',
    'Alpha',
    text(81),
    { $ne: '' },
    '../alpha',
    'alpha ',
    '-alpha',
    'alpha-',
    'a--b',
    '$ne',
    'a/b',
    '%61',
  ],
};
const title: Field = {
  required: true,
  taken: [text(3), text(120), ' x x '],
  refused: [...NO_TEXT, '', text(2), ' xx ', text(121), 'a\0bc'],
};
const content: Field = {
  required: true,
  taken: [text(20), text(5000)],
  refused: [...NO_TEXT, '', text(19), text(5001), `${text(30)}\ud800`, `${text(30)}\udfff`, `${text(30)}\0`],
};

const submissions: Record<string, { schema: z.ZodObject; whole: object; fields: Record<string, Field> }> = {
  ReviewSubmission: {
    schema: ReviewSubmission,
    whole: { broker: 'alpha-markets', rating: 4.5, title: 'Good enough', content: text(40), language: 'en' },
    fields: {
      broker,
      rating: {
        required: true,
        taken: [1, 1.01, 4.55, 5],
        refused: [0, 0.99, 5.01, 6, -1, 1e3, 4.555, 1e-300, '4', Number.NaN, 1 / 0, -1 / 0, true, [4], {}],
      },
      title,
      content,
      language: {
        required: true,
        taken: ['en', 'pt-BR'],
        refused: [...NO_TEXT, '', 'EN', 'english', 'e', 'en_US', 'en-us', 'x-private', 'en-US-', '*'],
      },
    },
  },
  ComplaintSubmission: {
    schema: ComplaintSubmission,
    whole: {
      broker: 'alpha-markets',
      category: 'withdrawal',
      title: 'Withdrawal refused',
      content: text(40),
      consentToForward: true,
    },
    fields: {
      broker,
      category: { required: true, taken: COMPLAINT_CATEGORIES, refused: ['', 'Withdrawal', 'theft', ['other']] },
      title,
      content,
      amountInDispute: {
        required: false,
        taken: [{ amount: '250.00', currency: 'USD' }],
        refused: [
          ...[250, '250.00', [], {}, { amount: '250.00' }, { amount: '250.00', currency: 'USD', note: '' }],
          ...['250', '-1.00', '1e3.00', '9999999999999.00', '1.00\n', 250].map((amount) => ({
            amount,
            currency: 'USD',
          })),
          { amount: '1.00', currency: 'usd' },
        ],
      },
      occurredAt: {
        required: false,
        taken: ['2026-10-01T00:00:00Z'],
        refused: [
          ...['2026-10-01', '2026-10-01T00:00:00+01:00', '2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', 'yesterday'],
          ...['2026-01-01T24:00:00Z', '2016-12-31T23:59:60Z', '+275760-09-13T00:00:00Z', 1_790_000_000, { $date: 0 }],
        ],
      },
      desiredResolution: { required: false, taken: [text(3), text(1000)], refused: ['', 5, text(2), text(1001)] },
      consentToForward: { required: true, taken: [true, false], refused: ['true', 1, 0, '', []] },
    },
  },
};

describe.each(Object.entries(submissions))('%s', (_, { schema, whole, fields }) => {
  const takes = (value: unknown): boolean => schema.safeParse(value).success;

  test('a submission has every field in the table, and a valid example', () => {
    expect(Object.keys(fields)).toEqual(Object.keys(schema.shape));
    expect(takes(whole)).toBe(true);
    expect((schema.meta()?.['examples'] as object[] | undefined)?.map(takes)).toEqual([true]);
  });

  test.each(Object.entries(fields))('checks the field %s', (name, { required, taken, refused }) => {
    for (const value of taken) expect(takes({ ...whole, [name]: value }), JSON.stringify(value)).toBe(true);
    for (const value of [...refused, null]) {
      const issues = schema.safeParse({ ...whole, [name]: value }).error?.issues ?? [];
      expect(
        issues.map(({ path }) => path[0]),
        JSON.stringify(value),
      ).toEqual(issues.map(() => name));
      expect(issues, JSON.stringify(value)).not.toEqual([]);
    }
    const without = Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name));
    expect(takes(without)).toBe(!required);
  });

  test.each(['status', 'id', 'account', 'Broker', 'kyc', '$set', 'constructor', 'toString'])(
    'refuses the field %s',
    (key) => {
      expect(schema.safeParse({ ...whole, [key]: 'published' }).error?.issues).toMatchObject([
        { code: 'unrecognized_keys', keys: [key] },
      ]);
    },
  );

  test('refuses __proto__ from JSON, and takes no inherited field', () => {
    const body = JSON.stringify(whole).replace('{', '{"__proto__":{"rating":5},');
    expect(schema.safeParse(JSON.parse(body)).error?.issues).toMatchObject([
      { code: 'unrecognized_keys', keys: ['__proto__'] },
    ]);
  });

  test.each([null, undefined, [], 'text', 1, true])('refuses %j', (body) => expect(takes(body)).toBe(false));
});

describe('Idempotency-Key', () => {
  const headers = contract.reviews.create.headers;
  const takes = (key: unknown): boolean => headers.safeParse({ 'idempotency-key': key }).success;

  const good = [undefined, 'a', '"quoted"', '0f8fad5b-d9cb-469f-a165-70867728950e', text(255), `"${text(255)}"`];
  test.each(good)('takes %j', (key) => {
    expect(takes(key)).toBe(true);
  });
  const bad = ['', '""', '"', '"a', ' ', 'a b', 'é', 'a\n', 'a\0', text(256), `"${text(256)}"`, ['a', 'b'], 1];
  test.each(bad)('refuses %j', (key) => {
    expect(takes(key)).toBe(false);
  });
  test('the Idempotency-Key is optional beside other headers, and the same for both POSTs', () => {
    expect(headers.safeParse({ accept: '*/*' }).success).toBe(true);
    expect(contract.complaints.create.headers).toBe(headers);
  });
});

test('lists of states agree with each other', () => {
  expect(LICENSE_STATUSES).toEqual(expect.arrayContaining([...ENDED_LICENSE_STATUSES]));
  expect([...BROKER_STATUSES]).toEqual(['operating', 'ceased', 'merged', 'suspected_clone']);
  expect(contract.brokers.list.query.shape.color.unwrap().options).toEqual([...COLORS]);
});
