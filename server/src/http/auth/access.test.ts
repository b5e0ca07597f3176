import { type Access, contract, SCOPES, type Scope } from '@broker-transparency/contract';
import type { Request } from 'express';
import { describe, expect, test, vi } from 'vitest';
import { ProblemError } from '../problem/problem.ts';
import { type Credential, createAuthenticate, type Principal, requireAccess, type VerifyToken } from './access.ts';

const principal = (scopes: readonly Scope[], kycVerified: boolean): Principal => ({
  accountId: 'a1',
  scopes,
  kycVerified,
  personKey: 'account:alice',
  displayName: 'Alice',
});

const NONE: Credential = { principal: undefined, given: false };
const BAD: Credential = { principal: undefined, given: true };

const outcome = (access: Access, credential: Credential) => {
  try {
    return requireAccess(access, credential);
  } catch (error) {
    if (error instanceof ProblemError) return [error.status, error.code, error.headers['WWW-Authenticate']];
    throw error;
  }
};

const challenge = (code: string, scope: Scope): unknown[] => [
  403,
  code,
  `Bearer realm="broker-transparency", error="insufficient_scope", scope="${scope}"`,
];
const MISSING = [401, 'authentication_required', 'Bearer realm="broker-transparency"'];
const INVALID = [401, 'invalid_token', 'Bearer realm="broker-transparency", error="invalid_token"'];

/** Every set of scopes a token can have. */
const SCOPE_SETS = SCOPES.reduce<Scope[][]>((sets, scope) => sets.concat(sets.map((set) => set.concat(scope))), [[]]);
const PRINCIPALS = SCOPE_SETS.flatMap((scopes) => [true, false].map((verified) => principal(scopes, verified)));

describe('a public route', () => {
  test.each([NONE, BAD])('the route is open to %j', (credential) => {
    expect(requireAccess('public', credential)).toBeUndefined();
  });

  test.each(PRINCIPALS)('knows who calls: %j', (who) => {
    expect(requireAccess('public', { principal: who })).toBe(who);
  });
});

describe('a route for any valid token', () => {
  test('asks for a credential, and refuses a bad one', () => {
    expect(outcome('token', NONE)).toEqual(MISSING);
    expect(outcome('token', BAD)).toEqual(INVALID);
  });

  test.each(PRINCIPALS)('the route is open to %j', (who) => {
    expect(outcome('token', { principal: who })).toBe(who);
  });
});

describe.each(SCOPES.flatMap((scope) => [true, false].map((kyc) => ({ scope, kyc }))))(
  'a route for $scope, verified people only: $kyc,',
  (access) => {
    test('asks for a credential where there is none', () => {
      expect(outcome(access, NONE)).toEqual(MISSING);
    });

    test('refuses a bad one', () => {
      expect(outcome(access, BAD)).toEqual(INVALID);
    });

    test.each(PRINCIPALS)('admits %j, or says what is missing', (who) => {
      const expected = !who.scopes.includes(access.scope)
        ? challenge('insufficient_scope', access.scope)
        : access.kyc && !who.kycVerified
          ? challenge('kyc_required', access.scope)
          : who;
      expect(outcome(access, { principal: who })).toEqual(expected);
    });
  },
);

test('reviews need a verified person, complaints only an account', () => {
  const [person, anyone] = [principal(SCOPES, true), principal(SCOPES, false)];
  const { access: reviews } = contract.reviews.create.metadata;
  const { access: complaints } = contract.complaints.create.metadata;
  expect(outcome(reviews, { principal: person })).toBe(person);
  expect(outcome(reviews, { principal: anyone })).toEqual(challenge('kyc_required', 'reviews:write'));
  expect(outcome(complaints, { principal: anyone })).toBe(anyone);
});

describe('the credential of a request', () => {
  const alice = principal(['reviews:write'], true);
  const request = (authorization: string | undefined, more: object = {}) =>
    ({ headers: authorization === undefined ? {} : { authorization }, ...more }) as Request;
  const known: VerifyToken = async (token) => (token === 'good' ? alice : undefined);
  const read = (authorization: string | undefined, more?: object, verify = known) =>
    createAuthenticate(verify)(request(authorization, more));

  test.each([
    ['Bearer good', { principal: alice }],
    ['bearer good', { principal: alice }],
    ['BEARER good', { principal: alice }],
    [undefined, NONE],
    ['', NONE],
    ['Basic Z29vZDpnb29k', NONE],
    ['Basic good', NONE],
    ['Bearergood', NONE],
    ['good', NONE],
    ['Token good', NONE],
    ['Bearer', BAD],
    ['Bearer ', BAD],
    ['Bearer  good', BAD],
    ['Bearer good ', BAD],
    ['Bearer good good', BAD],
    ['Bearer bad', BAD],
    ['Bearer GOOD', BAD],
    ['Bearer good,Basic x', BAD],
  ])('%j', async (header, credential) => {
    expect(await read(header)).toEqual(credential);
  });

  test.each([
    { query: { access_token: 'good' } },
    { body: { access_token: 'good' } },
    { query: { access_token: 'good' }, body: { access_token: 'good' } },
  ])('reads no credential from %j', async (more) => {
    const verify = vi.fn(known);
    expect(await read(undefined, more, verify)).toEqual(NONE);
    expect(await read('Basic x', more, verify)).toEqual(NONE);
    expect(await read('Bearer', more, verify)).toEqual(BAD);
    expect(verify).not.toHaveBeenCalled();
  });

  test('a credential is looked up once per request', async () => {
    const verify = vi.fn(known);
    await read('Bearer good', {}, verify);
    expect(verify).toHaveBeenCalledExactlyOnceWith('good');
  });

  test('a credential that cannot be checked is a fault, not a bad one', async () => {
    const fault = new Error('store away');
    const rejecting = vi.fn<VerifyToken>().mockRejectedValue(fault);
    await expect(read('Bearer good', {}, rejecting)).rejects.toBe(fault);
    const throwing = vi.fn<VerifyToken>().mockImplementation(() => {
      throw fault;
    });
    await expect(read('Bearer good', {}, throwing)).rejects.toBe(fault);
  });

  test('credentials of many requests at once are not mixed up', async () => {
    const verify: VerifyToken = async (token) => ({ ...alice, accountId: token });
    const authenticate = createAuthenticate(verify);
    const found = await Promise.all(Array.from({ length: 50 }, (_, n) => authenticate(request(`Bearer t${n}`))));
    expect(found.map((credential) => credential.principal?.accountId)).toEqual(
      Array.from({ length: 50 }, (_, n) => `t${n}`),
    );
  });
});
