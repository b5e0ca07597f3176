import {
  accountOpenApiDocument,
  type JsonSchema,
  openApiDocument,
  recordOpenApiDocument,
} from '@broker-transparency/contract/openapi';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../languages.ts';
import { findBody, listCalls, listResponses, referencePath, resolveSchema } from './reference.ts';
import { findOpenAddress, writeSample } from './samples.ts';
import { describeType, renderFields } from './schema.ts';

const server = { serverUrl: 'https://brokers.example', version: '1.0.0' };
const api = { name: 'api', path: '/openapi.json', document: openApiDocument(server) };
const record = { name: 'record', path: '/openapi-record.json', document: recordOpenApiDocument(server) };
const account = { name: 'account', path: '/openapi-account.json', document: accountOpenApiDocument(server) };
const describing = { document: api.document, texts: LANGUAGES[0].texts };
const findCall = (slug: string) => {
  const call = [...listCalls(api), ...listCalls(record), ...listCalls(account)].find((one) => one.slug === slug);
  if (!call) throw new Error(`no call ${slug}`);
  return call;
};

test('each call has an address of its own', () => {
  const paths = [...listCalls(api), ...listCalls(record), ...listCalls(account)].map((call) =>
    referencePath(call.api, call),
  );
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths).toContain('/docs/reference/api/brokers-get');
  expect(paths).toContain('/docs/reference/record/service-level-day');
});

describe('types', () => {
  test.each([
    [{ type: 'string', format: 'uri' }, 'string (uri)'],
    [{ type: 'number', format: 'double' }, 'number'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer'],
    [{ type: ['string', 'null'] }, 'string'],
    [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, 'integer or string'],
    [{ type: 'array', items: { $ref: '#/components/schemas/License' } }, 'list of License'],
    [{ $ref: '#/components/schemas/Score' }, 'Score'],
    [{ $ref: '#/components/schemas/Slug' }, 'string'],
    [{ const: 'a' }, '"a"'],
    [{}, 'any value'],
  ])('%j is %s', (schema, words) => {
    expect(describeType(schema, describing)).toBe(words);
  });
});

test('fields say whether they may be null or left out, which values there are, and what they keep to', () => {
  const schema = {
    type: 'object',
    required: ['a', 'b'],
    properties: {
      a: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'How `many`.' },
      b: { anyOf: [{ type: 'string', enum: ['x', 'y'] }, { type: 'null' }] },
      c: { type: 'string', 'x-extensible-enum': ['<z>'], minLength: 2 },
    },
  };
  const { text } = renderFields(schema, describing);
  expect(text).toContain('<dt><code>a</code> <span class="soft">integer</span></dt>');
  expect(text).toContain('How <code>many</code>.');
  expect(text).toContain('1 to 100; 20 by default');
  expect(text).toContain('<dt><code>b</code> <span class="soft">string, or null</span></dt>');
  expect(text).toContain('One of these: <code>x</code>, <code>y</code>');
  expect(text).toContain('<dt><code>c</code> <span class="soft">string, may be left out</span></dt>');
  expect(text).toContain('there may be more later: <code>&lt;z&gt;</code>');
  expect(text).toContain('at least 2 characters');
});

test('each field of each answer is described, down to the last object', () => {
  const named = (schema: JsonSchema, above: readonly JsonSchema[] = []): string[] => {
    const { properties = {}, items, anyOf = [] } = resolveSchema(api.document, schema);
    const inner = [...Object.values(properties), ...(items ? [items] : []), ...anyOf];
    return above.includes(schema)
      ? []
      : [...Object.keys(properties), ...inner.flatMap((one) => named(one, [...above, schema]))];
  };
  for (const call of listCalls(api))
    for (const { content } of listResponses(call)) {
      const body = findBody(api.document, content);
      if (!body) continue;
      const { text } = renderFields(body.schema, describing);
      for (const name of named(body.schema)) expect(text).toContain(`<dt><code>${name}</code>`);
    }
});

test('a schema that contains itself is opened once', () => {
  const node = { type: 'object', properties: { inner: { $ref: '#/components/schemas/Node' } } };
  const document = { ...api.document, components: { ...api.document.components, schemas: { Node: node } } };
  const { text } = renderFields({ $ref: '#/components/schemas/Node' }, { document, texts: LANGUAGES[0].texts });
  expect(text.split('<code>inner</code>')).toHaveLength(2);
});

describe('samples', () => {
  test('samples name the credential, and never have it', () => {
    for (const language of ['curl', 'typescript', 'python'] as const) {
      const sample = writeSample(findCall('reviews-create'), language);
      expect(sample).toContain('TOKEN');
      expect(sample).toContain('Withdrawals');
    }
  });

  test('samples are written for their language', () => {
    const call = findCall('brokers-list');
    expect(writeSample(call, 'curl')).toBe('curl "https://brokers.example/api/v1/brokers?color=green&limit=2"\n');
    expect(writeSample(call, 'typescript')).toContain(
      "const client = createClient({ baseUrl: 'https://brokers.example/api/v1' });\nconsole.log(await client.brokers.list({ color: 'green', limit: 2 }));",
    );
    expect(writeSample(call, 'python')).toContain('"https://brokers.example/api/v1/brokers?color=green&limit=2",');
    expect(writeSample(findCall('complaints-create'), 'python')).toContain('"consentToForward": True');
  });

  test('a sample of a call about own submissions gives the client the token and the family of calls', () => {
    expect(writeSample(findCall('reviews-withdraw'), 'typescript')).toMatch(
      /^import \{ account \} from '@broker-transparency\/client\/account';$[\s\S]+token: process\.env\.TOKEN \?\? '', with: \[account\(\)\] \}\);$[\s\S]+client\.account\.reviews\.withdraw\('/m,
    );
  });

  test('opens only what anybody may read', () => {
    expect(findOpenAddress(findCall('brokers-get'))).toBe('https://brokers.example/api/v1/brokers/alpha-markets');
    expect(findOpenAddress(findCall('reviews-create'))).toBeUndefined();
  });
});
