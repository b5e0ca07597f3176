import * as store from './store.ts';

/** What other features may know of accounts. */
export { findAccount, findAccountBySubject as findSubject, listAccounts } from './store.ts';

/** The accounts of one person: those that the provider's reference joins, else this one. */
export const accountsOfPerson = (account: store.Account): Promise<store.Account[]> =>
  account.kyc.personHash === undefined ? Promise.resolve([account]) : store.findByPersonHash(account.kyc.personHash);
