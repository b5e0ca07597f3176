import type { IncomingMessage } from 'node:http';
import { type EnterpriseScope, PLANS } from '@broker-transparency/contract/enterprise';
import type { JwtClient } from '../../features/accounts/jwt-claims.rule.ts';
import { hashToken, isTokenForm } from '../../features/accounts/token.ts';
import { createAuthProblem } from '../../http/auth/access.ts';
import { ProblemError } from '../../http/problem/problem.ts';
import { batchLoader } from '../../platform/batch-loader.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { isWithin } from '../../platform/outbound/addresses.ts';
import { detectEnvironment, type Environment, KEY_PREFIX } from '../organisations/environment.rule.ts';
import { findByClient, findKey, type Organisation, touchKeys } from '../organisations/facts.ts';
import { type Customer, toCustomer } from './customer.ts';

/** Reads a token of the identity provider. Resolves to undefined if it is invalid. */
type ReadClient = (token: string) => Promise<JwtClient | undefined>;

export interface AuthenticateParts {
  readonly clock: Clock;
  readonly environment: Environment;
  readonly readClient: ReadClient | undefined;
  readonly onTouchFault: (error: unknown) => void;
}

/** Minimum interval between records of the last use, so that reads do not cause writes. */
const TOUCH_MS = 60_000;

/** A valid key is used from an address that it does not allow. */
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

const hasEnded = ({ agreement: { endsAt } }: Organisation, now: Date): boolean => endsAt !== undefined && endsAt <= now;

/** Removes scopes that the plan lacks at each use, since a plan may lose a scope after a key was issued. */
const filterPlanScopes = (
  { plan }: Organisation,
  may: (scope: EnterpriseScope) => boolean,
): readonly EnterpriseScope[] => PLANS[plan].scopes.filter(may);

const BEARER = /^bearer +(\S+) *$/i;

/**
 * Creates the function that finds the customer of a request by its key, or by a token of the identity provider. It
 * throws a ProblemError: authentication_required, invalid_token, or WrongAddress.
 */
export const createAuthenticate = (db: Db, { clock, environment, readClient, onTouchFault }: AuthenticateParts) => {
  const touch = batchLoader(async (hashes) => {
    await touchKeys(db, hashes, clock()).catch(onTouchFault);
    return () => undefined;
  });

  const findByKey = async (secret: string, address: string): Promise<Customer | undefined> => {
    const hash = hashToken(secret);
    const key = await findKey(db, hash);
    const [organisation] = key?.organisations ?? [];
    const now = clock();
    if (!key || key.revokedAt || key.expiresAt <= now || !organisation || hasEnded(organisation, now)) return undefined;
    const { id, name, expiresAt, addresses } = key;
    const scopes = filterPlanScopes(organisation, (scope) => key.scopes.includes(scope));
    const customer = toCustomer(organisation, { key: { id, name, expiresAt }, scopes });
    if (addresses.length > 0 && !isWithin(address, addresses)) throw new WrongAddress(customer, address);
    if (!key.lastUsedAt || now.getTime() - key.lastUsedAt.getTime() > TOUCH_MS) touch(hash);
    return customer;
  };

  const findByClientToken = async (token: string): Promise<Customer | undefined> => {
    const client = await readClient?.(token);
    const organisation = client && (await findByClient(db, client.clientId));
    if (!client || !organisation || hasEnded(organisation, clock())) return undefined;
    return toCustomer(organisation, {
      key: undefined,
      scopes: filterPlanScopes(organisation, (scope) => client.scopes.includes(scope)),
    });
  };

  return async ({ headers }: Pick<IncomingMessage, 'headers'>, address: string): Promise<Customer> => {
    const [, secret] = BEARER.exec(headers.authorization ?? '') ?? [];
    if (secret === undefined)
      throw createAuthProblem(
        'authentication_required',
        'Send "Authorization: Bearer <key>". The operator issues keys: see /enterprise.',
      );
    const keyEnvironment = detectEnvironment(secret);
    if (keyEnvironment !== undefined && keyEnvironment !== environment)
      throw createAuthProblem(
        'invalid_token',
        `This is a key of a ${keyEnvironment} service, and this service is ${environment}.`,
      );
    const isKey = keyEnvironment !== undefined && isTokenForm(secret, KEY_PREFIX[keyEnvironment]);
    const customer = isKey
      ? await findByKey(secret, address)
      : keyEnvironment
        ? undefined
        : await findByClientToken(secret);
    if (!customer)
      throw createAuthProblem(
        'invalid_token',
        'The key is malformed, unknown, expired or revoked, or the agreement has ended.',
      );
    return customer;
  };
};
