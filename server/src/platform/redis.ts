import { Cluster, Redis } from 'ioredis';

/** ioredis queues, resends and waits by default; a limiter must hear "no" at once and never count twice. */
const options = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  commandTimeout: 300,
  /** Of a Redis that hangs: what waits for it does not pile up, and requests stop waiting. */
  socketTimeout: 1000,
  connectTimeout: 1000,
  retryStrategy: (attempt: number) => Math.min(attempt * 100, 1000),
};

/** Connects to a single Redis, or to a Cluster where the address says `?cluster=true`. Never throws: it goes on trying. */
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
          // by default a command is sent sixteen times where a node is gone
          maxRedirections: 3,
          retryDelayOnFailover: 50,
          retryDelayOnClusterDown: 50,
          // a node that is back is found again by this alone
          slotsRefreshInterval: 2000,
          slotsRefreshTimeout: 500,
          clusterRetryStrategy: options.retryStrategy,
        })
      : new Redis(url, options);
  redis.on('error', onError);
  return redis;
};

/**
 * Sends together what comes in one turn of the event loop: one write to each node, where each command alone would be one. A write
 * costs more than all else that is done for a command.
 */
export const sendingTogether = (redis: Redis | Cluster) => {
  let waiting: (() => void)[] = [];
  const flush = (): void => {
    const sends = waiting;
    waiting = [];
    const streams = (redis instanceof Redis ? [redis] : redis.nodes('master')).map(({ stream }) => stream);
    for (const stream of streams) stream?.cork();
    for (const send of sends) send();
    for (const stream of streams) stream?.uncork();
  };
  return <T>(send: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (waiting.push(() => send().then(resolve, reject)) === 1) setImmediate(flush);
    });
};
