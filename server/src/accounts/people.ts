import type { Holder } from '../person.ts';
import * as store from './store.ts';

/** What accounts hold about a person. The hash of a token is left out of an export: it stands for a credential. */
export const accountHolder: Holder = {
  collections: ['accounts', 'tokens'],
  held: async ({ accountIds }, tx) => ({
    accounts: await store.findAccounts(accountIds, tx),
    tokens: (await store.findTokensOf(accountIds, tx)).map(({ _id, ...token }) => token),
  }),
  erase: async (_context, { accountIds }, limit, tx) => {
    const tokens = await store.deleteTokensOf(accountIds, limit, tx);
    return tokens + (await store.deleteAccounts(accountIds, tx));
  },
};
