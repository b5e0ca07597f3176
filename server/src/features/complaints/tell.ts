import type { TxContext } from '../../ledger/context.ts';
import { tellBroker, tellPerson } from '../notices/tell.ts';
import { dueAt, finalAt } from './deadlines.rule.ts';
import type { StoredComplaint } from './store.ts';

const CLOSED = ['resolved', 'unresolved', 'withdrawn'] as const;
const isClosed = (status: string): status is (typeof CLOSED)[number] => CLOSED.some((one) => one === status);

/** Until when a broker that has a complaint is to answer. */
const deadlinesOf = (complaint: StoredComplaint) => ({
  dueAt: dueAt(complaint)?.toISOString() ?? '',
  finalAt: finalAt(complaint)?.toISOString() ?? '',
});

/** Tells the complainant of the state that a complaint came to, and the broker where it has the complaint. */
export const tellOfState = async (c: TxContext, complaint: StoredComplaint): Promise<void> => {
  const { _id: reference, broker, accountId, status, ending, forwardedAt } = complaint;
  const about = { reference, broker };
  if (status === 'forwarded') {
    const deadlines = deadlinesOf(complaint);
    await tellPerson(c, accountId, 'complaint.forwarded', { ...about, ...deadlines });
    await tellBroker(c, broker, 'broker.complaint', { reference, ...deadlines });
    return;
  }
  await tellPerson(c, accountId, `complaint.${status}`, { ...about, ending });
  if (forwardedAt && isClosed(status))
    await tellBroker(c, broker, 'broker.complaint_closed', { reference, status, ending });
};

/** Reminds the contacts of a broker of a complaint. Returns how many there are. */
export const remindBroker = (c: TxContext, complaint: StoredComplaint): Promise<number> =>
  tellBroker(c, complaint.broker, 'broker.reminder', { reference: complaint._id, ...deadlinesOf(complaint) });
