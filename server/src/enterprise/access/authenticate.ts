import type { IncomingMessage } from 'node:http';
import { type EnterpriseScope, PLANS } from '@broker-transparency/contract/enterprise';
import type { Client } from '../../features/accounts/jwt-claims.rule.ts';
import { hashToken, isTokenForm } from '../../features/accounts/token.ts';
import { refuse } from '../../http/auth/access.ts';
import { ProblemError } from '../../http/problem/problem.ts';
import { batchLoader } from '../../platform/batch-loader.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { isWithin } from '../../platform/outbound/addresses.ts';
import { type Environment, environmentOf, KEY_PREFIX } from '../organisations/environment.rule.ts';
import { findByClient, findKey, type Organisation, touchKeys } from '../organisations/facts.ts';
import { type Customer, customerOf } from './customer.ts';

/** Reads a token of the identity provider. Resolves to undefined if it is not a good one. */
type ReadClient = (token: string) => Promise<Client | undefined>;

export interface AuthenticateParts {
  readonly clock: Clock;
  readonly environment: Environment;
  readonly readClient: ReadClient | undefined;
  readonly onTouchFault: (error: unknown) => void;
}

/** A last use is noted at most this often, so that reads do not cause writes. */
const TOUCH_MS = 60_000;

/** A good key is used from an address that it is not for. */
export class WrongAddress extends ProblemError {
  readonly customer: Customer;

  constructor(customer: Customer, address: string) {
    super(
      'insufficient_scope',
      `The key ${customer.key?.id} may be used from the addresses that its organisation has named, and this is ${address}.`,
    );
    this.customer = customer;
  }
}

const isOver = ({ agreement: { endsAt } }: Organisation, now: Date): boolean => endsAt !== undefined && endsAt <= now;

/** The scopes of the plan are checked at each use: a plan may lose one after a key was issued. */
const inPlan = ({ plan }: Organisation, may: (scope: EnterpriseScope) => boolean): readonly EnterpriseScope[] =>
  PLANS[plan].scopes.filter(may);

const BEARER = /^bearer +(\S+) *$/i;

/**
 * Makes the function that finds the customer of a request by its key, or by a token of the identity provider.
 * It throws a ProblemError: authentication_required, invalid_token, or WrongAddress.
 */
export const createAuthenticate = (db: Db, { clock, environment, readClient, onTouchFault }: AuthenticateParts) => {
  const touch = batchLoader(async (hashes) => {
    await touchKeys(db, hashes, clock()).catch(onTouchFault);
    return () => undefined;
  });

  const byKey = async (secret: string, address: string): Promise<Customer | undefined> => {
    const hash = hashToken(secret);
    const key = await findKey(db, hash);
    const [organisation] = key?.organisations ?? [];
    const now = clock();
    if (!key || key.revokedAt || key.expiresAt <= now || !organisation || isOver(organisation, now)) return undefined;
    const { id, name, expiresAt, addresses } = key;
    const scopes = inPlan(organisation, (scope) => key.scopes.includes(scope));
    const customer = customerOf(organisation, { key: { id, name, expiresAt }, scopes });
    if (addresses.length > 0 && !isWithin(address, addresses)) throw new WrongAddress(customer, address);
    if (!key.lastUsedAt || now.getTime() - key.lastUsedAt.getTime() > TOUCH_MS) touch(hash);
    return customer;
  };

  const byClient = async (token: string): Promise<Customer | undefined> => {
    const client = await readClient?.(token);
    const organisation = client && (await findByClient(db, client.clientId));
    if (!client || !organisation || isOver(organisation, clock())) return undefined;
    return customerOf(organisation, {
      key: undefined,
      scopes: inPlan(organisation, (scope) => client.scopes.includes(scope)),
    });
  };

  return async ({ headers }: Pick<IncomingMessage, 'headers'>, address: string): Promise<Customer> => {
    const [, secret] = BEARER.exec(headers.authorization ?? '') ?? [];
    if (secret === undefined)
      throw refuse(
        'authentication_required',
        'Send "Authorization: Bearer <key>". The operator issues keys: see /enterprise.',
      );
    const keyOf = environmentOf(secret);
    if (keyOf !== undefined && keyOf !== environment)
      throw refuse('invalid_token', `This is a key of a ${keyOf} service, and this service is ${environment}.`);
    const isKey = keyOf !== undefined && isTokenForm(secret, KEY_PREFIX[keyOf]);
    const customer = isKey ? await byKey(secret, address) : keyOf ? undefined : await byClient(secret);
    if (!customer)
      throw refuse('invalid_token', 'The key is malformed, unknown, expired or revoked, or the agreement has ended.');
    return customer;
  };
};
