import type { PersonalDataSource } from '../../ledger/define-module.ts';
import * as store from './store.ts';

/** Leaves out the hash, which is derived from a credential, and the label, which is the operator's note. */
const exportedToken = ({ _id, label, ...token }: store.StoredToken) => token;

/** The personal data in accounts. */
export const accountData: PersonalDataSource = {
  name: 'accounts',
  held: async ({ accountIds }, tx) => ({
    accounts: await store.findAccounts(accountIds, tx),
    tokens: (await store.findAccountTokens(accountIds, tx)).map(exportedToken),
  }),
  erase: async ({ tx }, { accountIds }, limit) => {
    const tokens = await store.deleteAccountTokens(accountIds, limit, tx);
    return tokens + (await store.deleteAccounts(accountIds, tx));
  },
};
