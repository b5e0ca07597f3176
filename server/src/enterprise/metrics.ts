import type { ModuleMetrics } from '../ledger/define-module.ts';
import { watchServiceLevel } from './service-level/metrics.ts';
import { watchWebhooks } from './webhooks/metrics.ts';

/** Exports the service level, and the state of customers' webhooks. */
export const watchEnterprise: ModuleMetrics = (db, parts) => {
  watchServiceLevel(db, parts);
  watchWebhooks(db, parts);
};
