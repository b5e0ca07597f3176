import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  accountContract,
  CACHES,
  COLORS,
  COMPLAINT_CATEGORIES,
  ComplaintSubmission,
  contract,
  Moved,
  PROBLEM_CODES,
  type Problem,
  type ProblemCode,
  recomputeScore,
  transparencyContract,
} from './index.ts';
import { exampleBroker } from './openapi/example-broker.ts';
import { nameRoutes } from './openapi/routes.ts';
import { SchemaCollection } from './openapi/schemas.ts';
import { type Answer, type JsonSchema, type Operation, openApiDocument } from './openapi.ts';
import { listRoutes } from './route.ts';

const document = openApiDocument({ serverUrl: 'https://brokers.test/', version: '1.2.3' });
const text = JSON.stringify(document);

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const operation = (id: string): Operation => {
  const found = operations.find((entry) => entry.operation.operationId === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found.operation;
};
const findComponent = <T>(reference: unknown, components: Record<string, T>): T => {
  const name = String((reference as { $ref: string }).$ref)
    .split('/')
    .at(-1);
  return components[name as string] as T;
};
const answer = (id: string, status: number): Answer => {
  const found = operation(id).responses[status];
  return found !== undefined && '$ref' in found
    ? findComponent(found, document.components.responses)
    : (found as Answer);
};

/** Codes that only the routes under /account/v1 answer. This document describes only the nine endpoints. */
const accountCodes = Object.values(accountContract)
  .flatMap((group) =>
    Object.values(group).flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, schema]) =>
        Number(status) < 400 ? [] : (schema as typeof Problem).shape.code.options,
      ),
    ),
  )
  .filter((code, index, all) => all.indexOf(code) === index);
/** Codes that are answered before a route is found, so that no route states them. */
const GLOBAL: readonly ProblemCode[] = ['not_found', 'method_not_allowed', 'expectation_failed'];

test('the document has every operation of the contract under its path', () => {
  expect(operations.map(({ operation, method, path }) => `${operation.operationId} ${method} ${path}`)).toEqual(
    listRoutes(contract).map(
      ([name, { method, path }]) => `${name} ${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`,
    ),
  );
});

test('states the server address once, with or without the path in the option', () => {
  const withPath = openApiDocument({ serverUrl: 'https://brokers.test/api/v1/', version: '1.2.3' });
  expect(document.servers).toEqual([{ url: 'https://brokers.test/api/v1' }]);
  expect(withPath).toEqual(document);
});

test('gives the same document every time', () => {
  expect(JSON.stringify(openApiDocument({ serverUrl: 'https://brokers.test', version: '1.2.3' }))).toBe(text);
});

test('the document has every component that it refers to, and refers to every component', () => {
  const references = new Set(
    [...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map((match) => match[1] as string),
  );
  const named = Object.entries(document.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, components]) => Object.keys(components).map((name) => `${kind}/${name}`));
  expect([...references].sort()).toEqual(named.sort());
  expect(text.match(/"\$ref":"(?!#\/components\/)/)).toBeNull();
});

test('contains nothing specific to zod', () => {
  expect(text).not.toMatch(/"\$(schema|id|defs)"|problemCodes|9007199254740991/);
  expect(document.components.schemas['Timestamp']).toEqual({
    type: 'string',
    format: 'date-time',
    description: expect.any(String),
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:[0-5]\\d(\\.\\d+)?Z$',
    examples: ['2026-11-02T09:30:00.000Z'],
  });
  expect(document.components.schemas['Tier']).toMatchObject({ type: 'integer', 'x-extensible-enum': [1, 2, 3, 4] });
});

test('describes parameters with type, default and bounds', () => {
  const [limit, offset, color, country, , status, residence, license, warnings, sort, slugs, since, etag] =
    operation('brokers.list').parameters;
  const integer = { type: 'integer', minimum: 0 };
  expect(limit).toMatchObject({ name: 'limit', in: 'query', required: false });
  expect(limit?.schema).toEqual({ ...integer, minimum: 1, maximum: 100, default: 20 });
  expect(offset?.schema).toEqual({ ...integer, maximum: 100_000, default: 0 });
  expect(color?.schema).toEqual({ type: 'string', enum: ['green', 'yellow', 'red', 'gray'] });
  expect(country).toMatchObject({ name: 'country', example: 'GB', schema: { pattern: '^[A-Za-z]{2}$' } });
  expect(status?.schema).toMatchObject({ enum: ['operating', 'ceased', 'merged', 'suspected_clone'] });
  expect(residence).toMatchObject({ name: 'residence', schema: { pattern: '^[A-Za-z]{2}$' } });
  expect(license).toMatchObject({ name: 'license', schema: { enum: ['1', '2', '3', '4', 'confirmed', 'none'] } });
  expect(warnings).toMatchObject({ name: 'warnings', schema: { enum: ['standing', 'unknown'] } });
  expect(sort).toMatchObject({ name: 'sort', required: false, schema: { enum: ['newest_change'] } });
  expect(slugs).toMatchObject({
    schema: { type: 'array', items: { type: 'string', maxLength: 80 }, minItems: 1, maxItems: 50 },
    style: 'form',
    explode: false,
    example: ['alpha-markets', 'beta-trade'],
  });
  expect(since).toMatchObject({ name: 'updatedSince', schema: { ...integer, maximum: 999_999_999 } });
  expect(etag).toMatchObject({ name: 'If-None-Match', in: 'header', required: false });
  expect(operation('brokers.get').parameters[0]).toMatchObject({
    name: 'slug',
    in: 'path',
    required: true,
    example: 'alpha-markets',
  });
  expect(operation('reviews.create').parameters[0]).toMatchObject({ name: 'Idempotency-Key', required: false });
});

/** Returns a schema and every schema inside it by their dotted place. Does not follow references. */
const listSchemas = (place: string, schema: JsonSchema): [place: string, schema: JsonSchema][] => [
  [place, schema],
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => listSchemas(`${place}.${name}`, field)),
  ...[...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])].flatMap((part) =>
    Object.entries(part.properties ?? {}).flatMap(([name, field]) => listSchemas(`${place}.${name}`, field)),
  ),
];

/** Descriptions are whole sentences, because other sentences follow them. */
const SENTENCES = /^[A-Z0-9`].*\.$/;

describe('descriptions', () => {
  const described = Object.entries(document.components.schemas).flatMap(([name, schema]) => listSchemas(name, schema));

  test('every schema and field is described in whole sentences', () => {
    expect(described.length).toBeGreaterThan(250);
    const missing = described.filter(([, { description = '' }]) => !SENTENCES.test(description));
    expect(missing.map(([place]) => place)).toEqual([]);
  });

  test('descriptions explain null for every field that can be null', () => {
    const nullable = described.filter(([, schema]) => JSON.stringify([schema.type, schema.anyOf]).includes('"null"'));
    expect(nullable.length).toBeGreaterThan(20);
    expect(nullable.filter(([, { description }]) => !description?.includes('null:')).map(([place]) => place)).toEqual(
      [],
    );
  });

  test.each(operations)(
    'every parameter of $operation.operationId is described in whole sentences',
    ({ operation }) => {
      for (const parameter of operation.parameters) expect(parameter.description, parameter.name).toMatch(SENTENCES);
    },
  );
});

test('requires a token for exactly the operations that need one in the contract, and allows one everywhere', () => {
  for (const { operation } of operations) expect(operation.security.at(-1)).toEqual({ bearer: [] });
  expect(operation('brokers.get').security).toEqual([{}, { bearer: [] }]);
  const secured = operations.filter(({ operation }) => operation.security.length === 1);
  expect(secured.map(({ operation }) => operation.operationId)).toEqual(['reviews.create', 'complaints.create']);
  expect(operation('reviews.create').description).toMatch(/`reviews:write`.*identity is verified \(KYC\)/);
  expect(operation('complaints.create').description).not.toContain('KYC');
  expect(operation('reviews.create')['x-policy']).toEqual(contract.reviews.create.metadata);
});

test('states the headers of an answer', () => {
  const names = (id: string, status: number) => Object.keys(answer(id, status).headers ?? {});
  const common = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'];
  expect(names('brokers.list', 200)).toEqual([...common, 'ETag', 'Cache-Control', 'Link']);
  expect(names('brokers.list', 304)).toEqual([...common, 'ETag', 'Cache-Control']);
  for (const id of ['reviews.list', 'news.list'])
    expect(names(id, 200)).toEqual([...common, 'ETag', 'Cache-Control', 'Link']);
  expect(names('reviews.create', 201)).toEqual([...common, 'Idempotent-Replayed']);
  expect(names('reviews.create', 401)).toEqual([...common, 'WWW-Authenticate']);
  expect(names('search', 429)).toEqual([...common, 'Retry-After']);
  expect(names('search', 431)).toEqual(['X-Request-Id']);
  expect(names('brokers.get', 308)).toEqual([...common, 'Location', 'Cache-Control']);
});

describe('a broker that has moved', () => {
  const moving = operations.filter(({ operation }) => 308 in operation.responses);

  test('exactly the routes that declare a move answer 308, by one shared answer', () => {
    expect(moving.map(({ operation }) => operation.operationId)).toEqual(['brokers.get', 'reviews.list']);
    const declaring = nameRoutes(contract).filter(({ policy }) => policy.moved !== undefined);
    expect(declaring.map(({ id }) => id)).toEqual(moving.map(({ operation }) => operation.operationId));
    for (const { operation } of moving)
      expect(operation.responses[308]).toEqual({ $ref: '#/components/responses/Moved' });
  });

  test('the 308 has the current slug in the body and, as an absolute path, in Location', () => {
    const { content } = answer('brokers.get', 308);
    expect(content?.['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Moved' });
    const [example] = Object.values(content?.['application/json']?.examples ?? {});
    const { slug } = Moved.parse(findComponent(example, document.components.examples).value);
    const { Location, 'Cache-Control': cache } = document.components.headers;
    expect(Location?.example).toBe(`/api/v1/brokers/${slug}`);
    expect(cache?.example).toBe(`public, max-age=${CACHES.catalog.maxAgeSeconds}`);
  });

  test('the 308 is no answer of the contract, so that the types of client and server lack it', () => {
    const all = [contract.brokers.get, contract.reviews.list, transparencyContract.moderation];
    for (const { responses } of all) expect(responses).not.toHaveProperty('308');
  });
});

/** Returns every object inside a part of a document, and follows references. */
const collectParts = (node: unknown, components: object, seen = new Set<unknown>()): object[] => {
  if (typeof node !== 'object' || node === null || seen.has(node)) return [];
  seen.add(node);
  const target = '$ref' in node ? findComponent(node, components as Record<string, unknown>) : undefined;
  return [node, ...[...Object.values(node), target].flatMap((child) => collectParts(child, components, seen))];
};

describe('enums', () => {
  const { schemas } = document.components;
  const listEnumValues = (node: unknown, keyword: string, components: object = schemas) =>
    collectParts(node, components).flatMap((part) => (keyword in part ? [part[keyword as never]] : []));

  test.each(operations)(
    'enums can grow in answers and are closed in requests: $operation.operationId',
    ({ operation }) => {
      const { parameters, requestBody, responses } = operation;
      const success = (responses[200] ?? responses[201]) as Answer;
      expect(listEnumValues(success.content, 'enum')).toEqual([]);
      expect(listEnumValues([parameters, requestBody], 'x-extensible-enum')).toEqual([]);
    },
  );

  test('enums have the current values', () => {
    expect(schemas['Color']).toMatchObject({ type: 'string', 'x-extensible-enum': [...COLORS] });
    expect(listEnumValues(schemas['ComplaintSubmission'], 'enum')).toEqual([[...COMPLAINT_CATEGORIES]]);
    expect(listEnumValues(schemas['ComplaintReceipt'], 'x-extensible-enum')).toContainEqual([...COMPLAINT_CATEGORIES]);
  });

  test.each(
    [accountContract, transparencyContract].flatMap((routes) =>
      Object.values(routes).flatMap((group) => ('responses' in group ? [group] : Object.values(group))),
    ),
  )('enums can grow in answers of account and transparency routes: $summary', ({ responses }) => {
    const collection = new SchemaCollection();
    const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    const schema = collection.add(success?.[1] as z.ZodType);
    expect(listEnumValues(schema, 'enum', collection.components())).toEqual([]);
  });
});

describe('for code generators', () => {
  const everything = collectParts(document, document.components) as JsonSchema[];

  test('every object has a name', () => {
    const named = new Set<object>(Object.values(document.components.schemas));
    const withFields = everything.filter((part) => part.type === 'object' && part.properties !== undefined);
    expect(withFields.filter((part) => !named.has(part))).toEqual([]);
    expect(withFields.length).toBeGreaterThan(20);
  });

  test('no schema has to be merged from others', () => {
    expect(everything.filter((part) => 'allOf' in part || 'oneOf' in part || 'const' in part)).toEqual([]);
  });

  test('every error is the one Problem schema, which allows any code', () => {
    const { schemas, responses } = document.components;
    for (const [name, { content }] of Object.entries(responses))
      if (!['NotModified', 'Moved'].includes(name))
        expect(content).toEqual({ 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } });
    expect(schemas['Problem']?.properties?.['code']).toMatchObject({ $ref: '#/components/schemas/ProblemCode' });
    expect(schemas['ProblemCode']).toMatchObject({ type: 'string', enum: PROBLEM_CODES });
  });

  test('every number has a format with enough precision', () => {
    const { Score, RatingMonth } = document.components.schemas;
    expect(Score?.properties?.['rawValue']).toMatchObject({ type: 'number', format: 'double' });
    expect(RatingMonth?.properties?.['sumOfSquares']).toMatchObject({ type: 'integer', format: 'int64' });
    const parts = collectParts(document.components.schemas, document.components) as JsonSchema[];
    const narrow = parts.filter(({ type, format, maximum }) =>
      type === 'number' ? format !== 'double' : type === 'integer' && maximum === undefined && format !== 'int64',
    );
    expect(narrow).toEqual([]);
  });

  test('every pattern works in each language', () => {
    const patterns = everything.flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : []));
    expect(patterns.length).toBeGreaterThan(20);
    // Go and Rust have no lookarounds and no back-references. Other languages write \u and \p differently.
    for (const pattern of patterns) expect(pattern).not.toMatch(/\(\?|\\[upPk1-9]|\uFEFF/);
  });
});

describe('the document allows exactly what the contract takes', () => {
  const { properties = {} } = document.components.schemas['ComplaintSubmission'] as JsonSchema;
  const { shape } = ComplaintSubmission;

  test.each([
    ...['abc', ' abc ', 'a\nb', '日本語', '   ', '', '\0\0\0', 'ab\0c', 'abc\0', '\0abc', '\u3000\u3000\u3000'].map(
      (text) => ['title', text] as const,
    ),
    ...['2026-11-02T09:30:00Z', '2026-11-02T09:30:00.5Z', '2026-11-02T09:30:00+00:00'].map(
      (time) => ['occurredAt', time] as const,
    ),
    ...['-00:00', '+01:00', '', '+0000', 'Z\n', 'z'].map((end) => ['occurredAt', `2026-11-02T09:30:00${end}`] as const),
    ...['2026-11-02T09:30Z', '2026-12-31T23:59:60Z', '2026-11-02'].map((time) => ['occurredAt', time] as const),
  ])('%s: %j', (field, value) => {
    const { pattern, minLength = 0 } = properties[field] as { pattern: string; minLength?: number };
    const passes = new RegExp(pattern).test(value) && value.length >= minLength;
    expect(passes).toBe(shape[field].safeParse(value).success);
  });
});

describe('errors', () => {
  const listCodes = (id: string, status: number): unknown => answer(id, status)['x-problem-codes'];

  test('errors state the codes that a route can answer', () => {
    expect(listCodes('brokers.get', 404)).toEqual(['broker_not_found']);
    expect(listCodes('reviews.create', 403)).toEqual(['kyc_required', 'insufficient_scope']);
    expect(listCodes('complaints.create', 403)).toEqual(['insufficient_scope']);
  });

  test('routes state all errors, except those that no route answers', () => {
    const stated = operations.flatMap(({ operation }) =>
      Object.keys(operation.responses).flatMap((status) => listCodes(operation.operationId, Number(status)) ?? []),
    );
    const elsewhere = accountCodes.filter((code) => !stated.includes(code));
    expect(PROBLEM_CODES.filter((code) => !stated.includes(code)).sort()).toEqual([...GLOBAL, ...elsewhere].sort());
  });
});

describe.each(nameRoutes(contract))('examples of $id', (route) => {
  const check = (schema: z.ZodType, media: Answer['content']): void => {
    const examples = Object.values(media?.['application/json']?.examples ?? {});
    expect(examples).toHaveLength(1);
    const { value } = findComponent(examples[0], document.components.examples);
    expect(z.parse(schema, value)).toEqual(value);
  };

  test('the examples are valid for the contract', () => {
    check(route.success.schema, answer(route.id, Number(route.success.status)).content);
    if (route.body !== undefined) check(route.body, operation(route.id).requestBody?.content);
  });
});

test('the example broker’s score can be recomputed', () => {
  const broker = exampleBroker();
  expect(recomputeScore(broker)).toEqual(broker.score);
  expect(broker.color).toBe('green');
});
