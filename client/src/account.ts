import { createFamily, createFamilyCalls, type Family, type FamilyBudget } from './families.ts';
import type { AccountOperations } from './generated/account.ts';
import { accountRoutes } from './generated/account-routes.ts';
import type { Calls } from './operations.ts';
import type { TokenFunction } from './options.ts';
import { RateLimiter } from './rate-limit.ts';
import { bearer } from './settings.ts';

export type * from './generated/account.ts';

/**
 * Calls with which people see and change their own reviews, complaints and reports.
 * @example const own = (account: AccountCalls) => account.reviews.list().toArray();
 */
export interface AccountCalls extends Calls<AccountOperations, typeof accountRoutes, 'throwing'>, FamilyBudget {}

/**
 * The calls of {@link AccountCalls} that resolve with `{ data, error, response }`.
 * @example const { data, error } = await client.safe.account.reviews.withdraw(id);
 */
export interface SafeAccountCalls extends Calls<AccountOperations, typeof accountRoutes, 'safe'> {}

/**
 * Options of {@link account}.
 * @example const options: AccountOptions = { token: () => session.token };
 */
export interface AccountOptions {
  /** Bearer token of the person, or a function that gives one for each try. The client's token by default. */
  readonly token?: string | TokenFunction | undefined;
}

/**
 * Gives a client the calls about a person's own submissions, as `client.account`. Their answers are never stored.
 * @throws TypeError if `token` cannot be sent
 * @example
 * const client = createClient({ baseUrl: 'https://brokers.example/api/v1', token, with: [account()] });
 * for await (const { title, status } of client.account.reviews.list()) console.log(title, status);
 */
export const account = ({ token }: AccountOptions = {}): Family<'account', AccountCalls, SafeAccountCalls> => {
  if (typeof token !== 'function') bearer(token);
  return createFamily('account', (client) => {
    const rateLimiter = token === undefined ? client.rateLimiter : new RateLimiter();
    const settings = { ...client, token: token ?? client.token, store: undefined, rateLimiter };
    return createFamilyCalls({ name: 'account', api: '/account/v1', routes: accountRoutes, settings });
  });
};
