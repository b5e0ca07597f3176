import { requireWritable } from '@broker-transparency/embedded-mongo/data-dir';
import { openDatabase } from '@broker-transparency/embedded-mongo/mongo';
import pLimit from 'p-limit';
import { registerServiceLevelMetrics } from '../../enterprise/service-level/metrics.ts';
import { startDispatcher } from '../../enterprise/webhooks/dispatcher.ts';
import { registerWebhookMetrics } from '../../enterprise/webhooks/metrics.ts';
import { countOpenMatches } from '../../features/warnings/actions.ts';
import { ALARMS, type AlarmKind } from '../../features/warnings/alarms.rule.ts';
import { countAlarms } from '../../features/warnings/alarms.ts';
import { lastDone } from '../../intake/imports/runs.ts';
import { listEntries } from '../../ledger/audit/store.ts';
import type { Context } from '../../ledger/context.ts';
import { ANY_DIRTY, dirtyBacklog } from '../../ledger/dirty-marks.ts';
import { publishKeys, publishPolicy, requireOrigin } from '../../ledger/log/checkpoint.ts';
import { growFounded } from '../../ledger/log/hold.ts';
import { readLogKey } from '../../ledger/log/keys.ts';
import { createSigner } from '../../ledger/log/signer.ts';
import { isBehind, readLogProgress } from '../../ledger/log/standing.ts';
import { findUnsignedSince, listWitnessStates, readSignedAt } from '../../ledger/log/state.ts';
import { createWitnessClient } from '../../ledger/log/witnesses/asking.ts';
import { readWitnesses } from '../../ledger/log/witnesses/policy.ts';
import { BEGUN, findPendingSince, numberEntries, PENDING } from '../../ledger/record/sequencer.ts';
import type { Clock } from '../../platform/clock.ts';
import { pollDocuments } from '../../platform/look.ts';
import { createWorker, startLoop } from '../../platform/loop.ts';
import { closeDb, connectAsReader, type Db, ensureModels } from '../../platform/mongo.ts';
import type { Pool } from '../../platform/observe/mongo.ts';
import {
  type DatabaseMetrics,
  watchBacklog,
  watchJobs,
  watchTime,
  watchValues,
  watchWitnesses,
} from '../../platform/observe/state.ts';
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
import { watchRegisters } from './watch-registers.ts';
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
  await ensureModels(db);
  const mark = await requireMark(db, demo, clock);
  startPresence(db, parts);
  const isNew = mark?.isFilled === false;
  const system = createSystemContext(db, isNew ? () => mark.beganAt : clock);
  await publishMethodology(system);
  await seedEmptyDatabase(system);
  if (isNew) {
    tell('A fictional demo is made: what was known 18 months ago first.');
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
    tell('The 18 months since follow within a minute.');
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

/** Exports the metrics that are read from the database: backlog, jobs and the last backup and register check. */
const watchBackgroundWork = (db: Db, config: Config, { clock, metrics, counts: { database } }: ProcessParts): void => {
  watchBacklog(database, () => dirtyBacklog(db));
  const mine = new Set(listRunnableJobs(config));
  if (config.jobs) watchJobs(database, async () => (await listJobs(db, clock())).filter(({ name }) => mine.has(name)));
  watchTime(
    database,
    'broker_rating_record_waiting_since_timestamp_seconds',
    'Since when the oldest entry of the record waits for its number, apart from imports; missing where none does.',
    () => findPendingSince(db),
  );
  watchTime(
    database,
    'broker_rating_log_checkpoint_timestamp_seconds',
    'When the published checkpoint of the log was signed; missing where none was.',
    () => readSignedAt(db),
  );
  watchTime(
    database,
    'broker_rating_log_unsigned_since_timestamp_seconds',
    'Since when the oldest entry waits that no checkpoint covers; missing where none does, and where no log is kept.',
    async () => (isLogMaintained(config) ? findUnsignedSince(db) : null),
  );
  watchRegisters(db, database);
  registerServiceLevelMetrics(db, metrics, clock);
  if (config.jobs) watchSignals(db, metrics, { ...config, jobs: [...mine] }, clock);
  watchWitnesses(database, async () =>
    config.logWitnesses !== undefined && isLogMaintained(config) ? listWitnessStates(db) : [],
  );
  watchTime(
    database,
    'broker_rating_backup_timestamp_seconds',
    'When the last backup was made by the command `backup`; missing where none was.',
    async () => (await listEntries(db, { action: 'backup.made' }, 1))[0]?.at ?? null,
  );
  watchTime(
    database,
    'broker_rating_register_check_timestamp_seconds',
    'When a register was last compared by `license check --apply`; missing where none was.',
    async () => (await lastDone(db, 'licenses'))?.finishedAt ?? null,
  );
  watchWarnings(db, database);
};

/** Exports the numbers of warnings' matches and of alarms that people have to check. */
const watchWarnings = (db: Db, database: DatabaseMetrics): void => {
  watchValues(
    database,
    'broker_rating_warning_matches_open',
    'Warnings of authorities that fit a broker and that no person has looked at.',
    async () => {
      const open = new Map((await countOpenMatches(db)).map(({ state, count }) => [state, count]));
      return (['waiting', 'unchecked'] as const).map((state) => ({ labels: { state }, value: open.get(state) ?? 0 }));
    },
  );
  watchTime(
    database,
    'broker_rating_warning_matches_open_since_timestamp_seconds',
    'Since when the oldest of them waits; missing where none does.',
    async () => (await countOpenMatches(db)).map(({ oldestAt }) => oldestAt).sort((a, b) => +a - +b)[0] ?? null,
  );
  watchValues(
    database,
    'broker_rating_broker_alarms',
    'Licence numbers, LEIs and domains that several brokers have, and nobody has settled; clone: of different firms.',
    async () => {
      const open = await countAlarms(db);
      return (Object.keys(ALARMS) as AlarmKind[]).flatMap((kind) =>
        [true, false].map((clone) => ({
          labels: { kind, clone: String(clone) },
          value: open.find((one) => one.kind === kind && one.isClone === clone)?.count ?? 0,
        })),
      );
    },
  );
};

const STANDS_STILL = 'the record or its log stands still; it is tried again';

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
    log.error({ err: error }, 'refresh of due documents failed; it is tried again');
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
  const { clock, log, closers, metrics, counts } = parts;
  const { deliver } = await openWebhooks(config, parts);
  const dispatcher = startDispatcher(db, { clock, deliver, log, countDelivery: counts.delivery });
  closers.add(dispatcher.stop, PATIENT_MS);
  registerWebhookMetrics(db, metrics, clock);
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
  watchBackgroundWork(db, config, parts);
  return [
    ['lists of erasures and blocks', copyLists],
    ['published documents', refresh],
    ['numbers of the record', number],
    ['log', keepLog],
    ...outboxes,
  ];
};
