import { ENTERPRISE_BASE_PATH, enterpriseContract } from '@broker-transparency/contract/enterprise';
import { type RequestHandler, Router } from 'express';
import type { ResponseCache } from '../http/cache/response-cache.ts';
import { createApi } from '../http/endpoints/api.ts';
import { type AuthenticateParts, createAuthenticate } from './access/authenticate.ts';
import { createGuard, type GuardParts } from './access/guard.ts';
import { accountRoutes } from './account/routes.ts';
import type { LongPolls } from './feed/long-polls.ts';
import { feedRoutes } from './feed/routes.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { snapshotFileRoute } from './snapshots/file-route.ts';
import { snapshotRoutes } from './snapshots/routes.ts';

/** What the enterprise routes are composed of. */
export interface EnterpriseParts extends Omit<GuardParts, 'authenticate'>, Omit<AuthenticateParts, 'clock'> {
  readonly cache: ResponseCache;
  readonly longPolls: LongPolls;
  /** Where snapshots are kept. */
  readonly dataDir: string;
}

/** The enterprise contract with its implementation, to be mounted at its base path. */
export const createEnterprise = (parts: EnterpriseParts): RequestHandler => {
  const { clock, environment, cache, longPolls, dataDir } = parts;
  const authenticate = createAuthenticate(parts);
  const guard = createGuard({ ...parts, authenticate });
  const routes = {
    account: accountRoutes(clock, environment),
    feed: feedRoutes(async () => undefined, longPolls, authenticate),
    sandbox: sandboxRoutes(clock),
    snapshots: snapshotRoutes(dataDir),
  };
  const files = snapshotFileRoute(ENTERPRISE_BASE_PATH, guard, dataDir);
  if (environment === 'sandbox')
    return Router()
      .use(files)
      .use(createApi(ENTERPRISE_BASE_PATH, enterpriseContract, routes, { guard, cache }).handler);
  const { sandbox: _, ...liveContract } = enterpriseContract;
  const { sandbox: __, ...liveRoutes } = routes;
  return Router()
    .use(files)
    .use(createApi(ENTERPRISE_BASE_PATH, liveContract, liveRoutes, { guard, cache }).handler);
};
