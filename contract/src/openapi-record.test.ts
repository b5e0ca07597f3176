import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  BrokerAt,
  BrokerHistory,
  BrokerProof,
  CanaryMark,
  LIMITS,
  ModerationTransparency,
  Moved,
  OpeningList,
  ProvenEntries,
  ServiceLevelEntry,
  TRANSPARENCY_BASE_PATH,
  transparencyContract,
  WrittenMark,
} from './index.ts';
import { openApiDocument, recordOpenApiDocument } from './openapi.ts';

const { moderation: _, ...groups } = transparencyContract;
const server = { serverUrl: 'https://brokers.test/', version: '1.2.3' };
const document = recordOpenApiDocument(server);
const text = JSON.stringify(document);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('the document has every route of the record, below its own address', () => {
  expect(operations.map(({ operation, method, path }) => `${operation.operationId} ${method} ${path}`)).toEqual([
    'moderation get /moderation/{slug}',
    ...Object.entries(groups).flatMap(([group, routes]) =>
      Object.entries(routes).map(
        ([name, { method, path }]) => `${group}.${name} ${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`,
      ),
    ),
  ]);
  expect(document.servers).toEqual([{ url: `https://brokers.test${TRANSPARENCY_BASE_PATH}` }]);
  expect(recordOpenApiDocument({ ...server, serverUrl: 'https://brokers.test/api/v1' })).toEqual(document);
});

test('the document has every component that it refers to, and refers to every component', () => {
  const references = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name));
  const named = Object.entries(document.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, components]) => Object.keys(components).map((name) => `${kind}/${name}`));
  expect([...references].sort()).toEqual(named.sort());
});

test('shares its schemas with the document of the API', () => {
  const { schemas } = openApiDocument(server).components;
  const shared = Object.entries(document.components.schemas).filter(([name]) => name in schemas);
  expect(shared.map(([name]) => name)).toContain('Score');
  for (const [name, schema] of shared) expect(schema, name).toEqual(schemas[name]);
});

describe.each(operations)('$operation.operationId', ({ operation }) => {
  test('an operation has a 429, and headers that name the budget of the record', () => {
    const { requests, windowSeconds } = LIMITS.history;
    expect(operation['x-policy'].limit).toBe(operation.operationId === 'moderation' ? 'public' : 'history');
    expect(operation.responses[429]).toEqual({ $ref: '#/components/responses/RateLimited' });
    expect(document.components.headers['RateLimit-Policy']?.example).toBe(`"history";q=${requests};w=${windowSeconds}`);
    expect(document.components.headers['RateLimit']?.example).toMatch(/^"history";/);
  });

  test('says what its parameters are', () => {
    for (const { name, description } of operation.parameters) expect(description, name).toMatch(/^[A-Z].*\.$/);
  });
});

test('takes a number or a time as knownAt', () => {
  const { operation } = operations.find(({ path }) => path.endsWith('/at')) ?? {};
  const knownAt = operation?.parameters.find(({ name }) => name === 'knownAt');
  expect(knownAt?.schema.anyOf).toEqual([
    { type: 'integer', minimum: 0, maximum: 999_999_999 },
    { $ref: '#/components/schemas/Timestamp' },
  ]);
  const { at } = transparencyContract.brokers;
  expect(at.query.parse({ knownAt: '31' })).toEqual({ knownAt: 31 });
  expect(at.query.parse({ knownAt: '2026-03-10T00:00:00Z' })).toEqual({ knownAt: '2026-03-10T00:00:00Z' });
});

test('takes keys joined by commas, each of a kind that has texts', () => {
  const { keys } = transparencyContract.openings.list.query.shape;
  expect(keys.parse('review/1,broker/a%2Fb')).toEqual(['review/1', 'broker/a%2Fb']);
  for (const wrong of [
    '',
    'review/',
    'license/a',
    'review/1,',
    'review/1, review/2',
    Array(101).fill('review/1').join(),
  ])
    expect(keys.safeParse(wrong).success, wrong).toBe(false);
});

test.each([
  ['brokers/x', 'has "brokers/x": each key must begin with one of broker/, license/, '],
  ['broker/x,review/', 'has "review/": each key must begin with one of broker/, '],
  [`broker/x,${'é'.repeat(400)}`, `has "${'é'.repeat(60)}": each key must begin with `],
  [Array(51).fill('review/1').join(), 'must have at most 50 keys, not 51'],
])('refuses the keys %s, and names the wrong one', (wrong, message) => {
  const { error } = transparencyContract.entries.list.query.shape.keys.safeParse(wrong);
  expect(error?.issues.map((issue) => issue.message)).toEqual([expect.stringContaining(message)]);
});

test('the document has examples that fit its schemas', () => {
  const schemas: Record<string, z.ZodType> = {
    BrokerHistory,
    BrokerAt,
    BrokerProof,
    ModerationTransparency,
    Moved,
    OpeningList,
    ProvenEntries,
    ServiceLevelEntry,
    CanaryMark,
    WrittenMark,
  };
  const { examples } = document.components;
  expect(Object.keys(examples).sort()).toEqual(Object.keys(schemas).sort());
  for (const [name, { value }] of Object.entries(examples)) {
    const parsed = (schemas[name] as z.ZodType).safeParse(value);
    expect(parsed.error && z.prettifyError(parsed.error), name).toBeUndefined();
  }
});
