import { ENTERPRISE_BASE_PATH, enterpriseContract } from '@broker-transparency/contract/enterprise';
import { type RequestHandler, Router } from 'express';
import type { ResponseCache } from '../http/cache/response-cache.ts';
import { createApi } from '../http/endpoints/api.ts';
import { type AuthenticateParts, createAuthenticate } from './access/authenticate.ts';
import { createGuard, type GuardParts } from './access/guard.ts';
import { accountRoutes } from './account/routes.ts';
import type { LongPolls } from './feed/long-polls.ts';
import { feedRoutes } from './feed/routes.ts';
import { mediaRoutes } from './media/routes.ts';
import { brokerRoutes, regulatorRoutes } from './reads/routes.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { screeningRoutes } from './screening/routes.ts';
import { snapshotFileRoute } from './snapshots/file-route.ts';
import { snapshotRoutes } from './snapshots/routes.ts';
import { watchlistRoutes } from './watchlists/routes.ts';
import { findFollowers } from './webhooks/actions.ts';
import { type WebhookParts, webhookRoutes } from './webhooks/routes.ts';

/** What the enterprise routes are composed of. */
export interface EnterpriseParts extends Omit<GuardParts, 'authenticate'>, Omit<AuthenticateParts, 'clock'> {
  readonly cache: ResponseCache;
  readonly longPolls: LongPolls;
  /** Where snapshots are kept. */
  readonly dataDir: string;
  readonly webhooks: WebhookParts;
  /** Base URL under which callers reach this service. */
  readonly publicUrl: string;
}

/** The enterprise contract with its implementation, to be mounted at its base path. */
export const createEnterprise = (parts: EnterpriseParts): RequestHandler => {
  const { clock, environment, cache, longPolls, dataDir, publicUrl } = parts;
  const authenticate = createAuthenticate(parts);
  const guard = createGuard({ ...parts, authenticate });
  const routes = {
    account: accountRoutes(clock, environment),
    feed: feedRoutes(longPolls, authenticate),
    sandbox: sandboxRoutes(clock),
    snapshots: snapshotRoutes(dataDir),
    webhooks: webhookRoutes(clock, parts.webhooks),
    brokers: brokerRoutes(clock),
    regulators: regulatorRoutes(clock),
    media: mediaRoutes(publicUrl),
    screening: screeningRoutes(),
    watchlists: watchlistRoutes(clock, findFollowers),
  };
  const { sandbox: _, ...liveContract } = enterpriseContract;
  const { sandbox: __, ...liveRoutes } = routes;
  const api =
    environment === 'sandbox'
      ? createApi(ENTERPRISE_BASE_PATH, enterpriseContract, routes, { guard, cache })
      : createApi(ENTERPRISE_BASE_PATH, liveContract, liveRoutes, { guard, cache });
  return Router()
    .use(snapshotFileRoute(ENTERPRISE_BASE_PATH, guard, dataDir))
    .use(api.handler);
};
