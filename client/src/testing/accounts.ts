import { SCOPES } from '@broker-transparency/contract';
import type { Scope } from './policy.ts';

/**
 * The account behind a token.
 * @example const visitor: TestAccount = { kyc: 'none', scopes: ['complaints:write'] };
 */
export interface TestAccount {
  /** Scopes of the token; all by default. */
  readonly scopes?: readonly Scope[];
  /** Status of the identity verification; `verified` by default. */
  readonly kyc?: 'none' | 'pending' | 'verified' | 'rejected' | 'expired';
  /** Name of the author in reviews. */
  readonly displayName?: string;
  readonly country?: string;
  /** If true, requests with the token are answered with 401 `invalid_token`. */
  readonly revoked?: boolean;
}

export interface Account extends Required<Omit<TestAccount, 'country'>> {
  readonly token: string;
  readonly country: string | undefined;
}

/** The accounts of a test server. Each has one token. */
export class Accounts {
  readonly #accounts = new Map<string, Account>();

  create(given: TestAccount): string {
    const number = this.#accounts.size + 1;
    const token = `btr_test_${String(number).padStart(4, '0')}`;
    const drawn = {
      kyc: 'verified',
      displayName: `Test account ${number}`,
      country: undefined,
      revoked: false,
    } as const;
    this.#accounts.set(token, { ...drawn, scopes: SCOPES, ...given, token });
    return token;
  }

  /**
   * Changes the account of a token.
   * @throws TypeError for a token that this server did not issue
   */
  change(token: string, change: TestAccount): void {
    const account = this.#accounts.get(token);
    if (account === undefined) throw new TypeError('this server has made no such token: make one by server.token()');
    this.#accounts.set(token, { ...account, ...change });
  }

  /** Returns the account of a token. Returns undefined for an unknown or revoked token. */
  find(token: string): Account | undefined {
    const account = this.#accounts.get(token);
    return account?.revoked ? undefined : account;
  }
}
