import type { Db } from '../../platform/mongo.ts';
import * as store from './store.ts';

/** What other features may use of accounts. */
export { findAccount, findAccountBySubject as findSubject, listAccounts } from './store.ts';

/** Returns all accounts with the same KYC reference as this one, or only this one if it has none. */
export const findSamePersonAccounts = (db: Db, account: store.Account): Promise<store.Account[]> =>
  account.kyc.personHash === undefined
    ? Promise.resolve([account])
    : store.findByPersonHash(db, account.kyc.personHash);
