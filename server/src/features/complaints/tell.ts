import type { TxContext } from '../../ledger/context.ts';
import { notifyBroker, notifyPerson } from '../notices/tell.ts';
import { computeDueAt, computeFinalAt } from './deadlines.rule.ts';
import type { StoredComplaint } from './store.ts';

const CLOSED = ['resolved', 'unresolved', 'withdrawn'] as const;
const isClosed = (status: string): status is (typeof CLOSED)[number] => CLOSED.some((one) => one === status);

/** Until when a broker that has a complaint is to answer. */
const formatDeadlines = (complaint: StoredComplaint) => ({
  dueAt: computeDueAt(complaint)?.toISOString() ?? '',
  finalAt: computeFinalAt(complaint)?.toISOString() ?? '',
});

/** Tells the complainant of the state that a complaint came to, and the broker where it has the complaint. */
export const notifyState = async (c: TxContext, complaint: StoredComplaint): Promise<void> => {
  const { _id: reference, broker, accountId, status, ending, forwardedAt } = complaint;
  const about = { reference, broker };
  if (status === 'forwarded') {
    const deadlines = formatDeadlines(complaint);
    await notifyPerson(c, accountId, 'complaint.forwarded', { ...about, ...deadlines });
    await notifyBroker(c, broker, 'broker.complaint', { reference, ...deadlines });
    return;
  }
  await notifyPerson(c, accountId, `complaint.${status}`, { ...about, ending });
  if (forwardedAt && isClosed(status))
    await notifyBroker(c, broker, 'broker.complaint_closed', { reference, status, ending });
};

/** Reminds the contacts of a broker of a complaint. Returns how many there are. */
export const remindBroker = (c: TxContext, complaint: StoredComplaint): Promise<number> =>
  notifyBroker(c, complaint.broker, 'broker.reminder', { reference: complaint._id, ...formatDeadlines(complaint) });
