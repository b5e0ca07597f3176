import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { BASE_PATH } from '@broker-transparency/contract';
import { KYC_WEBHOOK_LIMIT } from './accounts/routes.ts';
import { createApp } from './app.ts';
import { version } from './assets.ts';
import { type Config, readConfig } from './config.ts';
import type { Context } from './context.ts';
import { mintDemoTokens } from './demo/tokens.ts';
import { createLimit } from './http/limits.ts';
import { createHttpServer, listen } from './http/listen.ts';
import { createPrepared } from './http/prepared.ts';
import { startJobs } from './jobs/service.ts';
import { createLog, type Log } from './observe/log.ts';
import { watchDatabase } from './platform/changes.ts';
import { moveClock, systemClock } from './platform/clock.ts';
import { openDatabase } from './platform/embedded/mongo.ts';
import { startLoop } from './platform/loop.ts';
import { connectMongo, disconnectMongo, pingMongo } from './platform/mongo.ts';
import { connectRedis } from './platform/redis.ts';
import { refreshDue } from './refresh.ts';
import { searchFeed } from './search/feed.ts';
import { createSearchIndex } from './search/index.ts';
import { seedDemo, seedRegulators } from './seed.ts';
import { preparedFeed, SHOWN_COLLECTIONS } from './shown.ts';

/** How often due documents are looked for: a write must show within a second. */
const REFRESH_MS = 200;
/** A load balancer needs this long to see that readiness failed. */
const PROBE_MS = 3000;
/** Requests in flight get this long to end. */
const DRAIN_MS = 10_000;

const print = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};

const system: Context = { actor: { type: 'system', name: 'serve' }, clock: systemClock };

/** Ends things in the opposite order of their start. */
const createClosers = () => {
  const closers: (() => Promise<unknown> | undefined)[] = [];
  return {
    add: (close: () => Promise<unknown> | undefined): void => {
      closers.push(close);
    },
    closeAll: async (log: Log): Promise<void> => {
      for (const close of closers.reverse())
        await Promise.race([Promise.resolve(close()), sleep(5000, undefined, { ref: false })]).catch((error: unknown) =>
          log.error({ err: error }, 'not closed cleanly'),
        );
    },
  };
};
type Closers = ReturnType<typeof createClosers>;

const openStores = async (config: Config, demo: boolean, closers: Closers, onLost: () => void): Promise<void> => {
  const database = await openDatabase({ ...config, use: 'serve', log: print, onLost });
  closers.add(() => database.close());
  closers.add(disconnectMongo);
  await connectMongo(database.url);
  await seedRegulators(system);
  if (demo) await seedDemo(system, print);
};

const connectLimiters = (config: Config, log: Log, closers: Closers) => {
  if (config.redisUrl === undefined) {
    log.warn('REDIS_URL is not set: requests are counted in the memory of this process');
    return { limit: createLimit(config.publicRateLimit), webhook: createLimit(KYC_WEBHOOK_LIMIT, undefined, 'kyc') };
  }
  const redis = connectRedis(config.redisUrl, (error) => log.warn({ err: error.message }, 'redis'));
  closers.add(async () => redis.disconnect());
  return { limit: createLimit(config.publicRateLimit, redis), webhook: createLimit(KYC_WEBHOOK_LIMIT, redis, 'kyc') };
};

const startRefresh = (log: Log, closers: Closers): void => {
  const loop = startLoop(
    () => refreshDue(systemClock),
    REFRESH_MS,
    (error) => log.error({ err: error }, 'refresh of due documents failed; it is tried again'),
  );
  closers.add(loop.stop);
};

/** Keep-alive connections are told to close, so that callers move on; in-flight requests end. */
const closeServer = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), 50); // a request that ends leaves its connection open
  await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })]);
  clearInterval(sweep);
  server.closeAllConnections();
};

/** The first signal drains, the second ends at once. SIGINT comes from a person: no probe period. */
const nextSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let first = true;
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        if (!first) process.exit(1);
        first = false;
        resolve(signal);
      });
  });

/** A signal came before the service was ready. */
class StoppedEarly extends Error {}

/** Ends a start that hangs. */
const stoppedEarly = async (signal: Promise<NodeJS.Signals>): Promise<never> => {
  throw new StoppedEarly(await signal);
};

const announce = async (url: string, demo: boolean): Promise<void> => {
  print(`\nBroker transparency API ${version}`);
  print(`  API        ${url}${BASE_PATH}`);
  print(`  Reference  ${url}/docs`);
  if (demo) {
    const tokens = await mintDemoTokens(system);
    print('\nDemo data: every broker, review and news item is fictional. Tokens, good for a day:');
    print(`  identity verified      ${tokens.verified}`);
    print(`  identity not verified  ${tokens.unverified}`);
    print('\nTry:');
    print(`  curl '${url}${BASE_PATH}/brokers/alpha-markets'`);
  }
  print();
};

/** Serves until a signal. @throws Error with one clear line where something it needs cannot be had */
export const startServer = async (env: NodeJS.ProcessEnv, demo: boolean): Promise<void> => {
  const config = readConfig(env);
  const log = createLog(config.logLevel);
  if (config.clock !== undefined) {
    moveClock(config.clock);
    log.warn(
      { now: systemClock() },
      'CLOCK is set: this process does not tell the real time; for tests and rehearsals only',
    );
  }
  const closers = createClosers();
  const signal = nextSignal();
  const ending = Promise.withResolvers<never>();
  ending.promise.catch(() => {}); // it may come before it is waited for
  const lost = () => ending.reject(new Error('the embedded database ended: start the service again'));
  let draining = false;
  try {
    const { server, reachedAt, serve } = createHttpServer();
    const port = await listen(server, config.port, config.host);
    closers.add(() => closeServer(server));
    const host = config.host.includes(':') ? `[${config.host}]` : config.host;
    const publicUrl = config.publicUrl ?? `http://${host}:${port}`;
    reachedAt(publicUrl);
    await Promise.race([openStores(config, demo, closers, lost), stoppedEarly(signal)]);
    const { limit, webhook } = connectLimiters(config, log, closers);
    const searchIndex = createSearchIndex();
    const prepared = createPrepared(config.preparedMb * 2 ** 20, () => changes.seenAt());
    // search first: a search that is answered anew must find what has changed
    const changes = watchDatabase(SHOWN_COLLECTIONS, [searchFeed(searchIndex), preparedFeed(prepared)], (error) =>
      log.warn({ err: error }, 'changes of the database are not followed; tried again'),
    );
    closers.add(changes.stop);
    await Promise.race([changes.loaded, signal]);
    startRefresh(log, closers);
    if (config.jobs) closers.add((await startJobs(systemClock, config, log)).stop);
    const isReady = async () => !draining && (await pingMongo());
    serve(
      createApp({
        clock: systemClock,
        log,
        limit,
        identityProvider: config.identityProvider,
        kycWebhook: { keys: config.kycWebhookKeys, limit: webhook },
        searchIndex,
        prepared,
        isReady,
        publicUrl,
        trustProxy: config.trustProxy,
        version,
      }),
    );
    await announce(publicUrl, demo);
    const received = await Promise.race([signal, ending.promise]);
    draining = true;
    server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
    log.info({ signal: received }, 'draining');
    if (received === 'SIGTERM') await sleep(PROBE_MS);
    await closeServer(server); // before what its requests need
  } catch (error) {
    if (!(error instanceof StoppedEarly)) throw error;
  } finally {
    await closers.closeAll(log);
  }
};
