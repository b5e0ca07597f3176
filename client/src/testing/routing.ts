import { ACCOUNT_BASE_PATH, BASE_PATH, TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { ENTERPRISE_BASE_PATH } from '@broker-transparency/contract/enterprise';
import { CallRefusal, type NamedRoute, ROUTES } from './policy.ts';

/** A route that matches the requested path. */
export interface MatchedRoute {
  readonly route: NamedRoute;
  /** The parameters, still percent-encoded. */
  readonly params: Readonly<Record<string, string>>;
}

const isBelow = ({ pathname }: URL, base: string): boolean => pathname === base || pathname.startsWith(`${base}/`);

export const isApiPath = (url: URL): boolean =>
  [BASE_PATH, TRANSPARENCY_BASE_PATH, ACCOUNT_BASE_PATH, ENTERPRISE_BASE_PATH].some((base) => isBelow(url, base));

/** Returns true if a path needs the key of a customer. */
export const isEnterprisePath = (url: URL): boolean => isBelow(url, ENTERPRISE_BASE_PATH);

/** Returns the routes at a path, for every method. */
export const findRoutes = (url: URL): MatchedRoute[] =>
  ROUTES.flatMap((route) => {
    const match = route.pattern.exec(url.pathname);
    return match === null ? [] : [{ route, params: { ...match.groups } }];
  });

export const answersMethod = ({ route }: MatchedRoute, method: string): boolean =>
  route.method === method || (route.method === 'GET' && method === 'HEAD');

/** Returns the header that names the methods of a path. */
export const buildAllowHeader = (routes: readonly MatchedRoute[]): Readonly<Record<string, string>> => ({
  Allow: [...routes.map(({ route }) => (route.method === 'GET' ? 'GET, HEAD' : route.method)), 'OPTIONS'].join(', '),
});

/**
 * Decodes the path parameters.
 * @throws CallRefusal `bad_request`
 */
export const decodeParams = ({ params }: MatchedRoute): Record<string, string> => {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    throw new CallRefusal('bad_request', 'The path has an invalid percent-encoding.');
  }
};

export const refusePath = (url: URL): CallRefusal =>
  new CallRefusal(
    'not_found',
    `There is nothing at ${url.pathname}.${isApiPath(url) ? '' : ` The API starts at ${BASE_PATH}.`}`,
  );

/** Returns the error for a path without a route for the method. */
export const refuseMethod = (method: string, url: URL, routes: readonly MatchedRoute[]): CallRefusal =>
  routes.length === 0
    ? refusePath(url)
    : new CallRefusal('method_not_allowed', `${method} is not possible here.`, { headers: buildAllowHeader(routes) });
