import { statfs } from 'node:fs/promises';
import { listEntries } from '../ledger/audit/store.ts';
import { type CheckReading, DAY, FAILING, HOUR } from '../ledger/checks.rule.ts';
import { findJobs, type JobDocument } from '../platform/jobs/store.ts';
import type { Db } from '../platform/mongo.ts';
import { listApplied } from './migrations/store.ts';

/** Milliseconds for which a job may be due before it counts as late. */
const LATE_MS = HOUR / 4;

/** Names the jobs that fail or are late. */
export const readJobs = async (db: Db, mine: readonly string[], now: Date): Promise<CheckReading> => {
  const isLate = ({ nextRunAt }: JobDocument): boolean =>
    nextRunAt !== null && now.getTime() - nextRunAt.getTime() > LATE_MS;
  const bad = (await findJobs(db, mine)).filter((job) => (job.failCount ?? 0) >= FAILING || isLate(job));
  return { named: bad.map(({ name, failReason }) => (failReason ? `${name}: ${failReason}` : `${name} is due`)) };
};

/** Reads the time of the last backup, and the whole days for which the database has been in use. */
export const readBackup = async (db: Db, now: Date): Promise<CheckReading> => {
  const [made] = await listEntries(db, { action: 'backup.made' }, 1);
  const [first] = await listApplied(db);
  const days = first ? Math.floor((now.getTime() - first.appliedAt.getTime()) / DAY) : 0;
  return { count: days, since: made?.at };
};

/** Reads the space left to the service's user, in per cent; undefined if the system does not say it. */
export const readDisk = (dir: string): Promise<CheckReading | undefined> =>
  statfs(dir).then(
    ({ bavail, blocks }) => ({ count: Math.floor((100 * bavail) / Math.max(1, blocks)) }),
    () => undefined,
  );
