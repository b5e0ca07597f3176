import type { PersonalDataSource } from '../../ledger/define-module.ts';
import { markBrokersDirty } from '../brokers/changed.ts';
import { withCurrentSlugs } from '../brokers/facts.ts';
import * as store from './store.ts';

/** The disputes that a person wrote for a firm. An erasure deletes the texts; the firm's dispute and its clock stay. */
export const disputeData: PersonalDataSource = {
  name: 'disputes',
  held: async ({ accountIds }, tx) => ({
    disputes: (await withCurrentSlugs(tx.db, await store.findByAccounts(accountIds, tx), { session: tx })).map(
      ({ decidedBy, ...dispute }) => dispute,
    ),
  }),
  erase: async (c, { accountIds }, limit) => {
    const disputes = await store.findByAccounts(accountIds, c.tx, limit);
    for (const { _id, textState } of disputes) {
      await store.eraseText(_id, c.tx);
      const change = { before: { text: textState }, after: { text: 'erased' }, reason: 'person_erased' };
      c.audit('dispute.erased', { kind: 'dispute', id: _id }, change);
    }
    await markBrokersDirty(c, [...new Set(disputes.map(({ broker }) => broker))]);
    return disputes.length;
  },
};
