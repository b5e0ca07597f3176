import { ENTERPRISE_BASE_PATH } from '@broker-transparency/contract/enterprise';
import { ROUTES } from '@broker-transparency/contract/routes';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Schema, validValue, wrongValue } from '../support/arbitraries.ts';

/** A fixed seed makes failures reproducible. */
const RUN = { seed: 20_261_121, numRuns: 200 } as const;

interface PublishedSchema {
  readonly toJSONSchema: (options: object) => Schema & { readonly $defs?: Readonly<Record<string, Schema>> };
  readonly safeParse: (value: unknown) => {
    readonly success: boolean;
    readonly error?: { readonly issues: readonly { path: PropertyKey[]; code: string; keys?: string[] }[] };
  };
}

const routes = ROUTES.filter(({ basePath }) => basePath !== ENTERPRISE_BASE_PATH);

const isSchema = (value: unknown): value is PublishedSchema =>
  typeof value === 'object' && value !== null && 'safeParse' in value && 'toJSONSchema' in value;

const PARTS = ['pathParams', 'query', 'headers', 'body'] as const;
const requests = routes.flatMap((route) =>
  PARTS.flatMap((part) => {
    const schema = route[part];
    // An empty body has no values to generate.
    return isSchema(schema) && !(part === 'body' && schema.safeParse(undefined).success)
      ? [{ name: `${part} of ${route.method} ${route.path}`, part, schema }]
      : [];
  }),
);

const describeInput = ({ schema }: { schema: PublishedSchema }) => {
  const { $defs = {}, ...json } = schema.toJSONSchema({ io: 'input' });
  return { json, defs: Object.fromEntries(Object.entries($defs).map(([name, def]) => [`#/$defs/${name}`, def])) };
};

/** Parameters are sent as text. */
const asSent = (part: string, value: unknown): unknown =>
  part === 'body'
    ? value
    : Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, String(each)]));

test('every route of every contract has schemas that values can be generated for', () => {
  expect(routes.length).toBeGreaterThan(15);
  for (const { path, pathParams, body, method } of routes) {
    if (path.includes(':')) expect(isSchema(pathParams), path).toBe(true);
    expect(isSchema(body) || method === 'GET' || body !== undefined, path).toBe(true);
  }
});

describe.each(requests)('$name', ({ part, schema }) => {
  test('accepts every value that its JSON Schema allows', () => {
    const { json, defs } = describeInput({ schema });
    fc.assert(
      fc.property(validValue(json, defs), (value) => {
        const { offset = 0, sort, updatedSince } = value as Readonly<Record<string, unknown>>;
        // JSON Schema does not say that they exclude each other
        fc.pre((offset === 0 && sort === undefined) || updatedSince === undefined);
        const { success, error } = schema.safeParse(asSent(part, value));
        expect(success, JSON.stringify(error?.issues)).toBe(true);
      }),
      RUN,
    );
  });

  test('judges any value without throwing, and accepts no unknown name', () => {
    const anything = fc.oneof(fc.anything(), fc.dictionary(fc.string(), fc.string({ unit: 'binary' })));
    fc.assert(
      fc.property(anything, (value) => {
        const before = schema.safeParse(value);
        expect(typeof before.success).toBe('boolean');
        if (part === 'headers' || typeof value !== 'object' || value === null || Array.isArray(value)) return;
        expect(schema.safeParse({ ...value, 'no such name': '1' }).success).toBe(false);
      }),
      RUN,
    );
  });
});

describe.each(requests.filter(({ part }) => part === 'body'))('$name', ({ schema }) => {
  test('refuses a value with one fault by its place', () => {
    const { json, defs } = describeInput({ schema });
    fc.assert(
      fc.property(wrongValue(json, defs), ({ value, at }) => {
        const { success, error } = schema.safeParse(value);
        expect(success).toBe(false);
        const places = error?.issues.flatMap(({ path, keys = [''] }) =>
          keys.map((key) => `/${[...path, key].join('/')}`),
        );
        expect(
          places?.some((place) => place.startsWith(at)),
          `${at} in ${places}`,
        ).toBe(true);
      }),
      RUN,
    );
  });
});
