import { accountContract, contract, type RouteMeta } from '@broker-transparency/contract';
import { type Operation, openApiDocument } from '@broker-transparency/contract/openapi';

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly metadata: RouteMeta;
  readonly responses: Readonly<Record<number, unknown>>;
}

const flatten = (node: object): Route[] =>
  'metadata' in node ? [node as Route] : Object.values(node).flatMap((child) => flatten(child as object));

/** Every route of the contract, flat. */
export const routes = flatten(contract);

/** Every route of the account API. */
export const accountRoutes = flatten(accountContract);

const { paths, components } = openApiDocument({ serverUrl: 'https://brokers.test', version: '1.0.0' });

/** The example of a body that the OpenAPI document shows. */
const exampleBody = ({ requestBody }: Operation): unknown => {
  const [name] = Object.keys(requestBody?.content['application/json']?.examples ?? {});
  return name === undefined ? undefined : components.examples[name]?.value;
};

/** A good request of a route, as the examples of the OpenAPI document make it: they are about `alpha-markets`. */
export const sampleOf = ({ method, path }: Route) => {
  const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Operation;
  const examples = (place: string) =>
    operation.parameters.filter((parameter) => parameter.in === place && parameter.required);
  const query = examples('query').map(({ name, example }) => `${name}=${example}`);
  const target = examples('path').reduce((text, { name, example }) => text.replace(`:${name}`, String(example)), path);
  return { method, path: query.length === 0 ? target : `${target}?${query.join('&')}`, body: exampleBody(operation) };
};

/** Status of the route's answer when all goes well. */
export const goodStatus = ({ responses }: Route): number => Math.min(...Object.keys(responses).map(Number));
