/** All real parts under the service, and the service itself. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import { type Db, MongoClient } from 'mongodb';
import { importRows } from '../support/filled-service.ts';
import { insertPeople } from '../support/people.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { brokerRow, newsRow } from '../support/records.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { Link } from './link.ts';
import { toPersonName } from './load.ts';
import { type RedisCluster, startRedisCluster } from './redis-cluster.ts';
import { ReplicaSet, type ReplicaSetOptions } from './replica-set.ts';

export interface StageOptions extends ReplicaSetOptions {
  /** Counts requests on a Cluster instead of a single Redis. */
  readonly cluster?: boolean;
  /** Further settings of the service. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Cleans up on Ctrl-C, so that a command leaves no process or folder behind. */
  readonly stopsOnSignals?: boolean;
}

const BROKERS = 40;
const NEWS = 5;

export const SLUGS: readonly string[] = Array.from({ length: BROKERS }, (_, n) => `alpha-${n}`);

export interface Stage {
  readonly set: ReplicaSet;
  /** The single Redis, behind its link. */
  readonly redis: { server: RedisServer; readonly link: Link } | undefined;
  readonly cluster: RedisCluster | undefined;
  /** The current process of the service. */
  service: ServiceProcess;
  readonly startProcess: () => Promise<ServiceProcess>;
  readonly db: Db;
  /** Adds people who may write in a run. */
  readonly addPeople: (run: string, count: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const startCounters = async (cluster: boolean): Promise<Pick<Stage, 'redis' | 'cluster'> & { url: string }> => {
  if (cluster) {
    const started = await startRedisCluster();
    return { url: started.url, cluster: started, redis: undefined };
  }
  const server = await startRedis();
  const link = await Link.open(await freePort(), server.port);
  return { url: `redis://127.0.0.1:${link.port}`, redis: { server, link }, cluster: undefined };
};

const fill = async (service: ServiceProcess): Promise<void> => {
  await importRows(
    service,
    'brokers',
    SLUGS.map((slug) => brokerRow(slug)),
  );
  await importRows(
    service,
    'news',
    Array.from({ length: NEWS }, (_, n) => newsRow(n + 1)),
  );
};

/** Calls `act` on Ctrl-C until the returned function is called. */
const onSignals = (act: () => void): (() => Promise<void>) => {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, act);
  return async () => {
    for (const signal of signals) process.off(signal, act);
  };
};

export const startStage = async ({
  cluster = false,
  settings: more = {},
  stopsOnSignals = false,
  ...options
}: StageOptions = {}): Promise<Stage> => {
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.reverse()) await close();
  };
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= closeAll();
    return stopped;
  };
  if (stopsOnSignals) closers.push(onSignals(() => void stop().finally(() => process.exit(130))));
  try {
    const set = await ReplicaSet.start(options);
    closers.push(() => set.stop());
    const { url, ...counters } = await startCounters(cluster);
    closers.push(
      async () => counters.cluster?.stop(),
      async () => counters.redis?.server.kill(),
      async () => counters.redis?.link.close(),
    );
    const dataDir = await mkdtemp(join(tmpdir(), 'broker-rating-'));
    closers.push(() => rm(dataDir, { recursive: true, force: true }));
    const settings = { MONGODB_URL: set.url, REDIS_URL: url, DATA_DIR: dataDir, JOBS: 'on', ...more };
    const port = String(await freePort());
    const serve = () => startProcess({ ...settings, PORT: port });
    const stage: Stage = {
      set,
      ...counters,
      service: await serve(),
      startProcess: serve,
      stop,
      db: (await MongoClient.connect(set.url)).db(),
      addPeople: (run, count) =>
        insertPeople(
          stage.db,
          Array.from({ length: count }, (_, n) => toPersonName(run, n)),
          ['reviews:write', 'complaints:write'],
        ),
    };
    closers.push(
      () => stage.service.end('SIGKILL'),
      () => stage.db.client.close(true),
    );
    await fill(stage.service);
    return stage;
  } catch (error) {
    await stop();
    throw error;
  }
};
