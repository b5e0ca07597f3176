import { createDeliveryCounter } from '../../enterprise/webhooks/metrics.ts';
import { createAttemptCounter } from '../../features/notices/metrics.ts';
import { createLimitCounts, createRedisErrorCount } from '../../platform/observe/limiter.ts';
import type { Metrics } from '../../platform/observe/metrics.ts';
import { createCacheCounts, createChangeCounts } from '../../platform/observe/reading.ts';
import { createRequestCount } from '../../platform/observe/requests.ts';
import {
  createCorrectionCount,
  createDatabaseMetrics,
  createRefreshFailureCount,
  createWitnessFailureCount,
} from '../../platform/observe/state.ts';

/**
 * Creates the counters of a service. A process has all counters from the start, including those of parts that it does
 * not run, because alerts distinguish a zero counter from a missing one.
 */
export const createCounters = (metrics: Metrics) => ({
  request: createRequestCount(metrics),
  limit: createLimitCounts(metrics),
  redisError: createRedisErrorCount(metrics),
  cache: createCacheCounts(metrics),
  change: createChangeCounts(metrics),
  refreshFailure: createRefreshFailureCount(metrics),
  correction: createCorrectionCount(metrics),
  witnessFailure: createWitnessFailureCount(metrics),
  delivery: createDeliveryCounter(metrics),
  mailTry: createAttemptCounter(metrics),
  database: createDatabaseMetrics(metrics),
});
export type ServiceCounters = ReturnType<typeof createCounters>;
