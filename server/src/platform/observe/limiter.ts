import type { Cluster, Redis } from 'ioredis';
import { type Count, memoize } from './counted.ts';
import type { Metrics } from './metrics.ts';

/** Creates the counters of budgets. Returns a function that finds the counters of a budget by its name. */
export const createLimitCounts = (metrics: Metrics) => {
  const outcomes = metrics.counter<'limit' | 'outcome'>(
    'broker_rating_limiter_requests_total',
    'Requests that were counted against a budget.',
  );
  const insured = metrics.counter<'limit'>(
    'broker_rating_limiter_insured_total',
    'Requests that each process counted by itself, since Redis did not answer.',
  );
  const redisDurations = metrics.durations<'limit'>(
    'broker_rating_limiter_redis_duration_seconds',
    'Counting a request on Redis.',
  );
  return memoize((limit: string) => ({
    allowed: outcomes({ limit, outcome: 'allowed' }),
    refused: outcomes({ limit, outcome: 'refused' }),
    insured: insured({ limit }),
    redis: redisDurations({ limit }),
  }));
};
export type LimitCounts = ReturnType<typeof createLimitCounts>;

/** Creates the counter of errors of the connection to Redis. */
export const createRedisErrorCount = (metrics: Metrics): Count =>
  metrics.counter('broker_rating_redis_errors_total', 'Faults of the connection to Redis.')({});

/** Publishes whether the connection to Redis is ready. */
export const watchRedis = (metrics: Metrics, redis: Redis | Cluster): void =>
  metrics.gauge('broker_rating_redis_up', '1 while the connection to Redis is ready.', () =>
    redis.status === 'ready' ? 1 : 0,
  );
