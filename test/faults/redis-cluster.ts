/** A real Redis Cluster with three masters. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import { Redis } from 'ioredis';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

const SLOTS = 16_384;
const NODES = 3;
/** The nodes' bus port is this much higher than their client port. */
const BUS = 10_000;

export interface RedisCluster {
  /** The value for `REDIS_URL`. */
  readonly url: string;
  /** Kills the node that the address names. */
  readonly killFirst: () => Promise<void>;
  /** Kills a node that the address does not name. */
  readonly killLast: () => Promise<void>;
  /** Restarts the killed nodes and waits until the Cluster is complete. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const freeClusterPort = async (): Promise<number> => {
  for (;;) {
    const port = await freePort();
    if ((await freePort(port + BUS)) === port + BUS) return port;
  }
};

const startNode = (port: number, folder: string): Promise<RedisServer> =>
  startRedis({
    port,
    settings: [
      '--cluster-enabled',
      'yes',
      '--cluster-config-file',
      join(folder, `${port}.conf`),
      '--cluster-node-timeout',
      '1000',
    ],
  });

const asked = async <T>(port: number, ask: (redis: Redis) => Promise<T>): Promise<T> => {
  const redis = new Redis(port, '127.0.0.1');
  try {
    return await ask(redis);
  } finally {
    redis.disconnect();
  }
};

const isWhole = (port: number): Promise<boolean> =>
  asked(port, async (redis) => String(await redis.cluster('INFO')).includes('cluster_state:ok'));

const join3 = async (ports: readonly number[]): Promise<void> => {
  const [first = 0, ...others] = ports;
  const share = Math.ceil(SLOTS / ports.length);
  for (const [at, port] of ports.entries()) {
    const slots = Array.from({ length: Math.min(share, SLOTS - at * share) }, (_, n) => at * share + n);
    await asked(port, (redis) => redis.cluster('ADDSLOTS', ...slots));
  }
  for (const port of others) await asked(first, (redis) => redis.cluster('MEET', '127.0.0.1', port));
};

export const startRedisCluster = async (): Promise<RedisCluster> => {
  const folder = await mkdtemp(join(tmpdir(), 'broker-rating-cluster-'));
  const ports: number[] = [];
  const nodes = new Map<number, RedisServer>();
  for (let n = 0; n < NODES; n++) {
    const port = await freeClusterPort();
    ports.push(port);
    nodes.set(port, await startNode(port, folder));
  }
  const whole = () =>
    until('the Cluster is whole', 20_000, async () => (await Promise.all(ports.map(isWhole))).every(Boolean));
  const kill = async (port: number): Promise<void> => {
    await nodes.get(port)?.kill();
    nodes.delete(port);
  };
  await join3(ports);
  await whole();
  return {
    url: `redis://127.0.0.1:${ports[0]}?cluster=true`,
    killFirst: () => kill(ports[0] as number),
    killLast: () => kill(ports[NODES - 1] as number),
    restart: async () => {
      for (const port of ports) if (!nodes.has(port)) nodes.set(port, await startNode(port, folder));
      await whole();
    },
    stop: async () => {
      await Promise.all([...nodes.values()].map((node) => node.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
};
