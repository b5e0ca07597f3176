import { ENTERPRISE_BASE_PATH, enterpriseContract } from '@broker-transparency/contract/enterprise';
import { type RequestHandler, Router } from 'express';
import type { ResponseCache } from '../http/cache/response-cache.ts';
import { createApi } from '../http/endpoints/api.ts';
import { type AuthenticateParts, createAuthenticate } from './access/authenticate.ts';
import { createGuard, type GuardParts } from './access/guard.ts';
import { accountRoutes } from './account/routes.ts';
import type { LongPolls } from './feed/long-polls.ts';
import { feedRoutes } from './feed/routes.ts';
import { snapshotFileRoute } from './snapshots/file-route.ts';
import { snapshotRoutes } from './snapshots/routes.ts';
import { type WebhookParts, webhookRoutes } from './webhooks/routes.ts';

/** What the enterprise routes are composed of. */
export interface EnterpriseParts extends Omit<GuardParts, 'authenticate'>, Omit<AuthenticateParts, 'clock'> {
  readonly cache: ResponseCache;
  readonly longPolls: LongPolls;
  /** Where snapshots are kept. */
  readonly dataDir: string;
  readonly webhooks: WebhookParts;
}

/** The enterprise contract with its implementation, to be mounted at its base path. */
export const createEnterprise = (parts: EnterpriseParts): RequestHandler => {
  const { clock, environment, cache, longPolls, dataDir } = parts;
  const guard = createGuard({ ...parts, authenticate: createAuthenticate(parts) });
  const routes = {
    account: accountRoutes(clock, environment),
    feed: feedRoutes(async () => undefined, longPolls),
    snapshots: snapshotRoutes(dataDir),
    webhooks: webhookRoutes(clock, parts.webhooks),
  };
  return Router()
    .use(snapshotFileRoute(ENTERPRISE_BASE_PATH, guard, dataDir))
    .use(createApi(ENTERPRISE_BASE_PATH, enterpriseContract, routes, { guard, cache }).handler);
};
