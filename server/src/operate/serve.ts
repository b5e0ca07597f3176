import cluster from 'node:cluster';
import { BASE_PATH } from '@broker-transparency/contract';
import { ENTERPRISE_BASE_PATH } from '@broker-transparency/contract/enterprise';
import { readOpenedAddress } from '@broker-transparency/embedded-mongo/mongo';
import { findPort } from '../http/server/sockets.ts';
import type { Context } from '../ledger/context.ts';
import type { Mode } from '../mode.ts';
import { createClock } from '../platform/clock.ts';
import type { Db } from '../platform/mongo.ts';
import { createLog, flushLog, standardOutput } from '../platform/observe/log.ts';
import { createMetrics } from '../platform/observe/metrics.ts';
import { watchProcess } from '../platform/observe/process.ts';
import { gatherMetrics, reportMetrics } from '../platform/observe/scrape.ts';
import { version } from '../version.ts';
import { type Config, describeDatabase } from './config.ts';
import { createDemoPeopleLines } from './demo/people.ts';
import { mintDemoKey, mintDemoTokens } from './demo/tokens.ts';
import { requireInputs } from './inputs.ts';
import { createParts, type ProcessParts } from './process/parts.ts';
import { awaitSignal, EarlyStopError, rejectOnSignal } from './process/signals.ts';
import {
  createConnector,
  createSystemContext,
  openDemo,
  openPool,
  openStores,
  print,
  startBackgroundWorkers,
} from './process/upkeep.ts';
import { openWeb, type ServiceUrls } from './process/web.ts';
import { notifyReady, startWorkers } from './process/workers.ts';

/** The objects that every kind of process receives. */
interface ProcessContext {
  readonly config: Config;
  readonly parts: ProcessParts;
  readonly mode: Mode;
  /** Resolves with the signal that ends the process. */
  readonly signal: Promise<NodeJS.Signals>;
}

/** Returns the lines that say how to sign in to a demo. Where it prints no links, its operators cannot. */
const createSignInLines = async (system: Context, url: string, { mail, signIn }: Config): Promise<string[]> => {
  const printsLinks = mail === undefined && signIn.provider === undefined;
  const way = printsLinks
    ? 'The demo sends no mail: the link is printed here.'
    : mail === undefined
      ? 'It leads to the identity provider (OIDC_ISSUER).'
      : 'The link goes out by mail (SMTP_URL).';
  const people = printsLinks ? await createDemoPeopleLines(system, url) : [];
  return [`To sign in, open ${url}/sign-in. ${way}`, ...people, ''];
};

const createDemoLines = async (system: Context, url: string, { only }: Mode, config: Config): Promise<string[]> => {
  const tokens = await mintDemoTokens(system);
  const key = await mintDemoKey(system);
  return [
    '',
    'Demo data: every broker, review and news item is fictional. Tokens, good for a day:',
    `  identity verified      ${tokens.verified}`,
    `  identity not verified  ${tokens.unverified}`,
    `  enterprise key         ${key}`,
    '',
    ...(only === 'enterprise' ? [] : await createSignInLines(system, url, config)),
    'Try:',
    only === 'enterprise'
      ? `  curl -H 'Authorization: Bearer ${key}' '${url}${ENTERPRISE_BASE_PATH}/account'`
      : `  curl '${url}${BASE_PATH}/brokers/alpha-markets'`,
  ];
};

/** Prints everything in one write, so that a program that waits for the address also has the other lines. */
const announce = async (
  db: Db,
  { config, parts, mode: { demo, only } }: ProcessContext,
  { publicUrl: url, internalUrl }: ServiceUrls,
): Promise<void> => {
  const lines = [
    '',
    `Broker transparency API ${version}`,
    ...(only === 'enterprise'
      ? [`  Enterprise ${url}${ENTERPRISE_BASE_PATH}`, `  Reference  ${url}/docs/reference/enterprise`]
      : [`  Site       ${url}/`, `  API        ${url}${BASE_PATH}`, `  Reference  ${url}/docs/reference/api`]),
    ...(internalUrl === undefined ? [] : [`  Internal   ${internalUrl}`]),
    `  Database   ${describeDatabase(config)}`,
    ...(demo ? await createDemoLines(createSystemContext(db, parts.clock), url, { demo, only }, config) : []),
    '',
  ];
  print(lines.join('\n'));
};

/** Returns a promise that rejects if the embedded database ends on its own, and the callback that rejects it. */
const watchDatabaseEnd = () => {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {}); // it may reject before anyone awaits it
  return { lost: promise, onLost: () => reject(new Error('the embedded database ended: start the service again')) };
};

/** Starts background work. For a demo, resolves when its log is signed, so that each printed sample works at once. */
const startUpkeep = async (db: Db, { config, parts, mode: { demo } }: ProcessContext): Promise<void> => {
  const settings = demo ? await openDemo(db, config, parts, print) : config;
  const workers = await startBackgroundWorkers(db, settings, parts);
  if (!demo) return;
  for (const [, settle] of workers) await settle();
};

/** Runs the whole service in one process. */
const runAlone = async (life: ProcessContext): Promise<void> => {
  const { config, parts, mode, signal } = life;
  const { lost, onLost } = watchDatabaseEnd();
  const web = await openWeb(config, { ...parts, ...mode, tell: print });
  const opening = openStores(config, mode.demo, parts, onLost);
  const { url, background } = await Promise.race([opening, rejectOnSignal(signal)]);
  await web.serve({ foreground: await openPool('foreground', createConnector(url), parts), background }, signal);
  await Promise.race([startUpkeep(background, life), rejectOnSignal(signal)]);
  await announce(background, life, web.addresses);
  await web.drain(await Promise.race([signal, lost]));
};

/** Runs the primary above the workers: it holds the database and the jobs, and serves no requests. */
const runPrimary = async (life: ProcessContext): Promise<void> => {
  const { config, parts, mode, signal } = life;
  const { log, closers, metrics } = parts;
  const { lost, onLost } = watchDatabaseEnd();
  const port = await findPort({ port: config.port, host: config.host });
  const opening = openStores(config, mode.demo, parts, onLost);
  const { background: db } = await Promise.race([opening, rejectOnSignal(signal)]);
  await Promise.race([startUpkeep(db, life), rejectOnSignal(signal)]);
  gatherMetrics(metrics, config.workers);
  const workers = startWorkers(config.workers, port, log);
  let received: NodeJS.Signals = 'SIGINT';
  closers.add(() => workers.stop(received));
  await announce(db, life, await Promise.race([workers.ready, rejectOnSignal(signal)]));
  received = await Promise.race([signal, lost]);
  await workers.stop(received);
};

/** Runs a worker, which only serves requests. */
const runWorker = async ({ config, parts, mode, signal }: ProcessContext): Promise<void> => {
  const web = await openWeb(config, { ...parts, ...mode, tell: print });
  const connect = createConnector(await readOpenedAddress(config));
  const background = await openPool('background', connect, parts);
  const foreground = await openPool('foreground', connect, parts);
  await web.serve({ foreground, background }, signal, reportMetrics(parts.metrics));
  notifyReady(web.addresses);
  await web.drain(await signal);
};

/** Serves until a signal arrives. @throws Error with a one-line message if something it needs is unavailable */
export const startServer = async (config: Config, mode: Mode): Promise<void> => {
  const output = standardOutput(config.workers > 1 ? 'shared' : 'alone');
  const log = createLog(config.logLevel, cluster.worker ? { worker: cluster.worker.id } : {}, output);
  const clock = createClock(config.clock);
  if (config.clock !== undefined)
    log.warn({ now: clock() }, 'CLOCK is set: this process does not tell the real time; for tests and rehearsals only');
  if (!cluster.isWorker) await requireInputs(config);
  const metrics = createMetrics();
  const parts = createParts({ clock, log, metrics });
  watchProcess(metrics, version, config.workers > 1 ? (cluster.worker?.id ?? 0) : undefined);
  const life: ProcessContext = { config, parts, mode, signal: awaitSignal(log) };
  try {
    if (cluster.isWorker) await runWorker(life);
    else await (config.workers > 1 ? runPrimary : runAlone)(life);
  } catch (error) {
    if (!(error instanceof EarlyStopError)) throw error;
  } finally {
    await parts.closers.closeAll(log);
    await flushLog(log);
  }
};
