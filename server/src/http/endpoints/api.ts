import { NoBody, type RouteMeta } from '@broker-transparency/contract';
import type { AppRoute, AppRouter } from '@ts-rest/core';
import { isAppRoute } from '@ts-rest/core';
import { createExpressEndpoints } from '@ts-rest/express';
import express, { type NextFunction, type Request, type RequestHandler, type Response, type Router } from 'express';
import { deprecationOf, type Principal, requireAccess } from '../auth/access.ts';
import { enforceFailedTokens } from '../auth/failed-tokens.ts';
import type { Identify } from '../auth/identify.ts';
import { type CachedRead, cachedRoutes } from '../cache/cached-routes.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { toInvalidRequest } from '../problem/invalid-request.ts';
import { ProblemError } from '../problem/problem.ts';
import { enforceBudget, type Limit } from '../rate-limit/limit.ts';
import { readJson } from '../request/body.ts';
import type { Matched } from '../request/canonical.ts';
import { withDeadline } from '../request/deadline.ts';
import { acceptsJson } from '../response/encoded-body.ts';
import { sendJson } from '../response/reply.ts';

declare global {
  namespace Express {
    interface Request {
      /** Set by the route's policy: who calls; undefined for anonymous callers. */
      principal?: Principal | undefined;
    }
  }
}

/** What every contract is served with. */
export interface Gate {
  readonly identify: Identify;
  readonly limit: Limit;
  readonly cache: ResponseCache;
}

const policyOf = (route: AppRoute): RouteMeta => route.metadata as RouteMeta;

/** Every route of a contract, flat. */
const routesOf = (router: AppRouter): AppRoute[] =>
  Object.values(router).flatMap((entry) => (isAppRoute(entry) ? [entry] : routesOf(entry)));

const requireJsonAccepted = (req: Request): void => {
  if (!acceptsJson(req.headers.accept))
    throw new ProblemError('not_acceptable', 'The Accept header leaves out application/json.');
};

/** Enforces a route's metadata: credential, budget, access. */
const enforce =
  ({ identify, limit }: Gate, { access }: RouteMeta) =>
  async (req: Request, res: Response) => {
    const isPublic = access === 'public';
    const { credential, budget, badTokens } = await identify(req, isPublic);
    enforceBudget(budget, limit, res);
    if (badTokens && !isPublic) enforceFailedTokens(badTokens, res);
    requireJsonAccepted(req);
    req.principal = requireAccess(access, credential);
    res.set(deprecationOf(access, req.principal));
  };

/** What an unknown path or method is held to. */
const UNKNOWN: RouteMeta = { access: 'public', limit: 'public', cache: 'none' };

const allowedMethods = (route: AppRoute): string => (route.method === 'GET' ? 'GET, HEAD' : route.method);

const asyncHandler =
  (work: (req: Request, res: Response) => Promise<void>): RequestHandler =>
  (req: Request, res: Response, next: NextFunction) => {
    work(req, res).then(() => next(), next);
  };

/** Answers known paths with other methods by 405, everything else by 404, under the same budget; OPTIONS costs nothing. */
const refuseTheRest = (routes: AppRouter, gate: Gate, router: Router): void => {
  const allow = new Map<string, string>();
  for (const route of routesOf(routes))
    allow.set(route.path, [allow.get(route.path), allowedMethods(route)].filter(Boolean).join(', '));
  for (const [path, methods] of allow) {
    router.options(path, (_req, res) => {
      res.set('Allow', `${methods}, OPTIONS`).status(204).end();
    });
    router.all(path, asyncHandler(enforce(gate, UNKNOWN)), (req) => {
      throw new ProblemError('method_not_allowed', `${req.method} is not possible here.`, {
        headers: { Allow: `${methods}, OPTIONS` },
      });
    });
  }
  const count = asyncHandler(enforce(gate, UNKNOWN));
  router.use(
    (req, res, next) => (req.method === 'OPTIONS' ? next() : count(req, res, next)),
    (req) => {
      throw new ProblemError('not_found', `There is nothing at ${req.originalUrl.split('?', 1)[0]}.`);
    },
  );
};

/** Counts what no route answers. */
export const countOther =
  ({ identify, limit }: Pick<Gate, 'identify' | 'limit'>): RequestHandler =>
  async (req, res, next) => {
    if (req.method !== 'OPTIONS') enforceBudget((await identify(req, true)).budget, limit, res);
    next();
  };

const hasBody = (route: AppRoute): boolean => 'body' in route && route.body !== NoBody;

/** A whole contract: its Express handler, and its public reads. The only place that turns route metadata into behaviour. */
export const createApi = <Routes extends AppRouter>(
  basePath: string,
  routes: Routes,
  given: Parameters<typeof createExpressEndpoints<Routes>>[1],
  gate: Gate,
): { readonly handler: RequestHandler; readonly cached: readonly Matched<CachedRead>[] } => {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use((req, _res, next) => {
    req.context.basePath = basePath;
    next();
  });
  const { implementation, cached } = cachedRoutes(basePath, routes, given, gate.cache);
  createExpressEndpoints(routes, implementation, router, {
    logInitialization: false,
    responseValidation: false, // it would look at ready answers again: `preparing` does it where they are made
    globalMiddleware: [
      // ts-rest answers by res.json: this is the seam where its answers become ours
      (req, res, next) => {
        res.json = (body) => {
          if (res.headersSent || body === undefined) return res; // a cached answer, though its caller may have left
          sendJson(req as Request, res, body).catch(next);
          return res;
        };
        next();
      },
      (req, res, next) => asyncHandler(enforce(gate, policyOf(req.tsRestRoute)))(req as Request, res, next),
      (req, res, next) => (hasBody(req.tsRestRoute) ? readJson(req as Request, res, next) : next()),
    ],
    requestValidationErrorHandler: (error, req, _res, next) => next(toInvalidRequest(error, req.tsRestRoute, req.body)),
  });
  refuseTheRest(routes, gate, router);
  return { handler: withDeadline(router), cached };
};
