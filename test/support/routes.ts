import { ACCOUNT_BASE_PATH, BASE_PATH } from '@broker-transparency/contract';
import { type Operation, openApiDocument } from '@broker-transparency/contract/openapi';
import { ROUTES, type Route } from '@broker-transparency/contract/routes';

/** Every route of the public contract. */
export const routes = ROUTES.filter(({ basePath }) => basePath === BASE_PATH);

/** Every route of the account API. */
export const accountRoutes = ROUTES.filter(({ basePath }) => basePath === ACCOUNT_BASE_PATH);

const { paths, components } = openApiDocument({ serverUrl: 'https://brokers.test', version: '1.0.0' });

/** The example body in the OpenAPI document. */
const exampleBody = ({ requestBody }: Operation): unknown => {
  const [name] = Object.keys(requestBody?.content['application/json']?.examples ?? {});
  return name === undefined ? undefined : components.examples[name]?.value;
};

/** A valid request for a route, made from the examples of the OpenAPI document. They refer to `alpha-markets`. */
export const createSampleRequest = ({ method, path }: Route) => {
  const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Operation;
  const examples = (place: string) =>
    operation.parameters.filter((parameter) => parameter.in === place && parameter.required);
  const query = examples('query').map(({ name, example }) => `${name}=${example}`);
  const target = examples('path').reduce((text, { name, example }) => text.replace(`:${name}`, String(example)), path);
  return { method, path: query.length === 0 ? target : `${target}?${query.join('&')}`, body: exampleBody(operation) };
};

/** Status of the route's successful answer. */
export const goodStatus = ({ responses }: Pick<Route, 'responses'>): number =>
  Math.min(...Object.keys(responses).map(Number));
