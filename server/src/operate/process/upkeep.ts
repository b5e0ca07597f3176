import { listEntries } from '../../platform/audit/store.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { dirtyBacklog } from '../../platform/dirty-marks.ts';
import { openDatabase } from '../../platform/embedded/mongo.ts';
import { startLoop } from '../../platform/loop.ts';
import { connectMongo, disconnectMongo } from '../../platform/mongo.ts';
import type { Log } from '../../platform/observe/log.ts';
import { watchMongo } from '../../platform/observe/mongo.ts';
import { countRefreshFailure, watchBacklog, watchJobs, watchTime } from '../../platform/observe/state.ts';
import { refreshDirty } from '../../published/refresh.ts';
import type { Config } from '../config.ts';
import { lastDone } from '../import/runs.ts';
import { listJobs, startJobs } from '../jobs/service.ts';
import { isRunnable, JOBS } from '../jobs/table.ts';
import { requireServable } from '../migrations/run.ts';
import { requireNoRealBrokers, seedDemo, seedEmpty } from '../seed.ts';
import type { Closers } from './closers.ts';

/** Interval between looks for dirty marks, in milliseconds. A write must show within a second. */
const REFRESH_MS = 200;

/** Time in milliseconds for an embedded database to flush to disk, or for a job to finish its batch. */
const PATIENT_MS = 5000;

export const system: Context = { actor: { type: 'system', name: 'serve' }, clock: systemClock };

export const print = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};

/** Opens the database and seeds an empty one. */
export const openStores = async (
  config: Config,
  demo: boolean,
  closers: Closers,
  onLost: () => void,
): Promise<void> => {
  const database = await openDatabase({ ...config, use: 'serve', log: print, onLost });
  closers.add(() => database.close(), PATIENT_MS);
  closers.add(disconnectMongo);
  await connectMongo(database.url, { monitorCommands: true });
  watchMongo();
  const { pending } = await requireServable(system);
  if (pending.length > 0) print(`The database lacks migrations (${pending.join(', ')}): run broker-rating migrate.`);
  if (demo) await requireNoRealBrokers();
  await seedEmpty(system);
  if (demo) await seedDemo(system, print);
};

/** Exports the metrics that are read from the database: backlog, jobs and the last backup and register check. */
const watchUpkeep = (config: Config): void => {
  watchBacklog(dirtyBacklog);
  const mine = new Set(JOBS.filter((job) => isRunnable(job, config)).map(({ name }) => name));
  if (config.jobs) watchJobs(async () => (await listJobs(systemClock())).filter(({ name }) => mine.has(name)));
  watchTime(
    'broker_rating_backup_timestamp_seconds',
    'When the last backup was made by the command `backup`; missing where none was.',
    async () => (await listEntries({ action: 'backup.made' }, 1))[0]?.at ?? null,
  );
  watchTime(
    'broker_rating_register_check_timestamp_seconds',
    'When a register was last compared by `license check --apply`; missing where none was.',
    async () => (await lastDone('licenses'))?.finishedAt ?? null,
  );
};

/** Starts to refresh published documents and, if this process takes jobs, to run due jobs. */
export const startUpkeep = async (config: Config, log: Log, closers: Closers): Promise<void> => {
  const loop = startLoop(
    () => refreshDirty(systemClock),
    REFRESH_MS,
    (error) => {
      countRefreshFailure();
      log.error({ err: error }, 'refresh of due documents failed; it is tried again');
    },
  );
  closers.add(loop.stop);
  if (config.jobs) closers.add((await startJobs(systemClock, config, log)).stop, PATIENT_MS);
  watchUpkeep(config);
};
