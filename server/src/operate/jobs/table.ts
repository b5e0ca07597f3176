import { expireKyc } from '../../features/accounts/actions.ts';
import { expireLicenses } from '../../features/brokers/expiry.ts';
import { advanceComplaintClocks } from '../../features/complaints/clocks.ts';
import { endWithholding } from '../../features/moderation/actions.ts';
import { sealServiceLevel } from '../../features/service-level/seal.ts';
import { matchWarnings } from '../../features/warnings/actions.ts';
import { compareBrokers } from '../../features/warnings/alarms.ts';
import type { Context } from '../../ledger/context.ts';
import type { JobRun } from '../../platform/jobs/job.ts';
import type { Count } from '../../platform/observe/counted.ts';
import { findMissingDays } from '../../published/record/days.ts';
import { recordDays } from '../../published/record/nightly.ts';
import { refreshAll } from '../../published/refresh.ts';
import type { Config } from '../config.ts';
import { writeUsageFiles } from './usage-files.ts';

/** The settings that jobs receive. */
export type JobSettings = Pick<
  Config,
  | 'newsFeeds'
  | 'newsFeedsPorts'
  | 'newsFeedsAllowLoopback'
  | 'registers'
  | 'registersPorts'
  | 'registersAllowLoopback'
  | 'dataDir'
  | 'snapshotsKept'
  | 'mail'
  | 'operatorMail'
>;

/** A job of the service. It may run more than once, so its effect must be idempotent or guarded by a transaction. */
export interface ServiceJob {
  readonly name: string;
  readonly what: string;
  /** Cron expression with five fields, in UTC. */
  readonly schedule: string;
  /** Milliseconds after the last heartbeat of a killed process until another process takes its job over. */
  readonly lockMs: number;
  /** The setting that the job requires, and its variable. A process without it leaves the job to other processes. */
  readonly needs?: { readonly setting: keyof JobSettings; readonly variable: string };
  /** Returns whether it has work that no run has done yet, whatever its schedule says. Then it is due at the start. */
  readonly isBehind?: (context: Context) => Promise<boolean>;
  /** Resolves to what it did: numbers and lists by name, which are reported as counts. */
  readonly run: (context: Context, run: JobRun, settings: JobSettings, countCorrection: Count) => Promise<unknown>;
}

/** Returns true if a process with these settings can run the job. */
export const isRunnable = ({ needs }: ServiceJob, settings: JobSettings): boolean =>
  needs === undefined || settings[needs.setting] !== undefined;

/** Returns the names of the jobs that a process with these settings can run. */
export const listRunnableJobs = (settings: JobSettings): string[] =>
  JOBS.filter((job) => isRunnable(job, settings)).map(({ name }) => name);

const LOCK_MS = 30_000;

const pullConfiguredFeeds: ServiceJob['run'] = async (context, { signal }, settings) => {
  if (settings.newsFeeds === undefined) return undefined;
  const { pullNews, readFeeds } = await import('../../features/news/pull.ts'); // most commands never need the parsers
  const rules = { ports: settings.newsFeedsPorts, allowLoopback: settings.newsFeedsAllowLoopback };
  const outcomes = await pullNews(context, await readFeeds(settings.newsFeeds), { rules, signal });
  const sum = (of: (one: (typeof outcomes)[number]) => number): number =>
    outcomes.reduce((all, one) => all + of(one), 0);
  return {
    feeds: outcomes.length,
    failed: sum(({ status }) => (status === 'failed' ? 1 : 0)),
    taken: sum(({ taken }) => taken),
    refused: sum(({ refused }) => refused.length),
  };
};

const fetchConfiguredLists: ServiceJob['run'] = async (context, { signal }, settings) => {
  if (settings.registers === undefined) return;
  const { fetchDue, toFetchContext, readConfiguredLists } = await import('../../intake/registers/fetching/lists.ts');
  await fetchDue(context, await readConfiguredLists(settings.registers), toFetchContext(settings, signal));
};

const makeSnapshots: ServiceJob['run'] = async ({ clock, db }, { signal }, settings) => {
  const { makeDailySnapshot } = await import('../../enterprise/snapshots/actions.ts');
  await makeDailySnapshot(db, settings, { clock, signal });
};

const renewTexts: ServiceJob['run'] = async ({ clock, db }, { signal }, settings) => {
  const { renewSnapshotTexts } = await import('../../enterprise/snapshots/actions.ts');
  await renewSnapshotTexts(db, settings, { clock, signal });
};

const sendDailySummary: ServiceJob['run'] = async (context, run, settings) => {
  if (settings.operatorMail.length === 0) return;
  const { sendSummary } = await import('../signals/summary.ts');
  await sendSummary(context, run, { ...settings, jobs: listRunnableJobs(settings) });
};

/** Every scheduled job of the service. Each due job runs in one process, however many are running. */
export const JOBS: readonly ServiceJob[] = [
  {
    name: 'complaint-clocks',
    what: 'notes answers that are overdue and reminders, ends complaints whose final date passed',
    schedule: '0 * * * *',
    lockMs: LOCK_MS,
    run: (context, { signal }) => advanceComplaintClocks(context, signal),
  },
  {
    name: 'license-expiry',
    what: 'sets licences whose time is over to expired',
    schedule: '5 * * * *',
    lockMs: LOCK_MS,
    run: async (context, { signal }) => ({ expired: await expireLicenses(context, signal) }),
  },
  {
    name: 'kyc-expiry',
    what: 'sets identity verifications whose time is over to expired',
    schedule: '10 * * * *',
    lockMs: LOCK_MS,
    run: async (context, { signal }) => ({ expired: await expireKyc(context, signal) }),
  },
  {
    name: 'withheld-reviews',
    what: 'publishes reviews again whose time of being withheld is over',
    schedule: '20 * * * *',
    lockMs: LOCK_MS,
    run: async (context, { signal }) => ({ published: await endWithholding(context, signal) }),
  },
  {
    name: 'news-pull',
    what: 'reads the feeds that NEWS_FEEDS lists',
    needs: { setting: 'newsFeeds', variable: 'NEWS_FEEDS' },
    schedule: '*/15 * * * *',
    lockMs: LOCK_MS,
    run: pullConfiguredFeeds,
  },
  {
    name: 'fetch-registers',
    what: 'fetches the registers and lists that REGISTERS lists, each as often as it changes',
    needs: { setting: 'registers', variable: 'REGISTERS' },
    schedule: '25 * * * *',
    lockMs: LOCK_MS,
    run: fetchConfiguredLists,
  },
  {
    name: 'warning-matches',
    what: 'matches warnings of authorities with brokers that came or changed since, and brokers with each other',
    schedule: '25 * * * *',
    lockMs: LOCK_MS,
    run: async (context, { signal }) => {
      await matchWarnings(context, { signal });
      await compareBrokers(context);
    },
  },
  {
    name: 'score-refresh',
    what: 'computes every score again, and which looks at registers are old: both age by the UTC day',
    schedule: '15 0 * * *',
    lockMs: LOCK_MS,
    run: refreshAll,
  },
  {
    name: 'record-day',
    what: 'adds the scores at the beginning of the day to the record, and what is missing there',
    schedule: '2 0 * * *',
    lockMs: LOCK_MS,
    isBehind: async ({ db, clock }) => (await findMissingDays(db, clock())).length > 0,
    run: (context, { signal }, _settings, countCorrection) => recordDays(context, signal, countCorrection),
  },
  {
    name: 'service-level-seal',
    what: 'adds days whose results of probers can have arrived to the record, and months that are complete',
    schedule: '30 0 * * *',
    lockMs: LOCK_MS,
    run: (context, { signal }) => sealServiceLevel(context, signal),
  },
  {
    name: 'snapshot',
    what: 'makes a snapshot of the record as files, if anybody has access by an agreement',
    schedule: '50 0 * * *',
    lockMs: LOCK_MS,
    run: makeSnapshots,
  },
  {
    name: 'snapshot-texts',
    what: 'takes texts out of snapshots that are not public any more',
    schedule: '20 * * * *',
    lockMs: LOCK_MS,
    run: renewTexts,
  },
  {
    name: 'enterprise-usage',
    what: 'writes what each customer used in the month before to DATA_DIR/usage',
    schedule: '40 0 * * *',
    lockMs: LOCK_MS,
    run: ({ clock, db }, _run, { dataDir }) => writeUsageFiles(db, dataDir, clock()),
  },
  {
    name: 'daily-summary',
    what: 'tells OPERATOR_MAIL what waits, fails or is old',
    needs: { setting: 'mail', variable: 'SMTP_URL' },
    schedule: '0 6 * * *',
    lockMs: LOCK_MS,
    run: sendDailySummary,
  },
];
