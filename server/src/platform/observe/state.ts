import { setTimeout as sleep } from 'node:timers/promises';
import { type Count, memoize, type Sample } from './counted.ts';
import type { Metrics } from './metrics.ts';

/** Time to wait for the database, so that a database that hangs does not hold up a scrape. */
const PATIENCE_MS = 1000;
/** Time for which the result of one query is reused, since several metrics come from it. */
const KEPT_MS = 1000;

/** Creates the functions that publish metrics from the database. */
export const createDatabaseMetrics = ({ counter, register }: Metrics) => {
  const countFailure = counter(
    'broker_rating_metrics_failures_total',
    'Queries for metrics that the database did not answer; such metrics are missing meanwhile.',
  )({});
  /**
   * Shares the result of one query among all callers within a second. Resolves to undefined if the database does not
   * answer in time.
   */
  const keepBriefly = <T>(look: () => Promise<T>): (() => Promise<T | undefined>) => {
    let last: Promise<T | undefined> | undefined;
    let at = 0;
    const lookInTime = async (): Promise<T | undefined> => {
      const late = sleep(PATIENCE_MS, undefined, { ref: false });
      const found = await Promise.race([look().catch(() => undefined), late]);
      if (found === undefined) countFailure();
      return found;
    };
    return () => {
      if (last === undefined || Date.now() - at > KEPT_MS) [last, at] = [lookInTime(), Date.now()];
      return last;
    };
  };
  return { register, keepBriefly };
};
export type DatabaseMetrics = ReturnType<typeof createDatabaseMetrics>;

const toSeconds = (time: Date | null): number | null => (time === null ? null : time.getTime() / 1000);

/** Returns one sample, or none if the value is null. */
const toSamples = (labels: Sample['labels'], value: number | null): Sample[] =>
  value === null ? [] : [{ labels, value }];

/** Number and age of the dirty marks. */
export interface Backlog {
  readonly waiting: number;
  readonly oldestAt: Date | null;
}

/** Publishes the number and age of the dirty marks in the database. */
export const watchBacklog = ({ register, keepBriefly }: DatabaseMetrics, look: () => Promise<Backlog>): void => {
  const backlog = keepBriefly(look);
  register({
    name: 'broker_rating_due_marks',
    help: 'Changes of facts whose documents are not yet refreshed.',
    type: 'gauge',
    read: async () => toSamples({}, (await backlog())?.waiting ?? null),
  });
  register({
    name: 'broker_rating_due_oldest_seconds',
    help: 'How long the longest-waiting of them has waited; 0 where none does. To the second.',
    type: 'gauge',
    read: async () => {
      const known = await backlog();
      if (known === undefined) return [];
      return toSamples({}, known.oldestAt === null ? 0 : Math.max(0, (Date.now() - known.oldestAt.getTime()) / 1000));
    },
  });
};

/** Creates the counter of failed rounds of the refresh. */
export const createRefreshFailureCount = (metrics: Metrics): Count =>
  metrics.counter(
    'broker_rating_refresh_failures_total',
    'Rounds of refreshing due documents that failed; the next one tries again.',
  )({});

/** Creates the counter of missing entries that were added to the record later. */
export const createCorrectionCount = (metrics: Metrics): Count =>
  metrics.counter(
    'broker_rating_record_corrections_total',
    'Entries of the record that the nightly job added, since facts were written without them.',
  )({});

/** State of a job as the database stores it. */
export interface JobState {
  readonly name: string;
  readonly lastFinishedAt: Date | null;
  readonly nextRunAt: Date | null;
  readonly failures: number;
}

/** Publishes the state of the jobs in the database. Every process that runs this reports the same values. */
export const watchJobs = (
  { register, keepBriefly }: DatabaseMetrics,
  look: () => Promise<readonly JobState[]>,
): void => {
  const jobs = keepBriefly(look);
  const metric = (name: string, help: string, value: (job: JobState) => number | null): void =>
    register({
      name,
      help,
      type: 'gauge',
      read: async () => ((await jobs()) ?? []).flatMap((job) => toSamples({ job_name: job.name }, value(job))),
    });
  metric('broker_rating_job_finished_timestamp_seconds', 'When a run of the job last came to an end.', (job) =>
    toSeconds(job.lastFinishedAt),
  );
  metric('broker_rating_job_next_run_timestamp_seconds', 'When the job runs next; missing while it runs.', (job) =>
    toSeconds(job.nextRunAt),
  );
  metric('broker_rating_job_failures', 'Failures of the job in a row; 0 after a success.', (job) => job.failures);
};

/** Publishes the time of the last event of a kind; no sample if there was none. */
export const watchTime = (
  { register, keepBriefly }: DatabaseMetrics,
  name: string,
  help: string,
  look: () => Promise<Date | null>,
): void => {
  const known = keepBriefly(async () => ({ at: await look() }));
  register({ name, help, type: 'gauge', read: async () => toSamples({}, toSeconds((await known())?.at ?? null)) });
};

/** One value of a metric, with its labels. */
export interface LabelledValue {
  readonly labels: Sample['labels'];
  readonly value: number;
}

/** Publishes a gauge whose values come from one query. Every process that runs this reports the same values. */
export const watchValues = (
  { register, keepBriefly }: DatabaseMetrics,
  name: string,
  help: string,
  look: () => Promise<readonly LabelledValue[]>,
): void => {
  const known = keepBriefly(look);
  register({
    name,
    help,
    type: 'gauge',
    read: async () => ((await known()) ?? []).flatMap(({ labels, value }) => toSamples(labels, value)),
  });
};

/** Creates the counter of requests to a witness without a signature, by the name of the witness. */
export const createWitnessFailureCount = (metrics: Metrics) => {
  const failures = metrics.counter<'witness'>(
    'broker_rating_log_witness_failures_total',
    'Requests to a witness of the log that brought no signature; each is tried again.',
  );
  return memoize((witness: string): Count => failures({ witness }));
};

/** State of a witness of the log, as the database stores it. */
export interface WitnessState {
  readonly name: string;
  readonly cosignedAt: Date | null;
  readonly failingSince: Date | null;
  readonly contradicts: boolean;
}

/** Publishes the state of the witnesses. Every process that runs this reports the same values. */
export const watchWitnesses = (
  { register, keepBriefly }: DatabaseMetrics,
  look: () => Promise<readonly WitnessState[]>,
): void => {
  const witnesses = keepBriefly(look);
  const metric = (name: string, help: string, value: (state: WitnessState) => number | null): void =>
    register({
      name,
      help,
      type: 'gauge',
      read: async () =>
        ((await witnesses()) ?? []).flatMap((state) => toSamples({ witness: state.name }, value(state))),
    });
  metric(
    'broker_rating_log_cosigned_timestamp_seconds',
    'When the witness last signed a checkpoint of the log; missing before the first time, and without LOG_WITNESSES.',
    ({ cosignedAt }) => toSeconds(cosignedAt),
  );
  metric(
    'broker_rating_log_witness_failing_since_timestamp_seconds',
    'Since when all requests to the witness fail; missing where the last one did not.',
    ({ failingSince }) => toSeconds(failingSince),
  );
  metric(
    'broker_rating_log_contradicted',
    '1 while the witness says that it has seen another history of the log; 0 otherwise.',
    ({ contradicts }) => Number(contradicts),
  );
};

/**
 * Returns a function that publishes a gauge with one sample per row of the database; no sample if the value is null.
 * Gauges of one function share a query.
 */
export const watchEach = <T>(
  { register, keepBriefly }: DatabaseMetrics,
  look: () => Promise<readonly T[]>,
  toLabels: (row: T) => Sample['labels'],
): ((name: string, help: string, value: (row: T) => number | Date | null) => void) => {
  const rows = keepBriefly(look);
  return (name, help, value) =>
    register({
      name,
      help,
      type: 'gauge',
      read: async () =>
        ((await rows()) ?? []).flatMap((row) => {
          const found = value(row);
          return toSamples(toLabels(row), found instanceof Date ? toSeconds(found) : found);
        }),
    });
};
