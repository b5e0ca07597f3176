import { expect, test } from 'vitest';
import * as z from 'zod';
import { ENTERPRISE_BASE_PATH } from './enterprise.ts';
import { Slug } from './index.ts';
import { SchemaCollection } from './openapi/schemas.ts';
import { ROUTES, type Route } from './routes.ts';

const routes = ROUTES.filter(({ basePath }) => basePath !== ENTERPRISE_BASE_PATH);

const unwrapped = (schema: unknown): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? unwrapped(schema.unwrap())
    : (schema as z.ZodType);

/** Tells whether a parameter takes a broker's slug, also if it has a description of its own or can be left out. */
const takesSlug = ([name, schema]: [string, unknown]): boolean =>
  ['slug', 'broker'].includes(name) ||
  new SchemaCollection().add(unwrapped(schema)).$ref === '#/components/schemas/Slug';

const slugParameters = ({ pathParams, query }: Pick<Route, 'pathParams' | 'query'>): string[] =>
  [pathParams, query]
    .flatMap((schema) => Object.entries(schema instanceof z.ZodObject ? schema.shape : {}))
    .filter(takesSlug)
    .map(([name]) => name);

test('a cached GET that takes the slug of a broker declares which parameter it is, and no other route does', () => {
  const declared = routes.map(({ method, path, metadata }) => `${method} ${path} ${metadata.moved}`);
  expect(declared).toEqual(
    routes.map((route) => {
      const isCached = route.method === 'GET' && route.metadata.cache !== 'none'; // others answer a former slug themselves
      return `${route.method} ${route.path} ${isCached ? slugParameters(route)[0] : undefined}`;
    }),
  );
  expect(declared.filter((line) => !line.endsWith('undefined'))).toEqual([
    'GET /brokers/:slug slug',
    'GET /reviews broker',
    'GET /moderation/:slug slug',
  ]);
});

test.each([
  ['bare', z.strictObject({ of: Slug })],
  ['described', z.strictObject({ of: Slug.describe('The broker.') })],
  ['optional', z.strictObject({ of: Slug.optional() })],
  ['described and optional', z.strictObject({ of: Slug.describe('The broker.').optional() })],
])('a slug is noticed under any name: %s', (_, query) => {
  expect(slugParameters({ query })).toEqual(['of']);
});
