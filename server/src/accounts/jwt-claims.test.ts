import { describe, expect, test } from 'vitest';
import { ALGORITHMS, isAccessTokenType, scopesOf, subjectOf } from './jwt-claims.ts';

test('nothing unsigned and no shared secret is among the algorithms', () => {
  expect(ALGORITHMS.filter((name) => /^(none|HS|dir|A\d|PBES)/i.test(name))).toEqual([]);
});

describe('the type of a token', () => {
  test.each([undefined, 'JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt'])('may be %j', (typ) => {
    expect(isAccessTokenType(typ)).toBe(true);
  });

  test.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt', '', 'at+jwt ', null, 1, ['at+jwt']])('may not be %j', (typ) => {
    expect(isAccessTokenType(typ)).toBe(false);
  });
});

describe('the subject', () => {
  test.each(['alice', 'auth0|8831', 'a#b', 'Ægir', 'x'.repeat(255)])('of %j is named with its issuer', (sub) => {
    expect(subjectOf('https://login.example/', { sub })).toBe(`https://login.example/#${sub}`);
  });

  test.each([undefined, null, 7, {}, ['alice'], '', ' ', 'a\u0000', 'a\nb', '\ud800', 'x'.repeat(256)])(
    'is not %j',
    (sub) => {
      expect(subjectOf('https://login.example', { sub })).toBeUndefined();
    },
  );

  test('of one issuer is none of another one', () => {
    expect(subjectOf('https://a.example', { sub: 'b#c' })).not.toBe(subjectOf('https://a.example/b', { sub: 'c' }));
  });
});

describe('the scopes', () => {
  test.each([
    [{ scope: 'openid reviews:write' }, ['reviews:write']],
    [{ scope: 'complaints:write reviews:write reviews:write' }, ['reviews:write', 'complaints:write']],
    [{ scp: ['reviews:write', 'email'] }, ['reviews:write']],
    [{ scp: 'complaints:write openid' }, ['complaints:write']],
    [{ scope: '', scp: ['reviews:write'] }, []],
    [{ scope: 'reviews:writes xreviews:write reviews:Write' }, []],
    [{ scope: ['reviews:write'] }, ['reviews:write']],
    [{ scope: { 'reviews:write': true } }, []],
    [{ scope: 7 }, []],
    [{}, []],
  ])('of %j', (claims, scopes) => {
    expect(scopesOf(claims)).toEqual(scopes);
  });
});
