import { statfs } from 'node:fs/promises';
import { waitingComplaints, waitingReminders } from '../../features/complaints/facts.ts';
import { burstsAt, waitingAppeals, waitingReports, waitingReviews } from '../../features/moderation/waiting.ts';
import { mailBacklog } from '../../features/notices/actions.ts';
import { listRegisters } from '../../features/registers/actions.ts';
import { listRegulators } from '../../features/regulators/facts.ts';
import { isStale } from '../../features/regulators/staleness.rule.ts';
import { countOpenMatches } from '../../features/warnings/actions.ts';
import { countAlarms } from '../../features/warnings/alarms.ts';
import { listEntries } from '../../platform/audit/store.ts';
import type { Waiting } from '../../platform/backlog.ts';
import { findJobs, type JobDocument } from '../../platform/jobs/store.ts';
import { pendingSince } from '../../platform/record/sequencer.ts';
import { readJumps } from '../../published/record/jumps.ts';
import type { Config } from '../config.ts';
import { lastDone } from '../import/runs.ts';
import {
  FAILING,
  JUMP_POINTS,
  LATE_MS,
  type Reading,
  type Readings,
  SIGNAL_NAMES,
  type SignalName,
} from './signals.rule.ts';

const DAY = 86_400_000;
/** Most things that a reading names. */
const NAMED = 5;
/** Most entries of the audit trail that are counted. */
const COUNTED = 100;

const waits = async (look: () => Promise<Waiting>): Promise<Reading> => {
  const { count, oldestAt } = await look();
  return { count, since: oldestAt, named: [] };
};

const names = (all: readonly string[]): Reading => ({ count: all.length, since: null, named: all.slice(0, NAMED) });

const since = (at: Date | null | undefined): Reading => ({ count: 0, since: at ?? null, named: [] });

const sign = (change: number): string => (change > 0 ? `+${change.toFixed(1)}` : change.toFixed(1));

const jumps = async (): Promise<Reading> =>
  names(
    (await readJumps(JUMP_POINTS)).map(({ slug, from, to, causes }) => {
      const why = causes.map(({ number, kind, cause }) => `${kind} (${cause}, entry ${number})`).join(', ');
      return `${slug} ${sign(to - from)} to ${to}${why && `: ${why}`}`;
    }),
  );

const feeds = async (path: string): Promise<Reading> => {
  const { feedStates, readFeeds } = await import('../../features/news/pull.ts'); // it loads the parsers
  const states = await feedStates(await readFeeds(path));
  return names(
    states.filter(({ failures }) => failures >= FAILING).map(({ source, lastError }) => `${source}: ${lastError}`),
  );
};

const registerFiles = async (): Promise<Reading> =>
  names(
    (await listRegisters())
      .filter(({ failures }) => failures >= FAILING)
      .map(({ _id, lastError }) => `${_id}: ${lastError}`),
  );

const jobs = async (mine: readonly string[], now: Date): Promise<Reading> => {
  const isLate = ({ nextRunAt }: JobDocument): boolean =>
    nextRunAt !== null && now.getTime() - nextRunAt.getTime() > LATE_MS;
  const bad = (await findJobs(mine)).filter((job) => (job.failCount ?? 0) >= FAILING || isLate(job));
  return names(bad.map(({ name, failReason }) => (failReason ? `${name}: ${failReason}` : `${name} is due`)));
};

/** Matches of warnings in one state. */
const matches = async (wanted: 'waiting' | 'unchecked'): Promise<Reading> => {
  const found = (await countOpenMatches()).find(({ state }) => state === wanted);
  return { count: found?.count ?? 0, since: found?.oldestAt ?? null, named: [] };
};

const alarms = async (): Promise<Reading> => ({
  count: (await countAlarms()).reduce((sum, { count }) => sum + count, 0),
  since: null,
  named: [],
});

/** Mails in the outbox. */
const outbox = async (state: 'waiting' | 'failed'): Promise<Reading> => {
  const backlog = await mailBacklog();
  return { count: backlog[state], since: state === 'waiting' ? backlog.since : null, named: [] };
};

const staleRegulators = async (now: Date): Promise<Reading> =>
  names(
    (await listRegulators())
      .filter(({ _id, brokerCount, lastVerifiedAt }) => brokerCount > 0 && isStale(lastVerifiedAt, _id, now))
      .map(({ _id, lastVerifiedAt }) => `${_id}: ${lastVerifiedAt?.slice(0, 10) ?? 'never'}`),
  );

/** Returns the space that is left to the service's own user, in per cent. */
const disk = async (dir: string): Promise<Reading> => {
  const { bavail, blocks } = await statfs(dir);
  return { count: Math.floor((100 * bavail) / Math.max(1, blocks)), since: null, named: [] };
};

/** What an installation has. */
export interface Watched extends Pick<Config, 'newsFeeds' | 'dataDir' | 'mail'> {
  /** Names of the jobs that run here. */
  readonly jobs: readonly string[];
}

type Look = (watched: Watched, now: Date) => Promise<Reading | undefined>;

/** Where each signal is read. One that resolves to undefined does not exist in this installation. */
const LOOKS: Readonly<Record<SignalName, Look>> = {
  reviews: () => waits(waitingReviews),
  reports: () => waits(waitingReports),
  appeals: () => waits(waitingAppeals),
  'complaints-received': () => waits(waitingComplaints.received),
  'complaints-screening': () => waits(waitingComplaints.screening),
  'complaints-answered': () => waits(waitingComplaints.responded),
  'complaints-overdue': () => waits(waitingComplaints.overdue),
  reminders: () => waits(waitingReminders),
  'warnings-unchecked': () => matches('unchecked'),
  'warnings-waiting': () => matches('waiting'),
  'broker-alarms': alarms,
  'review-bursts': async (_, now) =>
    names(
      (await burstsAt(now)).map(({ broker, lastDay, before }) => `${broker}: ${lastDay}, and ${before} in 90 days`),
    ),
  'score-jumps': jumps,
  feeds: async ({ newsFeeds }) => (newsFeeds === undefined ? undefined : feeds(newsFeeds)),
  registers: async () => since((await lastDone('licenses'))?.finishedAt),
  'register-files': registerFiles,
  regulators: (_, now) => staleRegulators(now),
  'mail-waiting': async ({ mail }) => (mail ? outbox('waiting') : undefined),
  'mail-failed': async ({ mail }) => (mail ? outbox('failed') : undefined),
  jobs: (watched, now) => jobs(watched.jobs, now),
  record: async () => since(await pendingSince()),
  backup: async () => since((await listEntries({ action: 'backup.made' }, 1))[0]?.at),
  disk: ({ dataDir }) => disk(dataDir).catch(() => undefined),
  operators: async (_, now) => {
    const refused = { action: 'operator.refused', since: new Date(now.getTime() - DAY) } as const;
    return { count: (await listEntries(refused, COUNTED)).length, since: null, named: [] };
  },
};

/** Reads every signal of this installation. */
export const readSignals = async (watched: Watched, now: Date): Promise<Readings> => {
  const found = await Promise.all(SIGNAL_NAMES.map(async (name) => [name, await LOOKS[name](watched, now)] as const));
  return Object.fromEntries(found.filter(([, reading]) => reading !== undefined));
};
