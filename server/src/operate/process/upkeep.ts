import { requireWritable } from '@broker-transparency/embedded-mongo/data-dir';
import { openDatabase } from '@broker-transparency/embedded-mongo/mongo';
import pLimit from 'p-limit';
import { startDispatcher } from '../../enterprise/webhooks/dispatcher.ts';
import type { Context } from '../../ledger/context.ts';
import { ANY_DIRTY } from '../../ledger/dirty-marks.ts';
import { publishKeys, publishPolicy, requireOrigin } from '../../ledger/log/checkpoint.ts';
import { growFounded } from '../../ledger/log/hold.ts';
import { readLogKey } from '../../ledger/log/keys.ts';
import { createSigner } from '../../ledger/log/signer.ts';
import { isBehind, readLogProgress } from '../../ledger/log/standing.ts';
import { findUnsignedSince, listWitnessStates } from '../../ledger/log/state.ts';
import { createWitnessClient } from '../../ledger/log/witnesses/asking.ts';
import { readWitnesses } from '../../ledger/log/witnesses/policy.ts';
import { BEGUN, numberEntries, PENDING } from '../../ledger/record/sequencer.ts';
import { loadModels, MODULES } from '../../modules.ts';
import type { Clock } from '../../platform/clock.ts';
import { pollDocuments } from '../../platform/look.ts';
import { createWorker, startLoop } from '../../platform/loop.ts';
import { closeDb, connectAsReader, type Db, ensureModels } from '../../platform/mongo.ts';
import type { Pool } from '../../platform/observe/mongo.ts';
import { watchJobs, watchTime, watchWitnesses } from '../../platform/observe/state.ts';
import { createPresence, PRESENCE_MS } from '../../platform/presence.ts';
import { findUnfounded } from '../../published/record/founded.ts';
import { publishMethodology } from '../../published/record/methodology.ts';
import { growSubtotals } from '../../published/record/subtotals.ts';
import { refreshDirty } from '../../published/refresh.ts';
import { type Config, resolveLogMirror } from '../config.ts';
import { openDemoLog, requireNoLog, requireOwnKeys } from '../demo/log.ts';
import { clearUnfinished, type DemoMark, readMark, requireMark } from '../demo/mark.ts';
import { requireFeedRegulators } from '../inputs.ts';
import { listJobs, startJobs } from '../jobs/service.ts';
import { listRunnableJobs } from '../jobs/table.ts';
import { requireServable } from '../migrations/run.ts';
import { findMissingOperatorSettings } from '../operator-settings.ts';
import { requireNoRealBrokers, seedEmptyDatabase } from '../seed.ts';
import { watchSignals } from '../signals/metrics.ts';
import { startListCopies } from './lists.ts';
import { startMail } from './mail.ts';
import type { ProcessParts, Settle } from './parts.ts';
import { openWebhooks } from './webhooks.ts';

/** Milliseconds between checks for dirty marks and entries without numbers. A write must show within a second. */
const LOOK_MS = 200;

/** Milliseconds between checks for entries that the log lacks. */
const LOG_MS = 1000;

/** Milliseconds between checks for entries that subtotals lack. Reads add such entries themselves. */
const FOLD_MS = 2000;

/** Time in milliseconds for an embedded database to flush to disk, or for a job to finish its batch. */
const PATIENT_MS = 5000;

/** Returns the context of the service's own actions. */
export const createSystemContext = (db: Db, clock: Clock): Context => ({
  actor: { type: 'system', name: 'serve' },
  clock,
  db,
});

export const print = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};

/** Starts to record in the database that this process runs on it. */
export const startPresence = (db: Db, { closers, log }: Pick<ProcessParts, 'closers' | 'log'>): void => {
  const { renew, end } = createPresence(db);
  const renewing = startLoop(renew, PRESENCE_MS, (error) =>
    log.warn({ err: error }, 'the database does not know that this process runs; retrying'),
  );
  closers.add(async () => {
    await renewing.stop();
    await end();
  });
};

/**
 * Prepares an open database: refuses one that this release cannot serve, creates missing collections and indexes,
 * records the presence of this process, and seeds an empty database.
 */
export const prepareStores = async (
  db: Db,
  config: Config,
  demo: boolean,
  parts: Pick<ProcessParts, 'clock' | 'closers' | 'log'>,
  tell: (line: string) => void,
): Promise<void> => {
  const { clock, log } = parts;
  if (demo) requireNoLog(config);
  const missing = demo ? [] : findMissingOperatorSettings(config.publicUrl, config.operator);
  if (missing.length > 0)
    log.warn(
      { missing },
      'nobody answers for this public service: set these, which its pages show (docs/operating.md)',
    );
  await requireWritable(config.dataDir);
  if (demo) {
    await requireNoRealBrokers(db);
    await clearUnfinished(db);
  }
  const { pending } = await requireServable(createSystemContext(db, clock), config);
  if (pending.length > 0)
    tell(`The database lacks migrations (${pending.join(', ')}): run broker-rating admin migrate.`);
  await loadModels();
  await ensureModels(db);
  const mark = await requireMark(db, demo, clock);
  startPresence(db, parts);
  const isNew = mark?.isFilled === false;
  const system = createSystemContext(db, isNew ? () => mark.beganAt : clock);
  await publishMethodology(system);
  await seedEmptyDatabase(system);
  if (isNew) {
    tell('Making a fictional demo: first what was known 18 months ago.');
    const { beginDemo } = await import('../demo/load.ts'); // a production start never needs these large tables
    await beginDemo(db, mark);
    await refreshDirty(db, clock);
  }
  await requireFeedRegulators(db, config);
};

/**
 * Writes the history of a demo that has none yet, and opens its log. Returns the settings with its key and witness.
 * Nothing else may number entries meanwhile, because they get past times.
 */
export const openDemo = async (
  db: Db,
  config: Config,
  parts: ProcessParts,
  tell: (line: string) => void,
): Promise<Config> => {
  const mark = (await readMark(db)) as DemoMark;
  if (!mark.isFilled) {
    tell('The 18 months since then follow within a minute.');
    const { fillDemo } = await import('../demo/load.ts');
    await fillDemo(db, mark, parts.clock);
    await refreshDirty(db, parts.clock);
  }
  return openDemoLog(db, mark, config, parts);
};

/** The database of a process: its address, and the connections for background work. */
interface OpenStores {
  readonly url: string;
  readonly background: Db;
}

/** Opens the database of a process and prepares it. */
export const openStores = async (
  config: Config,
  demo: boolean,
  parts: ProcessParts,
  onLost: () => void,
): Promise<OpenStores> => {
  const { closers } = parts;
  const database = await openDatabase({ ...config, use: 'serve', log: print, onLost });
  closers.add(() => database.close(), PATIENT_MS);
  const background = await openPool('background', createConnector(database.url), parts);
  await prepareStores(background, config, demo, parts, print);
  return { url: database.url, background };
};

/** Returns the function that connects to the database of a process. */
export const createConnector = (url: string) => (): Promise<Db> => connectAsReader(url, { monitorCommands: true });

/** Opens connections that are watched, and closed with the service. */
export const openPool = async (
  pool: Pool,
  connect: () => Promise<Db>,
  { closers, watchPool }: ProcessParts,
): Promise<Db> => {
  const db = await connect();
  closers.add(() => closeDb(db));
  watchPool(pool, db);
  return db;
};

/**
 * Returns true if this process signs the log. With a moved clock it does not, since times of checkpoints could not be
 * trusted.
 */
const isSigner = ({ logKeys, clock }: Config): boolean => logKeys.length > 0 && clock === undefined;

/** Returns true if this process or `log sign` keeps the log. */
const isLogMaintained = (config: Config): boolean => isSigner(config) || config.logSigner === 'apart';

/** Exports what each module publishes from the database, and the state of jobs, the log, signals and witnesses. */
const watchBackgroundWork = async (db: Db, config: Config, parts: ProcessParts): Promise<void> => {
  const { clock, metrics, counts } = parts;
  const { database } = counts;
  for (const { metrics: load } of MODULES) (await load?.())?.(db, { database, metrics, clock });
  const mine = new Set(listRunnableJobs(config));
  if (config.jobs) watchJobs(database, async () => (await listJobs(db, clock())).filter(({ name }) => mine.has(name)));
  watchTime(
    database,
    'broker_rating_log_unsigned_since_timestamp_seconds',
    'Since when the oldest entry waits that no checkpoint covers; missing where none does, and where no log is kept.',
    async () => (isLogMaintained(config) ? findUnsignedSince(db) : null),
  );
  if (config.jobs) watchSignals(db, metrics, { ...config, jobs: [...mine] }, clock);
  watchWitnesses(database, async () =>
    config.logWitnesses !== undefined && isLogMaintained(config) ? listWitnessStates(db) : [],
  );
};

const STANDS_STILL = 'numbering or signing the record failed; retrying';

/** Reads the signing settings of the log, and its witnesses; undefined if nothing is signed. */
const readSigning = async (db: Db, config: Config, { clock }: ProcessParts) => {
  const keys = await Promise.all(config.logKeys.map(readLogKey));
  await requireOrigin(db, keys);
  await requireOwnKeys(db, keys);
  const witnesses = config.logWitnesses === undefined ? undefined : await readWitnesses(config.logWitnesses, keys);
  const [key] = keys;
  if (!key || !isSigner(config)) return undefined;
  await publishKeys(db, keys, clock);
  await publishPolicy(db, keys, witnesses);
  return { keys, origin: key.name, keptIn: resolveLogMirror(config, key.name), witnesses };
};

/** Starts to add entries of the record to the log, to sign it, and to have witnesses sign it. */
export const startLog = async (db: Db, config: Config, parts: ProcessParts): Promise<Settle> => {
  const { clock, log, closers, counts } = parts;
  const signing = await readSigning(db, config, parts);
  const { origin, witnesses } = signing ?? {};
  const signer = signing && createSigner(db, signing, { clock, log });
  const asking =
    origin !== undefined && witnesses
      ? await createWitnessClient(db, { origin, witnesses, clock, lines: log, countFailure: counts.witnessFailure })
      : undefined;
  const inTurn = pLimit(1); // two at a time would sign two checkpoints of one size
  const maintainLog = (): Promise<void> =>
    inTurn(async () => {
      let standing = await readLogProgress(db);
      if (isBehind(standing) || standing.hold) {
        await growFounded(db, { findUnfounded, clock, log });
        standing = await readLogProgress(db);
      }
      const published = await signer?.sign(standing);
      await asking?.askDue(published);
    });
  const logging = startLoop(maintainLog, LOG_MS, (error) => log.error({ err: error }, STANDS_STILL));
  closers.add(async () => {
    await logging.stop();
    await asking?.stop();
    await signer?.stop();
  });
  return maintainLog;
};

/**
 * Starts to refresh dirty published documents and to number entries of the record. One check finds both, and neither
 * waits for the other.
 */
const startPolling = (db: Db, { clock, log, closers, counts }: ProcessParts) => {
  const onRefreshError = (error: unknown): void => {
    counts.refreshFailure();
    log.error({ err: error }, 'refresh of broker documents failed; retrying');
  };
  const refreshing = createWorker(() => refreshDirty(db, clock), onRefreshError);
  const onRecordError = (error: unknown): void => log.error({ err: error }, STANDS_STILL);
  const numbering = createWorker(() => numberEntries(db, clock), onRecordError);
  const pollBoth = async (): Promise<void> => {
    const { dirty, pending, begun } = await pollDocuments(db, { dirty: ANY_DIRTY, pending: PENDING, begun: BEGUN });
    if (dirty !== undefined) refreshing.run();
    if (pending !== undefined || begun !== undefined) numbering.run();
  };
  const looking = startLoop(pollBoth, LOOK_MS, onRefreshError);
  const folding = startLoop(() => growSubtotals(db), FOLD_MS, onRecordError);
  closers.add(async () => {
    await Promise.all([looking.stop(), folding.stop()]);
    await Promise.all([refreshing.ended(), numbering.ended()]);
  });
  return {
    refresh: (): Promise<void> => refreshDirty(db, clock),
    number: async (): Promise<void> => {
      await numberEntries(db, clock);
      await growSubtotals(db);
    },
  };
};

/** Starts to send webhooks, in processes that run jobs. It is no job, since jobs start up to five seconds late. */
const startWebhooks = async (db: Db, config: Config, parts: ProcessParts): Promise<Settle> => {
  const { clock, log, closers, counts } = parts;
  const { deliver } = await openWebhooks(config, parts);
  const dispatcher = startDispatcher(db, { clock, deliver, log, countDelivery: counts.delivery });
  closers.add(dispatcher.stop, PATIENT_MS);
  return dispatcher.settle;
};

/**
 * Starts to refresh published documents, to keep the record and, if this process takes jobs, to run due jobs.
 * @returns functions that wait for each kind of work to catch up, by name, in the order in which work causes other work
 */
export const startBackgroundWorkers = async (
  db: Db,
  config: Config,
  parts: ProcessParts,
): Promise<readonly (readonly [name: string, settle: Settle])[]> => {
  const { clock, log, closers, counts } = parts;
  const copyLists = startListCopies(createSystemContext(db, clock), config, parts);
  const keepLog = config.logSigner === 'apart' ? async () => {} : await startLog(db, config, parts);
  const { refresh, number } = startPolling(db, parts);
  const outboxes = config.jobs
    ? ([
        ['webhooks', await startWebhooks(db, config, parts)],
        ['mail', await startMail(db, config, parts)],
      ] as const)
    : [];
  if (config.jobs) closers.add((await startJobs(db, clock, config, log, counts.correction)).stop, PATIENT_MS);
  await watchBackgroundWork(db, config, parts);
  return [
    ['lists of erasures and blocks', copyLists],
    ['published documents', refresh],
    ['numbers of the record', number],
    ['log', keepLog],
    ...outboxes,
  ];
};
