import type { Cluster, Redis } from 'ioredis';
import { counter, durations, once } from './counted.ts';
import { gauge } from './registry.ts';

const outcomes = counter<'limit' | 'outcome'>(
  'broker_rating_limiter_requests_total',
  'Requests that were counted against a budget.',
);
const insured = counter<'limit'>(
  'broker_rating_limiter_insured_total',
  'Requests that each process counted by itself, since Redis did not answer.',
);
const redisDurations = durations<'limit'>(
  'broker_rating_limiter_redis_duration_seconds',
  'Counting a request on Redis.',
);

/** Returns the counters of one budget. */
export const watchLimit = once((limit: string) => ({
  allowed: outcomes({ limit, outcome: 'allowed' }),
  refused: outcomes({ limit, outcome: 'refused' }),
  insured: insured({ limit }),
  redis: redisDurations({ limit }),
}));

/** Publishes whether the connection to Redis is ready. */
export const watchRedis = (redis: Redis | Cluster): void =>
  gauge('broker_rating_redis_up', '1 while the connection to Redis is ready.', () =>
    redis.status === 'ready' ? 1 : 0,
  );

/** Counts errors of the connection to Redis. */
export const countRedisError = counter('broker_rating_redis_errors_total', 'Faults of the connection to Redis.')({});
