import type { Scope } from './policy.ts';

/**
 * Whom a token stands for.
 * @example const visitor: TestAccount = { kyc: 'none', scopes: ['complaints:write'] };
 */
export interface TestAccount {
  /** All by default. */
  readonly scopes?: readonly Scope[];
  /** State of the identity verification; `verified` by default. */
  readonly kyc?: 'none' | 'pending' | 'verified' | 'rejected' | 'expired';
  /** How reviews show the author. */
  readonly displayName?: string;
  readonly country?: string;
  /** Answers 401 `invalid_token`. */
  readonly revoked?: boolean;
}

export interface Account extends Required<Omit<TestAccount, 'country'>> {
  readonly token: string;
  readonly country: string | undefined;
}

/** The accounts of a test server, each with one token. */
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
    this.#accounts.set(token, { ...drawn, scopes: ['reviews:write', 'complaints:write'], ...given, token });
    return token;
  }

  /** @throws TypeError for a token that is none of this server's */
  change(token: string, change: TestAccount): void {
    const account = this.#accounts.get(token);
    if (account === undefined) throw new TypeError('this server has made no such token: make one by server.token()');
    this.#accounts.set(token, { ...account, ...change });
  }

  /** The account of a token that is still good. */
  find(token: string): Account | undefined {
    const account = this.#accounts.get(token);
    return account?.revoked ? undefined : account;
  }
}
