import { NoBody, type RouteMeta } from '@broker-transparency/contract';
import express, { type Request, type RequestHandler, type Router } from 'express';
import { requireAccess } from '../auth/access.ts';
import { requireGoodTokens } from '../auth/failed-tokens.ts';
import type { Identify } from '../auth/identify.ts';
import { createCachedRoutes, type ServedRoute } from '../cache/cached-routes.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { HeavyWork } from '../load/heavy-work.ts';
import { toInvalidRequest } from '../problem/invalid-request.ts';
import { ProblemError } from '../problem/problem.ts';
import { type BudgetLimits, requireBudget } from '../rate-limit/limit.ts';
import { readJson } from '../request/body.ts';
import { withDeadline } from '../request/deadline.ts';
import { acceptsJson } from '../response/encoded-body.ts';
import { answerTsRest, send } from '../response/reply.ts';
import { type AppRoute, type AppRouter, createExpressEndpoints } from './rest.ts';

/** Returns the checks before a route's handler; undefined stands for unknown paths and methods. */
export type Guard = (route: AppRoute | undefined) => RequestHandler;

/** Dependencies of serving contracts. */
export interface ApiParts {
  readonly guard: Guard;
  readonly cache: ResponseCache;
  readonly heavy: HeavyWork;
}

const getPolicy = (route: AppRoute): RouteMeta => route.metadata as RouteMeta;

/** @throws ProblemError not_acceptable */
export const requireJsonAccepted = (req: Request): void => {
  if (!acceptsJson(req.headers.accept))
    throw new ProblemError('not_acceptable', 'The Accept header leaves out application/json.');
};

/** Enforces the policy of a route: budget, credential, access. The request was counted before Express received it. */
const enforce =
  (limits: BudgetLimits, { access, limit }: RouteMeta): RequestHandler =>
  (req, _res, next) => {
    const { context } = req;
    const { caller, fault } = context;
    if (fault !== undefined) throw fault;
    if (!caller) throw new Error('the request was not counted');
    requireBudget(caller.budget, limits[limit]);
    if (caller.badTokens && access !== 'public') requireGoodTokens(caller.badTokens, caller.budget);
    requireJsonAccepted(req);
    context.principal = requireAccess(access, caller.credential);
    next();
  };

/** The policy of an unknown path or method. */
const UNKNOWN: RouteMeta = { access: 'public', limit: 'public', cache: 'none' };

/** Returns the guard of public contracts, which applies their policies. */
export const createGuard =
  (limits: BudgetLimits): Guard =>
  (route) =>
    enforce(limits, route ? getPolicy(route) : UNKNOWN);

const formatMethods = (route: Pick<AppRoute, 'method'>): string =>
  route.method === 'GET' ? 'GET, HEAD' : route.method;

/** Returns the allowed methods of each path. */
const collectAllowedMethods = (routes: readonly Pick<AppRoute, 'method' | 'path'>[]): ReadonlyMap<string, string> => {
  const allow = new Map<string, string[]>();
  for (const route of routes) allow.set(route.path, [...(allow.get(route.path) ?? []), formatMethods(route)]);
  return new Map([...allow].map(([path, methods]) => [path, [...methods, 'OPTIONS'].join(', ')]));
};

/** Answers known paths with other methods by 405, everything else by 404. OPTIONS is not counted. */
const refuseTheRest = (router: Router, routes: Parameters<typeof collectAllowedMethods>[0], guard: Guard): void => {
  const count = guard(undefined);
  for (const [path, Allow] of collectAllowedMethods(routes)) {
    router.options(path, (_req, res) => send(res, { status: 204, headers: { Allow } }));
    router.all(path, count, (req) => {
      throw new ProblemError('method_not_allowed', `${req.method} is not possible here.`, { headers: { Allow } });
    });
  }
  router.use(
    (req, res, next) => (req.method === 'OPTIONS' ? next() : count(req, res, next)),
    (req) => {
      throw new ProblemError('not_found', `There is nothing at ${req.originalUrl.split('?', 1)[0]}.`);
    },
  );
};

/** Counts requests that no route of the service answers. */
export const countOther =
  (identify: Identify, limits: BudgetLimits): RequestHandler =>
  async (req, _res, next) => {
    if (req.method !== 'OPTIONS') requireBudget((await identify(req, UNKNOWN)).budget, limits[UNKNOWN.limit]);
    next();
  };

const hasBody = (route: AppRoute): boolean => 'body' in route && route.body !== NoBody;

/** A served contract: its Express handler, and its routes for the layers before Express. */
interface Api {
  readonly handler: RequestHandler;
  readonly routes: readonly ServedRoute[];
}

/** Serves a contract: each route with its policy, and problems for unknown paths and methods. */
export const createApi = <Routes extends AppRouter>(
  basePath: string,
  contract: Routes,
  given: Parameters<typeof createExpressEndpoints<Routes>>[1],
  { guard, ...parts }: ApiParts,
): Api => {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use((req, _res, next) => {
    req.context.basePath = basePath;
    next();
  });
  const { implementation, routes } = createCachedRoutes(basePath, contract, given, parts);
  createExpressEndpoints(contract, implementation, router, {
    logInitialization: false,
    responseValidation: false, // `createCachedRoutes` validates each answer once
    globalMiddleware: [
      (req, res, next) => answerTsRest(req, res, next),
      (req, res, next) => guard(req.tsRestRoute)(req as Request, res, next),
      (req, res, next) => (hasBody(req.tsRestRoute) ? readJson(req as Request, res, next) : next()),
    ],
    requestValidationErrorHandler: (error, req, _res, next) => next(toInvalidRequest(error, req.tsRestRoute, req)),
  });
  refuseTheRest(
    router,
    routes.map(({ route }) => route),
    guard,
  );
  return { handler: withDeadline(router), routes };
};
