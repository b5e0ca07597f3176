import { statfs } from 'node:fs/promises';
import { waitingComplaints, waitingReminders } from '../../features/complaints/facts.ts';
import { countWaitingDisputes } from '../../features/disputes/facts.ts';
import {
  countWaitingAppeals,
  countWaitingReports,
  countWaitingReviews,
  findBursts,
} from '../../features/moderation/waiting.ts';
import { readMailBacklog } from '../../features/notices/actions.ts';
import { listRegisters } from '../../features/registers/actions.ts';
import { listRegulators } from '../../features/regulators/facts.ts';
import { isStale } from '../../features/regulators/staleness.rule.ts';
import { countWaitingReplies } from '../../features/replies/facts.ts';
import { countOpenMatches } from '../../features/warnings/actions.ts';
import { countAlarms } from '../../features/warnings/alarms.ts';
import { lastDone } from '../../intake/imports/runs.ts';
import { listEntries } from '../../ledger/audit/store.ts';
import type { JobSettings } from '../../ledger/define-module.ts';
import { readHold } from '../../ledger/log/hold.ts';
import { listRefusals } from '../../ledger/log/refusals.ts';
import { findPendingSince } from '../../ledger/record/sequencer.ts';
import type { BacklogStats } from '../../platform/backlog.ts';
import { readDrift } from '../../platform/clock-drift.ts';
import { findJobs, type JobDocument } from '../../platform/jobs/store.ts';
import type { Db } from '../../platform/mongo.ts';
import { readJumps } from '../../published/record/jumps.ts';
import { listApplied } from '../migrations/store.ts';
import {
  FAILING,
  JUMP_POINTS,
  LATE_MS,
  type Readings,
  SIGNAL_NAMES,
  type SignalName,
  type SignalReading,
} from './signals.rule.ts';

const DAY = 86_400_000;
/** Maximum names in a reading. */
const NAMED = 5;
/** Maximum entries of the audit trail that are counted. */
const COUNTED = 100;

const readWaiting = async (waiting: Promise<BacklogStats>): Promise<SignalReading> => {
  const { count, oldestAt } = await waiting;
  return { count, since: oldestAt, named: [] };
};

const toNamedReading = (all: readonly string[]): SignalReading => ({
  count: all.length,
  since: null,
  named: all.slice(0, NAMED),
});

const toSinceReading = (at: Date | null | undefined): SignalReading => ({ count: 0, since: at ?? null, named: [] });

const formatChange = (change: number): string => (change > 0 ? `+${change.toFixed(1)}` : change.toFixed(1));

const readScoreJumps = async (db: Db): Promise<SignalReading> =>
  toNamedReading(
    (await readJumps(db, JUMP_POINTS)).map(({ slug, from, to, causes }) => {
      const why = causes.map(({ number, kind, cause }) => `${kind} (${cause}, entry ${number})`).join(', ');
      return `${slug} ${formatChange(to - from)} to ${to}${why && `: ${why}`}`;
    }),
  );

const readFeedReading = async (db: Db, path: string): Promise<SignalReading> => {
  const { readFeedStates, readFeeds } = await import('../../features/news/pull.ts'); // it loads the parsers
  const states = await readFeedStates(db, await readFeeds(path));
  return toNamedReading(
    states.filter(({ failures }) => failures >= FAILING).map(({ source, lastError }) => `${source}: ${lastError}`),
  );
};

const readRegisterFiles = async (db: Db): Promise<SignalReading> =>
  toNamedReading(
    (await listRegisters(db))
      .filter(({ failures }) => failures >= FAILING)
      .map(({ _id, lastError }) => `${_id}: ${lastError}`),
  );

const readRegisterChanges = async (db: Db): Promise<SignalReading> => {
  const waiting = (await listRegisters(db)).flatMap(({ _id, waits }) => (waits ? [{ name: _id, ...waits }] : []));
  const oldest = Math.min(...waiting.map(({ since }) => since.getTime()));
  return {
    ...toNamedReading(waiting.map(({ name, why }) => `${name}: ${why}`)),
    since: waiting.length === 0 ? null : new Date(oldest),
  };
};

const readJobs = async (db: Db, mine: readonly string[], now: Date): Promise<SignalReading> => {
  const isLate = ({ nextRunAt }: JobDocument): boolean =>
    nextRunAt !== null && now.getTime() - nextRunAt.getTime() > LATE_MS;
  const bad = (await findJobs(db, mine)).filter((job) => (job.failCount ?? 0) >= FAILING || isLate(job));
  return toNamedReading(bad.map(({ name, failReason }) => (failReason ? `${name}: ${failReason}` : `${name} is due`)));
};

/** Matches of warnings in one state. */
const readMatches = async (db: Db, wanted: 'waiting' | 'unchecked'): Promise<SignalReading> => {
  const found = (await countOpenMatches(db)).find(({ state }) => state === wanted);
  return { count: found?.count ?? 0, since: found?.oldestAt ?? null, named: [] };
};

const readAlarms = async (db: Db): Promise<SignalReading> => ({
  count: (await countAlarms(db)).reduce((sum, { count }) => sum + count, 0),
  since: null,
  named: [],
});

/** Mails in the outbox. */
const readOutbox = async (db: Db, state: 'waiting' | 'failed'): Promise<SignalReading> => {
  const backlog = await readMailBacklog(db);
  return { count: backlog[state], since: state === 'waiting' ? backlog.since : null, named: [] };
};

const readStaleRegulators = async (db: Db, now: Date): Promise<SignalReading> =>
  toNamedReading(
    (await listRegulators(db))
      .filter(({ _id, brokerCount, lastVerifiedAt }) => brokerCount > 0 && isStale(lastVerifiedAt, _id, now))
      .map(({ _id, lastVerifiedAt }) => `${_id}: ${lastVerifiedAt?.slice(0, 10) ?? 'never'}`),
  );

/** Returns the space left to the service's user, in per cent. */
const readDisk = async (dir: string): Promise<SignalReading> => {
  const { bavail, blocks } = await statfs(dir);
  return { count: Math.floor((100 * bavail) / Math.max(1, blocks)), since: null, named: [] };
};

/** Reads the time of the last backup, and the whole days for which the database has been in use. */
const readBackup = async (db: Db, now: Date): Promise<SignalReading> => {
  const [made] = await listEntries(db, { action: 'backup.made' }, 1);
  const [first] = await listApplied(db);
  const days = first ? Math.floor((now.getTime() - first.appliedAt.getTime()) / DAY) : 0;
  return { count: days, since: made?.at ?? null, named: [] };
};

/** The inputs of signals. */
export interface SignalInputs extends Pick<JobSettings, 'newsFeeds' | 'dataDir' | 'mail'> {
  /** Names of the jobs that run here. */
  readonly jobs: readonly string[];
}

type SignalReader = (db: Db, watched: SignalInputs, now: Date) => Promise<SignalReading | undefined>;

/** The reader of each signal. It resolves to undefined if this installation does not have the signal. */
const LOOKS: Readonly<Record<SignalName, SignalReader>> = {
  reviews: (db) => readWaiting(countWaitingReviews(db)),
  reports: (db) => readWaiting(countWaitingReports(db)),
  appeals: (db) => readWaiting(countWaitingAppeals(db)),
  'complaints-received': (db) => readWaiting(waitingComplaints.received(db)),
  'complaints-screening': (db) => readWaiting(waitingComplaints.screening(db)),
  'complaints-answered': (db) => readWaiting(waitingComplaints.responded(db)),
  'complaints-overdue': (db) => readWaiting(waitingComplaints.overdue(db)),
  disputes: (db) => readWaiting(countWaitingDisputes(db)),
  replies: (db) => readWaiting(countWaitingReplies(db)),
  reminders: (db) => readWaiting(waitingReminders(db)),
  'warnings-unchecked': (db) => readMatches(db, 'unchecked'),
  'warnings-waiting': (db) => readMatches(db, 'waiting'),
  'broker-alarms': readAlarms,
  'review-bursts': async (db, _, now) =>
    toNamedReading(
      (await findBursts(db, now)).map(
        ({ broker, lastDay, before }) => `${broker}: ${lastDay}, and ${before} in 90 days`,
      ),
    ),
  'score-jumps': readScoreJumps,
  feeds: async (db, { newsFeeds }) => (newsFeeds === undefined ? undefined : readFeedReading(db, newsFeeds)),
  registers: async (db) => toSinceReading((await lastDone(db, 'licenses'))?.finishedAt),
  'register-files': readRegisterFiles,
  'register-changes': readRegisterChanges,
  regulators: (db, _, now) => readStaleRegulators(db, now),
  'mail-waiting': async (db, { mail }) => (mail ? readOutbox(db, 'waiting') : undefined),
  'mail-failed': async (db, { mail }) => (mail ? readOutbox(db, 'failed') : undefined),
  jobs: (db, watched, now) => readJobs(db, watched.jobs, now),
  record: async (db) => toSinceReading(await findPendingSince(db)),
  log: async (db, _, now) => toNamedReading((await listRefusals(db, now)).map(({ why }) => why)),
  'log-held': async (db) => {
    const hold = await readHold(db);
    return hold
      ? { count: 1, since: hold.since, named: [`entry ${hold.number}, ${hold.key}: ${hold.why}`] }
      : { count: 0, since: null, named: [] };
  },
  backup: (db, _, now) => readBackup(db, now),
  disk: (_, { dataDir }) => readDisk(dataDir).catch(() => undefined),
  clock: async (db) => ({ count: Math.round(Math.abs(await readDrift(db))), since: null, named: [] }),
  operators: async (db, _, now) => {
    const refused = { action: 'operator.refused', since: new Date(now.getTime() - DAY) } as const;
    return { count: (await listEntries(db, refused, COUNTED)).length, since: null, named: [] };
  },
};

/** Reads every signal of this installation. */
export const readSignals = async (db: Db, watched: SignalInputs, now: Date): Promise<Readings> => {
  const found = await Promise.all(
    SIGNAL_NAMES.map(async (name) => [name, await LOOKS[name](db, watched, now)] as const),
  );
  return Object.fromEntries(found.filter(([, reading]) => reading !== undefined));
};
