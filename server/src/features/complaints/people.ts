import type { PersonalDataSource } from '../../ledger/define-module.ts';
import { markBrokersDirty } from '../brokers/changed.ts';
import { withCurrentSlugs } from '../brokers/facts.ts';
import * as store from './store.ts';
import { endByErasure } from './transitions.rule.ts';

/**
 * Returns a complaint for an export, without references to evidence, notes about it, and the operators who worked on
 * it.
 */
const exported = ({ evidence, decidedBy, ...complaint }: store.StoredComplaint) => ({
  ...complaint,
  ...(evidence && { evidence: evidence.map(({ reference, note, ...piece }) => piece) }),
});

/**
 * The personal data in complaints. An erased complaint keeps its states, dates and codes, so that the broker's counts
 * stay correct. One that was not forwarded yet is withdrawn.
 */
export const complaintData: PersonalDataSource = {
  name: 'complaints',
  held: async ({ accountIds }, tx) => ({
    complaints: (await withCurrentSlugs(tx.db, await store.findByAccounts(accountIds, tx), { session: tx })).map(
      exported,
    ),
  }),
  erase: async (c, { accountIds }, limit) => {
    const complaints = await store.findByAccounts(accountIds, c.tx, limit);
    const moves = complaints.map((complaint) => ({ complaint, set: endByErasure(complaint, c.now)?.set }));
    await store.eraseComplaints(
      moves.map(({ complaint, set }) => ({ reference: complaint._id, set: set ?? {} })),
      c.now,
      c.tx,
    );
    await markBrokersDirty(c, [...new Set(moves.flatMap(({ complaint, set }) => (set ? complaint.broker : [])))]);
    for (const { complaint, set } of moves) {
      const [before, after] = [{ status: complaint.status }, { status: set?.status ?? complaint.status }];
      const subject = { kind: 'complaint', id: complaint._id } as const;
      c.audit('complaint.erased', subject, { before, after, reason: 'person_erased' });
    }
    return complaints.length;
  },
};
