import { ENTERPRISE_BASE_PATH, enterpriseContract } from '@broker-transparency/contract/enterprise';
import { type RequestHandler, Router } from 'express';
import type { ResponseCache } from '../http/cache/response-cache.ts';
import { createApi } from '../http/endpoints/api.ts';
import type { HeavyWork } from '../http/load/heavy-work.ts';
import type { Db } from '../platform/mongo.ts';
import { type AuthenticateParts, createAuthenticate } from './access/authenticate.ts';
import { createGuard, type GuardParts } from './access/guard.ts';
import { accountRoutes } from './account/routes.ts';
import type { LongPolls } from './feed/long-polls.ts';
import { feedRoutes } from './feed/routes.ts';
import { mediaRoutes } from './media/routes.ts';
import { brokerRoutes, regulatorRoutes } from './reads/routes.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { screeningRoutes } from './screening/routes.ts';
import { serviceLevelRoutes } from './service-level/routes.ts';
import { snapshotFileRoute } from './snapshots/file-route.ts';
import { snapshotRoutes } from './snapshots/routes.ts';
import { watchlistRoutes } from './watchlists/routes.ts';
import { findFollowers } from './webhooks/actions.ts';
import { type WebhookParts, webhookRoutes } from './webhooks/routes.ts';

/** The parts of the enterprise routes. */
export interface EnterpriseParts extends Omit<GuardParts, 'authenticate'>, Omit<AuthenticateParts, 'clock'> {
  readonly cache: ResponseCache;
  readonly heavy: HeavyWork;
  readonly longPolls: LongPolls;
  /** Folder of the snapshots. */
  readonly dataDir: string;
  readonly webhooks: WebhookParts;
  /** Base URL under which callers reach this service. */
  readonly publicUrl: string;
}

/** The enterprise contract with its implementation, to be mounted at its base path. */
export const createEnterprise = (db: Db, parts: EnterpriseParts): RequestHandler => {
  const { clock, environment, cache, heavy, longPolls, dataDir, publicUrl } = parts;
  const authenticate = createAuthenticate(db, parts);
  const guard = createGuard({ ...parts, authenticate });
  const routes = {
    account: accountRoutes(db, clock, environment),
    feed: feedRoutes(db, longPolls, authenticate),
    sandbox: sandboxRoutes(db, clock),
    snapshots: snapshotRoutes(db, dataDir),
    webhooks: webhookRoutes(db, clock, parts.webhooks),
    brokers: brokerRoutes(db, clock),
    regulators: regulatorRoutes(db, clock),
    media: mediaRoutes(db, publicUrl),
    screening: screeningRoutes(db),
    serviceLevel: serviceLevelRoutes(db, clock),
    watchlists: watchlistRoutes(db, clock, (one, two) => findFollowers(db, one, two)),
  };
  const { sandbox: _, ...liveContract } = enterpriseContract;
  const { sandbox: __, ...liveRoutes } = routes;
  const api =
    environment === 'sandbox'
      ? createApi(ENTERPRISE_BASE_PATH, enterpriseContract, routes, { guard, cache, heavy })
      : createApi(ENTERPRISE_BASE_PATH, liveContract, liveRoutes, { guard, cache, heavy });
  return Router()
    .use(snapshotFileRoute(ENTERPRISE_BASE_PATH, guard, dataDir))
    .use(api.handler);
};
