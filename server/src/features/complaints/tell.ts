import type { TxContext } from '../../ledger/context.ts';
import { notifyBroker, notifyPerson } from '../notices/tell.ts';
import { computeDueAt, computeFinalAt } from './deadlines.rule.ts';
import type { StoredComplaint } from './store.ts';

const CLOSED = ['resolved', 'unresolved', 'withdrawn'] as const;
const isClosed = (status: string): status is (typeof CLOSED)[number] => CLOSED.some((one) => one === status);

/** Formats the dates by which the broker has to answer. */
const formatDeadlines = (complaint: StoredComplaint) => ({
  dueAt: computeDueAt(complaint)?.toISOString() ?? '',
  finalAt: computeFinalAt(complaint)?.toISOString() ?? '',
});

/** Notifies the complainant of the new state of a complaint, and also the broker if the complaint was forwarded. */
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

/** Reminds the broker's contacts of a complaint. Returns the number of contacts. */
export const remindBroker = (c: TxContext, complaint: StoredComplaint): Promise<number> =>
  notifyBroker(c, complaint.broker, 'broker.reminder', { reference: complaint._id, ...formatDeadlines(complaint) });
