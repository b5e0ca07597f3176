import { describe, expect, test } from 'vitest';
import { ALGORITHMS, findClaimFault, MAX_LIFETIME, parseScopes, toAccountSubject } from './jwt-claims.rule.ts';

test('the algorithms contain neither unsigned tokens nor shared secrets', () => {
  expect(ALGORITHMS.filter((name) => /^(none|HS|dir|A\d|PBES)/i.test(name))).toEqual([]);
});

const NOW = 1_800_000_000;
const CLAIMS = { iat: NOW - 10, exp: NOW + 590 };
const refusal = (typ: unknown, claims: object = {}) => findClaimFault({ typ }, { ...CLAIMS, ...claims }, NOW);

describe('a signed token within its lifetime', () => {
  test.each(['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', 'jwt', 'application/jwt'])(
    'a token of type %j is an access token',
    (typ) => {
      expect(refusal(typ)).toBeUndefined();
    },
  );

  test.each([undefined, 'logout+jwt', 'dpop+jwt', 'secevent+jwt', '', 'at+jwt ', 'text/jwt', null, 1, ['at+jwt']])(
    'a token of type %j is refused',
    (typ) => {
      expect(refusal(typ)).toContain('"typ"');
    },
  );

  test.each(['nonce', 'at_hash', 'c_hash', 's_hash'])('a token with %s is an ID token, and is refused', (claim) => {
    for (const typ of ['JWT', 'at+jwt'])
      for (const value of ['x', '', null]) expect(refusal(typ, { [claim]: value })).toContain(`"${claim}"`);
  });

  test('a token bound to its holder’s key is refused, because the proof is not checked here', () => {
    for (const cnf of [{ jkt: 'x' }, { 'x5t#S256': 'x' }, {}, null])
      expect(refusal('at+jwt', { cnf })).toContain('"cnf"');
  });

  test.each([
    [{ iat: NOW, exp: NOW + MAX_LIFETIME }, undefined],
    [{ iat: NOW - MAX_LIFETIME + 1, exp: NOW + 1 }, undefined],
    [{ iat: NOW + 60, exp: NOW + 600 }, undefined],
    [{ iat: NOW, exp: NOW + MAX_LIFETIME + 1 }, '24 hours'],
    [{ iat: NOW - MAX_LIFETIME, exp: NOW + 1 }, '24 hours'],
    [{ iat: 0, exp: NOW + 60 }, '24 hours'],
    [{ iat: NOW + 61, exp: NOW + 600 }, 'future'],
    [{ iat: undefined }, '"iat"'],
    [{ iat: String(NOW) }, '"iat"'],
    [{ exp: Number.MAX_SAFE_INTEGER }, '24 hours'],
  ])('a token with %j gives: %s', (claims, reason) => {
    if (reason === undefined) expect(refusal('at+jwt', claims)).toBeUndefined();
    else expect(refusal('at+jwt', claims)).toContain(reason);
  });
});

describe('the subject', () => {
  test.each(['alice', 'auth0|8831', 'a#b', 'Ægir', 'x'.repeat(255)])(
    'the subject %j is named with its issuer',
    (sub) => {
      expect(toAccountSubject('https://login.example/', { sub })).toBe(`https://login.example/#${sub}`);
    },
  );

  test.each([undefined, null, 7, {}, ['alice'], '', ' ', 'a\u0000', 'a\nb', '\ud800', 'x'.repeat(256)])(
    'the subject cannot be %j',
    (sub) => {
      expect(toAccountSubject('https://login.example', { sub })).toBeUndefined();
    },
  );

  test('the subject of one issuer never equals that of another', () => {
    expect(toAccountSubject('https://a.example', { sub: 'b#c' })).not.toBe(
      toAccountSubject('https://a.example/b', { sub: 'c' }),
    );
  });
});

describe('the scopes', () => {
  test.each([
    [{ scope: 'openid reviews:write' }, ['reviews:write']],
    [{ scope: 'complaints:write reviews:write reviews:write' }, ['reviews:write', 'complaints:write']],
    [{ scp: ['reviews:write', 'email'] }, ['reviews:write']],
    [{ scp: 'complaints:write openid' }, ['complaints:write']],
    [{ scope: 'account:write account:read account' }, ['account:read', 'account:write']],
    [{ scope: '', scp: ['reviews:write'] }, []],
    [{ scope: 'reviews:writes xreviews:write reviews:Write' }, []],
    [{ scope: ['reviews:write'] }, ['reviews:write']],
    [{ scope: { 'reviews:write': true } }, []],
    [{ scope: 7 }, []],
    [{}, []],
  ])('reads the scopes of %j', (claims, scopes) => {
    expect(parseScopes(claims)).toEqual(scopes);
  });
});
