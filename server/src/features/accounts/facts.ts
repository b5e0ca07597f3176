import type { Db } from '../../platform/mongo.ts';
import * as store from './store.ts';

/** The parts of accounts that other features may use. */
export { findAccount, findAccountBySubject as findSubject, findAccountIn, listAccounts } from './store.ts';

/** Returns all accounts with the same KYC reference as this one, or only this one if it has none. */
export const findSamePersonAccounts = (db: Db, account: store.Account): Promise<store.Account[]> =>
  account.kyc.personHash === undefined
    ? Promise.resolve([account])
    : store.findByPersonHash(db, account.kyc.personHash);
