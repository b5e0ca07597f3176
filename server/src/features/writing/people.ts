import type { PersonalDataSource } from '../../ledger/define-module.ts';
import * as store from './store.ts';

/** Texts that a person has not sent. */
export const draftData: PersonalDataSource = {
  name: 'drafts',
  held: async ({ accountIds }, tx) => ({
    drafts: (await store.listDrafts(tx.db, accountIds, 0, tx)).map(({ session, ...draft }) => draft),
  }),
  erase: async ({ tx }, { accountIds }, limit) => {
    const drafts = await store.listDrafts(tx.db, accountIds, limit, tx);
    return store.deleteDrafts(
      drafts.map(({ _id }) => _id),
      tx,
    );
  },
};
