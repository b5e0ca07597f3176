import type { Access } from '@broker-transparency/contract';
import * as z from 'zod';
import type { AppRoute } from '../endpoints/rest.ts';
import type { Limits } from '../rate-limit/limit.ts';
import type { RequestParams } from './canonical.ts';
import { parseQuery } from './query.ts';

/** A route of a contract. `Read` is what the response cache makes of a request for it. */
export interface ApiRoute<Read> {
  readonly basePath: string;
  readonly route: Pick<AppRoute, 'method' | 'path'> & { readonly pathParams?: unknown; readonly query?: unknown };
  readonly policy: Pick<RouteMatch<Read>, 'access' | 'limit'>;
  /** Undefined where its answers are not cached. */
  readonly read?: ((asked: RequestParams) => Read) | undefined;
}

/** What the contracts say of a request. */
export interface RouteMatch<Read> {
  /** Who may send it. Unknown paths and methods of an API are public: they are counted like reads. */
  readonly access: Access;
  /** The budget that it is counted against. */
  readonly limit: keyof Limits;
  /** Undefined where the answer is not cached, and where Express has to say what is wrong with the request. */
  readonly read?: Read | undefined;
}
/** Finds what the contracts say of a request; undefined for what is not counted there, or is no request to an API. */
export type FindMatch<Read> = (method: string, target: string) => RouteMatch<Read> | undefined;

type Params = RequestParams['params'];

/** Parameters of a path that has the form of a template, as they are written; undefined where it has another form. */
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

/** Express refuses a path that cannot be decoded before it counts the request. */
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

/** No canonical address is longer. */
const MAX_TARGET = 2048;
/** Express has its own ways to read `#` and what is not ASCII. */
const PLAIN_TARGET = /^[!"$-~]*$/;

/**
 * Makes the function that reads a target for the response cache by the schemas of its route. It understands less than
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
 * Routing by the contracts, as Express does it: the first route with this path and method counts.
 * @param apart paths below an API that are counted by themselves
 * @param unknown how requests are counted below a base path where no route is; null: not here
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
    if (!basePaths.some(isBelow) || apart.some(isBelow) || method === 'OPTIONS') return undefined;
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
