import type { Cluster, Redis } from 'ioredis';

/**
 * Groups the commands of one turn of the event loop into one write per node. A write costs more than all other work for
 * a command.
 */
export const createBatchSender = (redis: Redis | Cluster) => {
  let waiting: (() => void)[] = [];
  const flush = (): void => {
    const sends = waiting;
    waiting = [];
    const streams = ('nodes' in redis ? redis.nodes('master') : [redis]).map(({ stream }) => stream);
    for (const stream of streams) stream?.cork();
    for (const send of sends) send();
    for (const stream of streams) stream?.uncork();
  };
  return <T>(send: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (waiting.push(() => send().then(resolve, reject)) === 1) setImmediate(flush);
    });
};
