import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Document, openApiBreaks } from './compare-openapi.ts';
import { typeBreaks } from './compare-types.ts';

/** A small API: one answer with a field of each kind, one request. */
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
    'an answer that may be null now',
    field(text),
    field({ type: ['string', 'null'] }),
    ['GET /brokers: answer 200.color was string and is string or null, or changed inside'],
  ],
])('%s is a break', (_, before, now, breaks) => {
  expect(openApiBreaks(api(before), api(now))).toEqual(breaks);
});

test.each([
  ['a new answer field', {}, field(text)],
  ['a new value of an answer', field({ enum: ['red'] }), field({ enum: ['red', 'green'] })],
  ['an answer that is never null any more', field({ anyOf: [text, { type: 'null' }] }), field(text)],
])('%s is no break', (_, before, now) => {
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
])('in a request: %s', (_, before, now, breaks) => {
  expect(openApiBreaks(api({}, before), api({}, now))).toEqual(breaks);
});

test('parameters and routes: what is gone or newly required', () => {
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
export { createClient };
export type { Broker, ClientOptions };
`;

const typesAfter = async (from: string, to: string): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'compare-'));
  try {
    return await typeBreaks(BEFORE, BEFORE.replace(from, to), folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

test('types: a field, an option or an export that is gone is named', async () => {
  const answer = await typesAfter('name: string;', '');
  expect(answer.map((one) => one.split(':')[0])).toEqual(['createClient', 'Broker', 'Broker']);
  expect(answer.join()).toContain("Property 'name' is missing");
  expect((await typesAfter('country?: string;', '')).join()).toContain('"country"');
  expect((await typesAfter('token?: string;', '')).join()).toContain('ClientOptions');
  expect((await typesAfter('export { createClient };', '')).join()).toContain("no exported member 'createClient'");
});

test('types: what is added or takes more is no break', async () => {
  expect(await typesAfter('name: string;', 'name: string; website?: string;')).toEqual([]);
  expect(await typesAfter('token?: string;', 'token?: string | (() => string);')).toEqual([]);
  expect((await typesAfter('token?: string;', 'token: string;')).length).toBeGreaterThan(0);
});
