import type { Context } from '../../ledger/context.ts';
import type { JobSettings, ServiceJob } from '../../ledger/define-module.ts';
import type { Clock } from '../../platform/clock.ts';
import { requireRightClock } from '../../platform/clock-drift.ts';
import { type JobEvents, type JobRun, LockLost } from '../../platform/jobs/job.ts';
import { findJobs, type JobDocument, makeDue } from '../../platform/jobs/store.ts';
import type { Db } from '../../platform/mongo.ts';
import type { Count } from '../../platform/observe/counted.ts';
import type { Log } from '../../platform/observe/log.ts';
import { type JobCounts, toJobCounts } from './counts.rule.ts';
import { isRunnable, JOBS, listRunnableJobs } from './table.ts';

type ContextFactory = (job: ServiceJob) => Context;

/** The counts of the last run of each job in this process. */
type JobReports = Map<string, JobCounts>;

interface QueueOptions {
  readonly settings: JobSettings;
  readonly events: JobEvents;
  readonly reports: JobReports;
  /** Counts a missing entry of the record that was added. */
  readonly countCorrection: Count;
}

const createJobQueue = async (
  db: Db,
  jobs: readonly ServiceJob[],
  createContext: ContextFactory,
  { settings, events, reports, countCorrection }: QueueOptions,
) => {
  const { createQueue } = await import('../../platform/jobs/queue.ts'); // listing jobs needs no job library
  const { summarizeSignals } = await import('../signals/summary.ts');
  const inputs = { ...settings, jobs: listRunnableJobs(settings) };
  return createQueue(
    db,
    jobs.map((job) => ({
      ...job,
      work: async (run: JobRun) => {
        await requireRightClock(db);
        const context = createContext(job);
        const summarize = () => summarizeSignals(db, inputs, context.clock());
        reports.set(job.name, toJobCounts(await job.run(context, run, settings, countCorrection, summarize)));
      },
    })),
    events,
  );
};

const createLogEvents = (log: Log, reports: JobReports): JobEvents => ({
  onStart: (job) => log.debug({ job }, 'job started'),
  onSuccess: (job, ms) => log.info({ job, ms, did: reports.get(job) }, 'job ended'),
  onFailure: (job, error, nextRunAt) =>
    error instanceof LockLost
      ? log.warn({ job }, 'job taken over by another process')
      : log.error({ job, err: error, nextRunAt }, 'job failed; retrying'),
  onError: (error) => log.error({ err: error }, 'jobs'),
});

/**
 * Runs jobs that are due until stopped. Several processes may run jobs at the same time: each due job runs in only one
 * of them.
 */
export const startJobs = async (
  db: Db,
  clock: Clock,
  settings: JobSettings,
  log: Log,
  countCorrection: Count,
): Promise<{ stop: () => Promise<void> }> => {
  const createContext: ContextFactory = ({ name }) => ({ actor: { type: 'system', name: `job:${name}` }, clock, db });
  const jobs = JOBS.filter((job) => isRunnable(job, settings));
  const reports: JobReports = new Map();
  const queue = await createJobQueue(db, jobs, createContext, {
    settings,
    reports,
    events: createLogEvents(log, reports),
    countCorrection,
  });
  await queue.ensure();
  for (const job of jobs) if (await job.isBehind?.(createContext(job))) await makeDue(db, job.name);
  await queue.start();
  return queue;
};

/** The result of a run from the command line, with its counts. */
export interface JobOutcome {
  readonly state: 'done' | 'stopped' | 'busy';
  readonly counts: JobCounts;
}

/**
 * Runs one job in this process now, under the same lock as scheduled runs. Aborting `signal` stops it after its current
 * batch; the rest is then due at once.
 * @throws the error that the job fails with
 */
export const runJob = async (
  context: Context,
  job: ServiceJob,
  settings: JobSettings,
  signal: AbortSignal,
): Promise<JobOutcome> => {
  let failure: unknown;
  let state: JobOutcome['state'] = 'stopped';
  const reports: JobReports = new Map();
  const watched: ServiceJob = {
    ...job,
    run: async (...args) => {
      const report = await job.run(...args);
      state = 'done';
      return report;
    },
  };
  const fail = (error: unknown): void => {
    failure = error;
  };
  const events: JobEvents = {
    onStart: () => {},
    onSuccess: () => {},
    onFailure: (_name, error) => fail(error),
    onError: fail,
  };
  const queue = await createJobQueue(context.db, [watched], () => context, {
    settings,
    events,
    reports,
    countCorrection: () => {},
  });
  await queue.ensure();
  const stop = () => void queue.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (!(await queue.runNow(watched))) return { state: 'busy', counts: {} };
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (failure !== undefined) throw failure;
  return { state, counts: reports.get(job.name) ?? {} };
};

/** Schedule and state of a job. */
export interface JobRow {
  readonly name: string;
  readonly what: string;
  readonly schedule: string;
  readonly state: 'never ran' | 'waits' | 'runs' | 'failed, is tried again' | 'taken over soon';
  readonly progress: number | null;
  readonly process: string | null;
  readonly lastRunAt: Date | null;
  readonly lastFinishedAt: Date | null;
  readonly nextRunAt: Date | null;
  readonly failures: number;
  readonly lastError: string | null;
  readonly lastErrorAt: Date | null;
}

const toJobState = (found: JobDocument | undefined, lockMs: number, now: Date): JobRow['state'] => {
  if (found?.lockedAt) return now.getTime() - found.lockedAt.getTime() < lockMs ? 'runs' : 'taken over soon';
  if (found?.failCount) return 'failed, is tried again';
  return found?.lastRunAt ? 'waits' : 'never ran';
};

/** Lists every job of the table with its state in the database. */
export const listJobs = async (db: Db, now: Date): Promise<JobRow[]> => {
  const found = new Map(
    (
      await findJobs(
        db,
        JOBS.map(({ name }) => name),
      )
    ).map((row) => [row.name, row]),
  );
  return JOBS.map(({ name, what, schedule, lockMs }) => {
    const row = found.get(name);
    return {
      name,
      what,
      schedule,
      state: toJobState(row, lockMs, now),
      progress: row?.progress ?? null,
      process: row?.lockedAt ? (row.lastModifiedBy?.split(':', 2).join(':') ?? null) : null,
      lastRunAt: row?.lastRunAt ?? null,
      lastFinishedAt: row?.lastFinishedAt ?? null,
      nextRunAt: row?.nextRunAt ?? null,
      failures: row?.failCount ?? 0,
      lastError: row?.failReason ?? null,
      lastErrorAt: row?.failedAt ?? null,
    };
  });
};
