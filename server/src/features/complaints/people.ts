import { type AuditEntry, recordAll } from '../../platform/audit/store.ts';
import { brokersChanged } from '../brokers/actions.ts';
import type { PersonalDataSource } from '../personal-data.ts';
import * as store from './store.ts';
import { endByErasure } from './transitions.rule.ts';

/** Without where a piece of evidence is kept and what was noted about it: both are the operator's own. */
const exported = ({ evidence, ...complaint }: store.StoredComplaint) => ({
  ...complaint,
  ...(evidence && { evidence: evidence.map(({ reference, note, ...piece }) => piece) }),
});

/**
 * What complaints hold about a person. An erased complaint keeps its states, dates and codes, so that a broker's counts
 * stay true; one that was not sent to the broker yet is withdrawn.
 */
export const complaintData: PersonalDataSource = {
  collections: ['complaints'],
  held: async ({ accountIds }, tx) => ({
    complaints: (await store.findByAccounts(accountIds, tx)).map(exported),
  }),
  erase: async ({ actor, clock }, { accountIds }, limit, tx) => {
    const at = clock();
    const complaints = await store.findByAccounts(accountIds, tx, limit);
    const moves = complaints.map((complaint) => ({ complaint, set: endByErasure(complaint, at)?.set }));
    await store.eraseComplaints(
      moves.map(({ complaint, set }) => ({ reference: complaint._id, set: set ?? {} })),
      at,
      tx,
    );
    await brokersChanged([...new Set(moves.flatMap(({ complaint, set }) => (set ? complaint.broker : [])))], tx);
    const entries = moves.map(
      ({ complaint, set }): AuditEntry => ({
        action: 'complaint.erased',
        subject: { kind: 'complaint', id: complaint._id },
        before: { status: complaint.status },
        after: { status: set?.status ?? complaint.status },
        reason: 'person_erased',
      }),
    );
    if (entries.length > 0) await recordAll(actor, at, entries, tx);
    return complaints.length;
  },
};
