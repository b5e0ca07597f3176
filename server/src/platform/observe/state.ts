import { setTimeout as sleep } from 'node:timers/promises';
import { counter } from './counted.ts';
import { register, type Sample } from './registry.ts';

/** What is read of the database for each reading must not hold it up where the database hangs. */
const PATIENCE_MS = 1000;
/** Several metrics are made of one look at the database. */
const KEPT_MS = 1000;

const failures = counter(
  'broker_rating_metrics_failures_total',
  'Looks at the database for metrics that got no answer; such metrics are missing meanwhile.',
)({});

/** One look for all who ask within a second. Undefined where the database does not answer in time. */
const brieflyKept = <T>(look: () => Promise<T>): (() => Promise<T | undefined>) => {
  let last: Promise<T | undefined> | undefined;
  let at = 0;
  const lookInTime = async (): Promise<T | undefined> => {
    const late = sleep(PATIENCE_MS, undefined, { ref: false });
    const found = await Promise.race([look().catch(() => undefined), late]);
    if (found === undefined) failures();
    return found;
  };
  return () => {
    if (last === undefined || Date.now() - at > KEPT_MS) [last, at] = [lookInTime(), Date.now()];
    return last;
  };
};

const seconds = (time: Date | null): number | null => (time === null ? null : time.getTime() / 1000);

/** What is not there has no line. */
const sample = (labels: Sample['labels'], value: number | null): Sample[] =>
  value === null ? [] : [{ labels, value }];

/** Marks of documents that are to be computed again. */
export interface Backlog {
  readonly waiting: number;
  readonly oldestAt: Date | null;
}

/** Follows what is due to be refreshed, as the database knows it. */
export const watchBacklog = (look: () => Promise<Backlog>): void => {
  const backlog = brieflyKept(look);
  register({
    name: 'broker_rating_due_marks',
    help: 'Changes of facts whose documents are not yet refreshed.',
    type: 'gauge',
    read: async () => sample({}, (await backlog())?.waiting ?? null),
  });
  register({
    name: 'broker_rating_due_oldest_seconds',
    help: 'How long the longest-waiting of them has waited; 0 where none does. To the second.',
    type: 'gauge',
    read: async () => {
      const known = await backlog();
      if (known === undefined) return [];
      return sample({}, known.oldestAt === null ? 0 : Math.max(0, (Date.now() - known.oldestAt.getTime()) / 1000));
    },
  });
};

/** Counts rounds of the refresh that failed. */
export const countRefreshFailure = counter(
  'broker_rating_refresh_failures_total',
  'Rounds of refreshing due documents that failed; the next one tries again.',
)({});

/** What the database knows of a job. */
export interface JobState {
  readonly name: string;
  readonly lastFinishedAt: Date | null;
  readonly nextRunAt: Date | null;
  readonly failures: number;
}

/** Follows the jobs, as the database knows them: every process that takes part tells the same. */
export const watchJobs = (look: () => Promise<readonly JobState[]>): void => {
  const jobs = brieflyKept(look);
  const metric = (name: string, help: string, value: (job: JobState) => number | null): void =>
    register({
      name,
      help,
      type: 'gauge',
      read: async () => ((await jobs()) ?? []).flatMap((job) => sample({ job_name: job.name }, value(job))),
    });
  metric('broker_rating_job_finished_timestamp_seconds', 'When a run of the job last came to an end.', (job) =>
    seconds(job.lastFinishedAt),
  );
  metric('broker_rating_job_next_run_timestamp_seconds', 'When the job runs next; missing while it runs.', (job) =>
    seconds(job.nextRunAt),
  );
  metric('broker_rating_job_failures', 'Failures of the job in a row; 0 after a success.', (job) => job.failures);
};

/** Follows when something was last done; missing where it never was. */
export const watchTime = (name: string, help: string, look: () => Promise<Date | null>): void => {
  const known = brieflyKept(async () => ({ at: await look() }));
  register({ name, help, type: 'gauge', read: async () => sample({}, seconds((await known())?.at ?? null)) });
};
