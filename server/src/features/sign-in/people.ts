import type { PersonalDataSource } from '../../ledger/define-module.ts';
import * as store from './store.ts';

/** Leaves out the hash, which is derived from a credential. */
const exportedSession = ({ _id, ...session }: store.Session) => session;

/** The sessions in which a person is signed in. Their erasure ends them. */
export const signInData: PersonalDataSource = {
  name: 'sessions',
  held: async ({ accountIds }, tx) => ({
    sessions: (await store.findSessionsOf(accountIds, tx)).map(exportedSession),
  }),
  erase: async ({ tx }, { accountIds }, limit) => {
    const sessions = await store.findSessionsOf(accountIds, tx, limit);
    return store.deleteSessions(
      sessions.map(({ _id }) => _id),
      tx,
    );
  },
};
