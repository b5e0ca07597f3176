import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Document, openApiBreaks } from './compare-openapi.ts';
import { type Declarations, typeBreaks } from './compare-types.ts';

/** A small API with one answer and one request. */
const api = (
  answer: Record<string, unknown>,
  request: Record<string, unknown> = {},
  query: object[] = [],
): Document => ({
  paths: {
    '/brokers': {
      get: {
        parameters: query as { name: string; in: string }[],
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Broker' } } } },
        },
      },
      post: { requestBody: { content: { 'application/json': { schema: request } } }, responses: {} },
    },
  },
  components: { schemas: { Broker: { type: 'object', ...answer } } },
});

const field = (schema: object, required = true) => ({
  properties: { color: schema },
  required: required ? ['color'] : [],
});
const text = { type: 'string' };

test.each([
  ['a removed answer field', field(text), {}, ['GET /brokers: answer 200.color is gone']],
  [
    'an answer field of another type',
    field(text),
    field({ type: 'integer' }),
    ['GET /brokers: answer 200.color was string and is integer'],
  ],
  [
    'an answer field that may be missing',
    field(text),
    field(text, false),
    ['GET /brokers: answer 200.color may be missing now'],
  ],
  [
    'a removed value of an answer',
    field({ enum: ['red', 'green'] }),
    field({ enum: ['red'] }),
    ['GET /brokers: answer 200.color has no value "green" any more'],
  ],
  [
    'a removed value of an answer whose enum may grow',
    field({ ...text, 'x-extensible-enum': ['red', 'green'] }),
    field({ ...text, 'x-extensible-enum': ['red'] }),
    ['GET /brokers: answer 200.color has no value "green" any more'],
  ],
  [
    'an enum of an answer that may grow now',
    field({ ...text, enum: ['red'] }),
    field({ ...text, 'x-extensible-enum': ['red'] }),
    ['GET /brokers: answer 200.color no longer has certain values only'],
  ],
  [
    'an answer that may be null now',
    field(text),
    field({ type: ['string', 'null'] }),
    ['GET /brokers: answer 200.color was string and is string or null, or changed inside'],
  ],
])('reports %s as a break', (_, before, now, breaks) => {
  expect(openApiBreaks(api(before), api(now))).toEqual(breaks);
});

test.each([
  ['a new answer field', {}, field(text)],
  ['a new value of an answer', field({ enum: ['red'] }), field({ enum: ['red', 'green'] })],
  [
    'an answer whose enum may grow no more',
    field({ ...text, 'x-extensible-enum': ['red'] }),
    field({ ...text, enum: ['red'] }),
  ],
  ['an answer that is never null any more', field({ anyOf: [text, { type: 'null' }] }), field(text)],
])('does not report %s as a break', (_, before, now) => {
  expect(openApiBreaks(api(before), api(now))).toEqual([]);
});

test.each([
  ['a new required field', {}, field(text), ['POST /brokers: the body.color is now required']],
  ['a removed field', field(text, false), {}, ['POST /brokers: the body.color is gone']],
  [
    'a removed value',
    field({ enum: ['red', 'green'] }),
    field({ enum: ['red'] }),
    ['POST /brokers: the body.color has no value "green" any more'],
  ],
  [
    'a lower maximum',
    field({ type: 'integer', maximum: 5 }),
    field({ type: 'integer', maximum: 4 }),
    ['POST /brokers: the body.color has a lower maximum'],
  ],
  ['a new optional field', {}, field(text, false), []],
  ['a new value', field({ enum: ['red'] }), field({ enum: ['red', 'green'] }), []],
])('judges a request: %s', (_, before, now, breaks) => {
  expect(openApiBreaks(api({}, before), api({}, now))).toEqual(breaks);
});

test('reports removed parameters and routes, and newly required parameters', () => {
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
  expect(openApiBreaks(api({}, {}, [limit]), api({}, {}, []))).toEqual(['GET /brokers: query parameter limit is gone']);
  expect(openApiBreaks(api({}, {}, []), api({}, {}, [{ ...limit, required: true }]))).toEqual([
    'GET /brokers: query parameter limit is now required',
  ]);
  expect(openApiBreaks(api({}), { ...api({}), paths: {} })).toEqual(['GET /brokers is gone', 'POST /brokers is gone']);
});

const BEFORE = `
interface Broker { name: string; country?: string; }
interface ClientOptions { baseUrl: string; token?: string; }
declare const createClient: (options: ClientOptions) => { get: (slug: string) => Promise<Broker> };
declare const VERSION: string;
export { createClient, VERSION };
export type { Broker, ClientOptions };
`;

const declared = (text: string): Declarations => ({ files: { 'index.d.ts': text }, entries: { '.': 'index.d.ts' } });

const typesAfter = async (...changes: readonly (readonly [from: string, to: string])[]): Promise<string[]> => {
  const now = changes.reduce((text, [from, to]) => text.replace(from, to), BEFORE);
  const folder = await mkdtemp(join(tmpdir(), 'compare-'));
  try {
    return await typeBreaks(declared(BEFORE), declared(now), folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

test('ignores a changed comment without running the compiler', async () => {
  const parts = (comment: string, hash: string): Declarations => ({
    files: {
      'index.d.ts': `export type { Broker } from './broker-${hash}.js';\n`,
      [`broker-${hash}.d.ts`]: `${comment}interface Broker {\n    ${comment}name: string;\n}\nexport type { Broker };\n`,
    },
    entries: { '.': 'index.d.ts' },
  });
  const before = parts('/** Before. */\n', 'Ab3_dE-9');
  const now = parts('/**\n * Now.\n * @example one\n */\n', 'Zz3_dE-9');
  expect(await typeBreaks(before, now, '/dev/null')).toEqual([]);
});

const SLOW = 180_000; // each runs the compiler once or twice

test(
  'reports a removed field, option or export by name',
  async () => {
    const breaks = await typesAfter(
      ['name: string;', 'name: number;'],
      ['country?: string;', ''],
      ['token?: string;', ''],
      [', VERSION', ''],
    );
    expect([...new Set(breaks.map((one) => one.split(':')[0]))].sort()).toEqual([
      'Broker',
      'ClientOptions',
      'VERSION',
      'createClient',
    ]);
    for (const said of ["'name' are incompatible", '"country"', '"token"']) expect(breaks.join('\n')).toContain(said);
  },
  SLOW,
);

test(
  'does not report added fields or wider options',
  async () => {
    const more = ['token?: string;', 'token?: string | (() => string);'] as const;
    expect(await typesAfter(['name: string;', 'name: string; website?: string;'], more)).toEqual([]);
  },
  SLOW,
);
