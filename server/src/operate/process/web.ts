import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { PLANS, type Plan, type PlanName } from '@broker-transparency/contract/enterprise';
import { createApp } from '../../app.ts';
import { createLongPolls, type LongPolls } from '../../enterprise/feed/long-polls.ts';
import { createUsage } from '../../enterprise/usage/notes.ts';
import { KYC_WEBHOOK_LIMIT } from '../../features/accounts/policy.rule.ts';
import { RESULTS_LIMIT } from '../../features/service-level/policy.rule.ts';
import { createRecentCredentials } from '../../http/auth/recent-credentials.ts';
import { createResponseCache } from '../../http/cache/response-cache.ts';
import { createInternalApp, type InternalParts } from '../../http/endpoints/internal.ts';
import { resolveMetricsReaders } from '../../http/endpoints/metrics.ts';
import { computeShares, createProxyCheck } from '../../http/load/connection-shares.ts';
import { createOverload, type OverloadBounds, WATCHED_PATHS } from '../../http/load/overload.ts';
import { type BudgetName, computeBudget } from '../../http/rate-limit/budgets.rule.ts';
import { createLimit } from '../../http/rate-limit/limit.ts';
import { createHttpServer } from '../../http/server/http-server.ts';
import { readTreeSize } from '../../ledger/log/covering.ts';
import type { Mode } from '../../mode.ts';
import { MODULES } from '../../modules.ts';
import { UNSURE_MS, watchDatabase } from '../../platform/changes.ts';
import { type Db, pingMongo } from '../../platform/mongo.ts';
import { watchRedis } from '../../platform/observe/limiter.ts';
import type { Log } from '../../platform/observe/log.ts';
import { watchChanges, watchReady, watchResponseCache } from '../../platform/observe/reading.ts';
import { watchLoad } from '../../platform/observe/requests.ts';
import type { connectRedis } from '../../platform/redis.ts';
import { createNewestChanges } from '../../published/brokers/newest-changes.ts';
import { createRanking } from '../../published/brokers/ranking.rule.ts';
import { rankingFeed } from '../../published/brokers/ranking-feed.ts';
import { CREDENTIAL_CHANGES, cacheFeed, credentialFeed, listTaggedChanges } from '../../published/cache-tags.ts';
import { createBrokerIndex } from '../../published/look-alikes/brokers.ts';
import { createCheck } from '../../published/look-alikes/check.ts';
import { createWarningIndex } from '../../published/look-alikes/warnings.ts';
import { searchFeed } from '../../published/search/feed.ts';
import { createSearchIndex } from '../../published/search/index.ts';
import { PAGES_TAG } from '../../site/site.ts';
import { version } from '../../version.ts';
import { type Config, resolveErasureList } from '../config.ts';
import { findDemoOperator } from '../demo/operator.ts';
import type { ProcessParts } from './parts.ts';
import { openWebhooks } from './webhooks.ts';

/** Time in milliseconds that a load balancer needs to notice that readiness failed. */
const PROBE_MS = 3000;
/** Time in milliseconds for requests in flight, such as uploads, to end. */
const DRAIN_MS = 8000;

/** Makes a value for each plan. */
const mapPlans = <T>(make: (plan: Plan) => T): Readonly<Record<PlanName, T>> => ({
  media: make(PLANS.media),
  institution: make(PLANS.institution),
  regulator: make(PLANS.regulator),
});

/** Factor of a demo's budget for files of its log: only its user reads them, and an audit needs all files. */
const DEMO_LOG_FILES = 20;

const createLimits = (
  { publicRateLimit }: Config,
  { counts: { limit: counts }, demo }: Pick<WebParts, 'counts' | 'demo'>,
  redis?: RedisConnection,
) => {
  const createNamedLimit = (name: BudgetName) => createLimit(counts, computeBudget(name, publicRateLimit), redis, name);
  return {
    limits: {
      public: createNamedLimit('public'),
      history: createNamedLimit('history'),
      pages: createNamedLimit('pages'),
      badges: createNamedLimit('badges'),
    },
    badTokens: createNamedLimit('bad-tokens'),
    webhook: createLimit(counts, KYC_WEBHOOK_LIMIT, redis, 'kyc'),
    logFiles: createLimit(counts, computeBudget('log', publicRateLimit) * (demo ? DEMO_LOG_FILES : 1), redis, 'log'),
    results: createLimit(counts, RESULTS_LIMIT, redis, 'results'),
    writing: createNamedLimit('forms'),
    plans: mapPlans(({ requestsPerMinute }) => createLimit(counts, requestsPerMinute, redis, 'enterprise')),
    recordReads: mapPlans(({ recordReadsPerMinute }) => createLimit(counts, recordReadsPerMinute, redis, 'record')),
  };
};

/** Logs once that Redis is lost, with the effect, and once that it is back. Counts every fault as a metric. */
const createRedisReporter = (log: Log) => {
  let isLost = false;
  return {
    lost: (error: Error): void => {
      if (!isLost)
        log.warn(
          { err: error.message },
          'Redis does not answer: until it is back, each process counts requests by itself, ' +
            'so several processes together allow more than one budget',
        );
      isLost = true;
    },
    back: (): void => {
      if (isLost) log.info('Redis answers again: all processes count requests together');
      isLost = false;
    },
  };
};

const connectLimiters = async (config: Config, parts: WebParts) => {
  const { log, closers, metrics, counts, redis: open } = parts;
  if (open) return createLimits(config, parts, open);
  if (config.redisUrl === undefined) {
    log.warn('REDIS_URL is not set: requests are counted in the memory of this process');
    return createLimits(config, parts);
  }
  const { connectRedis } = await import('../../platform/redis.ts'); // a process alone starts without its library
  const said = createRedisReporter(log);
  const redis = connectRedis(config.redisUrl, (error) => {
    counts.redisError();
    said.lost(error);
  });
  redis.on('ready', said.back);
  watchRedis(metrics, redis);
  closers.add(async () => redis.disconnect());
  return createLimits(config, parts, redis);
};

/** Starts the caches that requests read. One change stream keeps them current. */
const startReading = (
  { foreground, background: db }: DatabasePools,
  config: Config,
  { clock, log, closers, metrics, counts, only }: Omit<WebParts, 'demo' | 'tell'>,
) => {
  const searchIndex = createSearchIndex();
  const ranking = createRanking(clock);
  const noteChanges = createNewestChanges(foreground, ranking);
  const alike = createBrokerIndex(db);
  const cache = createResponseCache(config.preparedMb * 2 ** 20, () => changes.seenAt(), counts.cache);
  const recentCredentials = createRecentCredentials(clock, () => Date.now() - changes.seenAt() < UNSURE_MS);
  // the response cache comes last: an answer that replaces a stale one must read current data
  const ofPublic =
    only === 'enterprise'
      ? [] // nothing reads them
      : [
          rankingFeed(db, ranking, noteChanges),
          searchFeed(db, searchIndex),
          alike.feed,
          credentialFeed(recentCredentials),
          cacheFeed(cache, MODULES),
        ];
  const feeds = [...ofPublic, counts.change];
  const changes = watchDatabase(db, [...listTaggedChanges(MODULES), ...CREDENTIAL_CHANGES], feeds, (error) => {
    counts.change.fault();
    log.warn({ err: error }, 'the change stream failed; retrying');
  });
  const renewal = setInterval(() => cache.changed([PAGES_TAG]), PAGES_MS);
  closers.add(async () => clearInterval(renewal));
  watchChanges(metrics, changes.seenAt);
  watchResponseCache(metrics, cache.bytes, config.preparedMb * 2 ** 20);
  closers.add(changes.stop);
  const lookAlikes = createCheck(foreground, { brokers: alike, warnings: createWarningIndex(foreground) });
  const { loaded, caughtUp } = changes;
  return { searchIndex, ranking, noteChanges, lookAlikes, cache, recentCredentials, loaded, caughtUp };
};

/** Maximum age of a page in milliseconds, since it shows the age of its data. */
const PAGES_MS = 60_000;

/** Returns the address of a service that listens on a host and port. */
export const formatOrigin = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Bounds of the internal port. Only a few monitoring clients share it. */
const INTERNAL_BOUNDS: OverloadBounds = { maxInFlight: 32, maxConnections: 64, shares: [], isProxy: () => false };

/** Listens on the internal port, if one is set. That port closes last. */
const openInternal = async ({ internalPort, internalHost }: Config, { log, closers, counts }: ProcessParts) => {
  if (internalPort === undefined) return undefined;
  const http = createHttpServer(createOverload(INTERNAL_BOUNDS, log, counts.request), counts.request, { sockets: 1 });
  const port = await http.listen(internalPort, internalHost, { port: 'INTERNAL_PORT', host: 'INTERNAL_HOST' });
  closers.add(() => http.close(0));
  return { url: formatOrigin(internalHost, port), http };
};

type InternalServer = NonNullable<Awaited<ReturnType<typeof openInternal>>>;

type RedisConnection = ReturnType<typeof connectRedis>;

interface OwnParts {
  readonly redis?: RedisConnection | undefined;
  /** Shows a line to the person who runs a demo. */
  readonly tell: (line: string) => void;
}

type WebParts = ProcessParts & Mode & OwnParts;

/** The URLs of a process. */
export interface ServiceUrls {
  readonly publicUrl: string;
  /** Set if health and metrics have their own port. */
  readonly internalUrl?: string | undefined;
}

/** Time limits of requests. */
export interface RequestTimeouts {
  /** Milliseconds for which a request may wait for the database before it is answered by 503; by default 1500. */
  readonly requestPatienceMs?: number;
}

/** Connections for requests, and for background work: neither can use up those of the other. */
export interface DatabasePools {
  readonly foreground: Db;
  readonly background: Db;
}

/** The part of a service that answers requests, apart from the ports that it listens on. */
export const createWeb = (config: Config & RequestTimeouts, parts: WebParts, internal: InternalServer | undefined) => {
  const { clock, log, closers, metrics, counts, demo, only, tell } = parts;
  const bounds = { ...config, shares: computeShares(config), isProxy: createProxyCheck(config) };
  const overload = createOverload(bounds, log, counts.request, internal ? new Set() : WATCHED_PATHS);
  watchLoad(metrics, overload.state);
  const http = createHttpServer(overload, counts.request, { patienceMs: config.requestPatienceMs });
  let publicUrl = '';
  let draining = false;
  let longPolls: LongPolls | undefined;
  let changes: { readonly caughtUp: () => Promise<void> } | undefined;
  return {
    http,
    /** Sets the URL under which callers reach the service. */
    reachedAt: (url: string): void => {
      publicUrl = url;
      http.reachedAt(url);
      internal?.http.reachedAt(url);
    },
    /**
     * Starts to serve on a connected database, once the caches are loaded or `ended` resolves.
     * @param readMetrics reads the metrics that `/metrics` shows; by default those of this service
     */
    serve: async (pools: DatabasePools, ended: Promise<unknown>, readMetrics = metrics.read): Promise<void> => {
      const { foreground: db, background } = pools;
      const { webhook, plans, recordReads, ...limits } = await connectLimiters(config, parts);
      const { loaded, caughtUp, ...reading } = startReading(pools, config, parts);
      changes = { caughtUp };
      await Promise.race([loaded, ended]);
      longPolls = createLongPolls({
        readSize: () => readTreeSize(background),
        onFault: (error) => log.warn({ err: error }, 'waiting requests cannot learn the end of the record'),
      });
      closers.add(async () => longPolls?.end());
      const usage = createUsage(background, clock, (error) =>
        log.warn({ err: error }, 'the use of customers cannot be noted'),
      );
      closers.add(usage.stop);
      const webhooks = await openWebhooks(config, parts);
      const isReady = async () => !draining && (await pingMongo(db));
      watchReady(metrics, isReady);
      const watched: InternalParts = { isReady, readMetrics, metricsReaders: resolveMetricsReaders(config) };
      internal?.http.serve(createInternalApp(watched, publicUrl, log, counts.request));
      overload.begin();
      http.serve(
        await createApp({
          db,
          ...limits,
          ...reading,
          log,
          countRequest: counts.request,
          overload,
          publicUrl,
          version,
          clock,
          identityProvider: config.identityProvider,
          keepsAddresses: config.mail !== undefined,
          complaintsPerDay: config.complaintsPerDay,
          erasureList: resolveErasureList(config),
          enterprise: {
            environment: demo ? 'sandbox' : 'live',
            usage,
            plans,
            recordReads,
            longPolls,
            dataDir: config.dataDir,
            webhooks,
          },
          enterpriseContact: config.enterpriseContact,
          demo,
          signIn: { ...config.signIn, demo: demo ? { tell, dataDir: config.dataDir } : undefined },
          operator: demo ? findDemoOperator(config.operator) : config.operator,
          only,
          kycWebhook: { keys: config.kycWebhookKeys, limit: webhook },
          internal: internal ? undefined : watched,
          trustProxy: config.trustProxy,
        }),
      );
    },
    /** Resolves when answers include everything that is durable now. */
    settle: async (): Promise<void> => changes?.caughtUp(),
    /** Fails readiness at once, and closes after the probe period when requests in flight have ended. */
    drain: async (signal: NodeJS.Signals): Promise<void> => {
      draining = true;
      longPolls?.end();
      http.leave();
      log.info({ signal }, 'draining');
      if (signal === 'SIGTERM') await sleep(PROBE_MS);
      await http.close(DRAIN_MS); // closes before the parts that requests need
    },
  };
};

/**
 * Opens the public port. Until `serve` is called, the process reports itself as alive and answers everything else with
 * 503.
 * A worker starts to listen only in `serve`: other workers answer until then, and connections that the kernel gave to
 * it would wait.
 */
export const openWeb = async (config: Config, parts: WebParts) => {
  const internal = await openInternal(config, parts);
  const web = createWeb(config, parts, internal);
  const listen = (): Promise<number> => web.http.listen(config.port, config.host);
  const port = cluster.isWorker ? config.port : await listen();
  parts.closers.add(() => web.http.close(0)); // for a process that ends before it drains
  const publicUrl = config.publicUrl ?? formatOrigin(config.host, port);
  web.reachedAt(publicUrl);
  return {
    ...web,
    addresses: { publicUrl, internalUrl: internal?.url } satisfies ServiceUrls,
    serve: async (...args: Parameters<typeof web.serve>): Promise<void> => {
      await web.serve(...args);
      if (cluster.isWorker) await listen();
    },
  };
};
