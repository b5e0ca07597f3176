import type { Access } from '@broker-transparency/contract';
import * as z from 'zod';
import type { AppRoute } from '../endpoints/rest.ts';
import type { BudgetLimits } from '../rate-limit/limit.ts';
import type { RequestParams } from './canonical.ts';
import { parseQuery } from './query.ts';

/** A route of a contract. `Read` is the response cache's form of a request for it. */
export interface ApiRoute<Read> {
  readonly basePath: string;
  readonly route: Pick<AppRoute, 'method' | 'path'> & { readonly pathParams?: unknown; readonly query?: unknown };
  readonly policy: Pick<RouteMatch<Read>, 'access' | 'limit'>;
  /** Undefined if its answers are not cached. */
  readonly read?: ((asked: RequestParams) => Read) | undefined;
}

/** The contracts' rules for a request. */
export interface RouteMatch<Read> {
  /** Callers who may send it. Unknown paths and methods of an API are public: they are counted like reads. */
  readonly access: Access;
  /** Budget of the request. */
  readonly limit: keyof BudgetLimits;
  /** Undefined if the answer is not cached, or if Express has to report a fault of the request. */
  readonly read?: Read | undefined;
}
/** Finds the rules for a request; undefined if it is counted elsewhere, or is no API request. */
export type FindMatch<Read> = (method: string, target: string) => RouteMatch<Read> | undefined;

type Params = RequestParams['params'];

/** Returns the raw parameters of a path that matches a template; undefined if it does not match. */
const matchParams = (template: readonly string[], path: readonly string[]): Params | undefined => {
  if (template.length !== path.length) return undefined;
  const params: Record<string, string> = {};
  for (let at = 0; at < template.length; at++) {
    const [part, given] = [template[at] as string, path[at] as string];
    if (part.startsWith(':') && given !== '') params[part.slice(1)] = given;
    else if (part !== given) return undefined;
  }
  return params;
};

/** Express refuses an undecodable path before it counts the request. */
const isDecodable = (params: Params): boolean => {
  try {
    for (const name in params) decodeURIComponent(params[name] as string);
    return true;
  } catch {
    return false;
  }
};

const NOTHING = {};

const createSchemaCheck = <T extends object>(schema: unknown): ((given: T) => T | undefined) =>
  schema instanceof z.ZodType ? (given) => schema.safeParse(given).data as T | undefined : (given) => given;

/** Maximum length of a target: longer than the address of any 50 slugs. */
const MAX_TARGET = 8192;
/** Pattern of targets without `#` and non-ASCII characters, which Express reads in its own way. */
const PLAIN_TARGET = /^[!"$-~]*$/;

/**
 * Returns the function that parses a target for the response cache by the schemas of its route. It accepts less than
 * Express does, and nothing differently: undefined leaves the target to Express.
 */
const createReader = <Read>({ route, read }: ApiRoute<Read>) => {
  const checkParams = createSchemaCheck<RequestParams['params']>(route.pathParams);
  const checkQuery = createSchemaCheck<RequestParams['query']>(route.query);
  return (given: Params, target: string, queryAt: number): Read | undefined => {
    if (!read || target.length > MAX_TARGET || !PLAIN_TARGET.test(target)) return undefined;
    const params = checkParams(given);
    if (!params) return undefined;
    try {
      const query = checkQuery(queryAt < 0 ? NOTHING : parseQuery(target.slice(queryAt + 1)));
      return query && read({ params, query });
    } catch {
      return undefined; // not a query string
    }
  };
};

const UNKNOWN: RouteMatch<never> = { access: 'public', limit: 'public' };

/**
 * Routes requests by the contracts, as Express does: the first route with this path and method counts. The base path of
 * an API itself is a document, which is counted elsewhere.
 * @param apart paths below an API that are counted elsewhere
 * @param unknown rules for paths below a base path without a route; null if they are counted elsewhere
 */
export const createMatcher = <Read>(
  routes: readonly ApiRoute<Read>[],
  apart: readonly string[] = [],
  unknown: RouteMatch<never> | null = UNKNOWN,
): FindMatch<Read> => {
  const basePaths = [...new Set(routes.map(({ basePath }) => basePath))];
  const table = routes.map((apiRoute) => ({
    template: `${apiRoute.basePath}${apiRoute.route.path}`.split('/'),
    routed: apiRoute.route.method,
    policy: apiRoute.policy,
    read: createReader(apiRoute),
  }));
  return (method, target) => {
    const queryAt = target.indexOf('?');
    const path = queryAt < 0 ? target : target.slice(0, queryAt);
    const isBelow = (basePath: string): boolean => path === basePath || path.startsWith(`${basePath}/`);
    const isRouted = (basePath: string): boolean =>
      path.startsWith(`${basePath}/`) && (basePath === '' || path !== `${basePath}/`);
    if (!basePaths.some(isRouted) || apart.some(isBelow) || method === 'OPTIONS') return undefined;
    const parts = path.split('/');
    for (const { template, routed, policy, read } of table) {
      const params = matchParams(template, parts);
      if (!params) continue;
      if (!isDecodable(params)) return undefined;
      if (routed !== (method === 'HEAD' ? 'GET' : method)) continue;
      const { access, limit } = policy;
      return { access, limit, read: read(params, target, queryAt) };
    }
    return unknown ?? undefined;
  };
};
