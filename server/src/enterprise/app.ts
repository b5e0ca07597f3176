import { ENTERPRISE_BASE_PATH, enterpriseContract } from '@broker-transparency/contract/enterprise';
import type { RequestHandler } from 'express';
import type { ResponseCache } from '../http/cache/response-cache.ts';
import { createApi } from '../http/endpoints/api.ts';
import { type AuthenticateParts, createAuthenticate } from './access/authenticate.ts';
import { createGuard, type GuardParts } from './access/guard.ts';
import { accountRoutes } from './account/routes.ts';
import { mediaRoutes } from './media/routes.ts';
import { brokerRoutes, regulatorRoutes } from './reads/routes.ts';
import { screeningRoutes } from './screening/routes.ts';
import { watchlistRoutes } from './watchlists/routes.ts';

/** What the enterprise routes are composed of. */
export interface EnterpriseParts extends Omit<GuardParts, 'authenticate'>, Omit<AuthenticateParts, 'clock'> {
  readonly cache: ResponseCache;
  /** Base URL under which callers reach this service. */
  readonly publicUrl: string;
}

/** The enterprise contract with its implementation, to be mounted at its base path. */
export const createEnterprise = (parts: EnterpriseParts): RequestHandler => {
  const { clock, environment, cache, publicUrl } = parts;
  const guard = createGuard({ ...parts, authenticate: createAuthenticate(parts) });
  const routes = {
    account: accountRoutes(clock, environment),
    brokers: brokerRoutes(clock),
    regulators: regulatorRoutes(clock),
    media: mediaRoutes(publicUrl),
    screening: screeningRoutes(),
    watchlists: watchlistRoutes(clock),
  };
  return createApi(ENTERPRISE_BASE_PATH, enterpriseContract, routes, { guard, cache }).handler;
};
