import { Cluster, Redis } from 'ioredis';

/** By default ioredis queues, resends and waits. The rate limiter must fail at once and must never count twice. */
const options = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  commandTimeout: 300,
  /** Ends commands to a Redis that hangs, so that they do not pile up and requests stop waiting. */
  socketTimeout: 1000,
  connectTimeout: 1000,
  retryStrategy: (attempt: number) => Math.min(attempt * 100, 1000),
};

/**
 * Connects to a single Redis, or to a cluster if the address has `?cluster=true`. Never throws: it retries until it
 * succeeds.
 */
export const connectRedis = (url: string, onError: (error: Error) => void): Redis | Cluster => {
  const address = new URL(url);
  const redis =
    address.searchParams.get('cluster') === 'true'
      ? new Cluster([{ host: address.hostname, port: Number(address.port || 6379) }], {
          redisOptions: {
            ...options,
            ...(address.username ? { username: decodeURIComponent(address.username) } : {}),
            ...(address.password ? { password: decodeURIComponent(address.password) } : {}),
            ...(address.protocol === 'rediss:' ? { tls: {} } : {}),
          },
          enableOfflineQueue: false,
          // by default ioredis sends a command up to sixteen times if a node is down
          maxRedirections: 3,
          retryDelayOnFailover: 50,
          retryDelayOnClusterDown: 50,
          // only this refresh finds a node that is up again
          slotsRefreshInterval: 2000,
          slotsRefreshTimeout: 500,
          clusterRetryStrategy: options.retryStrategy,
        })
      : new Redis(url, options);
  redis.on('error', onError);
  return redis;
};
