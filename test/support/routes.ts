import { accountContract, contract, type RouteMeta } from '@broker-transparency/contract';
import { complaintBody, reviewBody } from './records.ts';

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

const SAMPLES: Readonly<Record<string, { readonly path: string; readonly body?: unknown }>> = {
  'GET /search': { path: '/search?q=alpha' },
  'GET /brokers': { path: '/brokers?limit=5' },
  'GET /brokers/:slug': { path: '/brokers/alpha-markets' },
  'GET /regulators': { path: '/regulators' },
  'GET /regulators/:code': { path: '/regulators/fca' },
  'GET /reviews': { path: '/reviews?broker=alpha-markets' },
  'POST /reviews': { path: '/reviews', body: reviewBody('alpha-markets') },
  'POST /complaints': { path: '/complaints', body: complaintBody('alpha-markets') },
  'GET /news': { path: '/news?limit=5' },
};

/** A good request of a route, about `alpha-markets`. @throws Error for a route that no sample was written for */
export const sampleOf = ({ method, path }: Route) => {
  const sample = SAMPLES[`${method} ${path}`];
  if (!sample) throw new Error(`test/support/routes.ts has no sample for ${method} ${path}`);
  return { method, ...sample };
};

/** Status of the route's answer when all goes well. */
export const goodStatus = ({ responses }: Route): number => Math.min(...Object.keys(responses).map(Number));
