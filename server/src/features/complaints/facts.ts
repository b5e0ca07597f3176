import type { BacklogStats } from '../../platform/backlog.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import { findBrokersWithComplaints, findCounted, findUnsent } from './store.ts';
import { countComplaints } from './summary.rule.ts';

export { computeDueAt, computeFinalAt } from './deadlines.rule.ts';
/** The complaints that wait for an operator, and the numbers of all. */
export { countByStatus, findForwarded, listForwarded, type StoredComplaint, waitingComplaints } from './store.ts';

/** Maximum number of reminders that are counted. */
const MOST_REMINDERS = 1000;

/** Counts the unsent reminders to brokers. */
export const waitingReminders = async (db: Db): Promise<BacklogStats> => {
  const unsent = (await findUnsent(db, MOST_REMINDERS))
    .flatMap(({ reminders = [] }) => reminders)
    .filter(({ sentAt }) => sentAt === undefined)
    .map(({ recordedAt }) => recordedAt)
    .sort((a, b) => a.getTime() - b.getTime());
  return { count: unsent.length, since: unsent[0] ?? null };
};

/** Returns a function that counts the complaints about some of these brokers, at a time. */
export const complaintFacts = async (brokers: readonly string[], tx: Tx) => {
  const byBroker = Map.groupBy(await findCounted(brokers, tx), (complaint) => complaint.broker);
  return (keys: readonly string[], at: Date) =>
    countComplaints(
      keys.flatMap((key) => byBroker.get(key) ?? []),
      at,
    );
};

/** Returns the brokers among these that have complaints. */
export { findBrokersWithComplaints };
