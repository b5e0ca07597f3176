import type { EnterpriseAccount, WebhookEndpoint } from '@broker-transparency/client/enterprise';
import { PLANS } from '@broker-transparency/contract/enterprise';
import { challenge } from './access.ts';
import type { KnownValue } from './known.ts';
import { CallRefusal, type NamedRoute } from './policy.ts';

/** A permission of a key. */
type EnterpriseScope = KnownValue<EnterpriseAccount['scopes'][number]>;

/**
 * The organisation behind a key.
 * @example const newsroom: TestCustomer = { plan: 'media', scopes: ['record:read', 'media:read'] };
 */
export interface TestCustomer {
  /** Its plan; by default `regulator`, which has every scope. */
  readonly plan?: KnownValue<EnterpriseAccount['plan']>;
  /** Scopes of the key; by default those of the plan. */
  readonly scopes?: readonly EnterpriseScope[];
  /** Name of the organisation. */
  readonly name?: string;
  /** If true, requests with the key are answered with 401 `invalid_token`. */
  readonly revoked?: boolean;
}

/** A watchlist with the slugs that were put on it. */
interface StoredWatchlist {
  readonly brokers: readonly string[];
  readonly updatedAt: string;
}

/** An endpoint with the secrets that sign its events, the newest first. */
export interface StoredEndpoint extends Omit<WebhookEndpoint, 'end' | 'secrets'> {
  readonly secrets: readonly { readonly secret: string; readonly createdAt: string; readonly endsAt: string | null }[];
}

/** A request that was answered. */
interface UsedRequest {
  readonly date: string;
  readonly route: string;
  /** Bytes of the answer. */
  readonly bytes: number;
}

/** An organisation with one key. */
export interface Customer extends Required<TestCustomer> {
  readonly id: string;
  readonly key: string;
  readonly watchlists: Map<string, StoredWatchlist>;
  readonly endpoints: Map<string, StoredEndpoint>;
  readonly usage: UsedRequest[];
}

/** The organisations of a test server. Each has one key. */
export class Customers {
  readonly #customers = new Map<string, Customer>();

  create(given: TestCustomer): string {
    const number = this.#customers.size + 1;
    const key = `bte_sandbox_test_${String(number).padStart(4, '0')}`;
    const plan = given.plan ?? 'regulator';
    const stores = { watchlists: new Map(), endpoints: new Map(), usage: [] };
    const drawn = { plan, scopes: PLANS[plan].scopes, name: `Test organisation ${number}`, revoked: false };
    this.#customers.set(key, { ...drawn, ...given, id: `org_test_${number}`, key, ...stores });
    return key;
  }

  /**
   * Changes the organisation of a key.
   * @throws TypeError for a key that this server did not issue
   */
  change(key: string, change: TestCustomer): void {
    const customer = this.#customers.get(key);
    if (customer === undefined) throw new TypeError('this server has made no such key: make one by server.key()');
    this.#customers.set(key, { ...customer, ...change });
  }

  list(): readonly Customer[] {
    return [...this.#customers.values()];
  }

  /** Returns the organisation of a valid key; undefined for any other. */
  find(authorization: string | null): Customer | undefined {
    const [, key = ''] = /^bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
    const customer = this.#customers.get(key);
    return customer?.revoked ? undefined : customer;
  }

  /**
   * Returns the organisation of a request.
   * @throws CallRefusal `authentication_required`, `invalid_token`
   */
  require(authorization: string | null): Customer {
    if (!/^bearer +\S+ *$/i.test(authorization ?? ''))
      throw new CallRefusal(
        'authentication_required',
        'Send "Authorization: Bearer <key>". The operator issues keys: see /enterprise.',
        challenge(),
      );
    const customer = this.find(authorization);
    if (customer === undefined)
      throw new CallRefusal(
        'invalid_token',
        'The key is malformed, unknown, expired or revoked, or the agreement has ended.',
        challenge(', error="invalid_token"'),
      );
    return customer;
  }
}

/** Returns the scopes of a key, as far as its plan has them. */
export const listScopes = ({ plan, scopes }: Customer): EnterpriseScope[] =>
  PLANS[plan].scopes.filter((scope) => scopes.includes(scope));

/** Returns the header that names a missing scope. */
export const scopeChallenge = (scope: EnterpriseScope) => ({
  headers: { 'WWW-Authenticate': `Bearer realm="enterprise", error="insufficient_scope", scope="${scope}"` },
});

/**
 * Requires that a customer may call a route.
 * @throws CallRefusal `insufficient_scope`
 */
export const requireScope = (customer: Customer, { access }: NamedRoute['metadata']): void => {
  const scope = (access as { readonly scope: EnterpriseScope }).scope;
  if (listScopes(customer).includes(scope)) return;
  const { plan } = customer;
  const why = PLANS[plan].scopes.includes(scope) ? 'this key does not have it' : `the plan "${plan}" does not have it`;
  throw new CallRefusal('insufficient_scope', `This needs the scope "${scope}", and ${why}.`, scopeChallenge(scope));
};
