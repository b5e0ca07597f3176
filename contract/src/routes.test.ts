import { expect, test } from 'vitest';
import { exampleBroker } from './openapi/example-broker.ts';
import { ROUTES, type StandardSchema } from './routes.ts';

const findRoute = (call: string) => {
  const route = ROUTES.find(({ name }) => name === call);
  if (route === undefined) throw new Error(`no route ${call}`);
  return route;
};

/** Base paths of the families of calls that have a name of their own. */
const BASE_PATHS: Readonly<Record<string, string>> = {
  record: '/transparency/v1',
  account: '/account/v1',
  enterprise: '/enterprise/v1',
};

test('the list of routes has each address of each contract once, with the name of its call', () => {
  const addresses = ROUTES.map(({ method, basePath, path }) => `${method} ${basePath}${path}`);
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(new Set(ROUTES.map(({ name }) => name)).size).toBe(addresses.length);
  expect(ROUTES.flatMap(({ name, basePath }) => (basePath === '/api/v1' ? [name] : []))).toHaveLength(9);
  for (const { name, basePath } of ROUTES) expect(BASE_PATHS[name.split('.')[0] ?? ''] ?? '/api/v1').toBe(basePath);
});

test('a library that knows schemas by Standard Schema alone judges requests and answers', () => {
  const { pathParams, query, responses } = findRoute('brokers.get');
  const fitting = (schema: StandardSchema | undefined) => expect.schemaMatching(schema);
  expect({ slug: 'alpha-markets' }).toEqual(fitting(pathParams));
  expect({ slug: 'No slug' }).not.toEqual(fitting(pathParams));
  expect({ surprise: '1' }).not.toEqual(fitting(query));
  expect(exampleBroker()).toEqual(fitting(responses[200]));
  expect({ ...exampleBroker(), score: 7 }).not.toEqual(fitting(responses[200]));
});
