import type { PersonalDataSource } from '../../ledger/define-module.ts';
import { withCurrentSlugs } from '../brokers/facts.ts';
import { closeRepresentative } from './actions.ts';
import * as store from './store.ts';

/**
 * The firms that a person answers for. An erasure ends that, and leaves no address; the operators who confirmed it are
 * not the person's data. One that was ended has an erasure of its own id, so that no backup brings it back.
 */
export const representativeData: PersonalDataSource = {
  name: 'representatives',
  held: async ({ accountIds }, tx) => ({
    representatives: (await withCurrentSlugs(tx.db, await store.findByAccounts(accountIds, tx), { session: tx })).map(
      ({ requestedBy, confirmedBy, codeHash, ...one }) => one,
    ),
  }),
  erase: async (c, { accountIds }, limit) => {
    const named = await store.findStandingById(accountIds, c.tx);
    for (const one of named) await closeRepresentative(c, one, 'by_operator');

    const found = await store.findByAccounts(accountIds, c.tx, limit);
    for (const one of found)
      if (one.status === 'ended')
        await store.changeRepresentative(
          one._id,
          { accountId: undefined, address: undefined, ending: 'person_erased' },
          c.tx,
        );
      else await closeRepresentative(c, one, 'person_erased');
    return named.length + found.length;
  },
};
