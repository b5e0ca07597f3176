import { expect, test } from 'vitest';
import { hashCode, isLinkSubject, toCode, toLinkSubject } from './code.rule.ts';

test('the code of a link follows from its secret: eight signs that nobody confuses', () => {
  const codes = Array.from({ length: 500 }, (_, at) => toCode(`token ${at}`));
  expect(codes.every((code) => /^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/.test(code))).toBe(true);
  expect(new Set(codes).size).toBe(500);
  expect(toCode('token 1')).toBe(codes[1]);
});

test.each(['abcd-2345', 'ABCD 2345', ' ab cd23-45 '])('a code may be typed as %j', (typed) => {
  expect(hashCode(typed, 'browser')).toBe(hashCode('ABCD-2345', 'browser'));
});

test('a code is good in one browser alone', () => {
  expect(hashCode('ABCD-2345', 'one')).not.toBe(hashCode('ABCD-2345', 'other'));
});

test('an address has one account however it is spelt, and never that of a JWT, whose issuer begins with http', () => {
  expect(toLinkSubject('Anna@Mail.example')).toBe('mail:anna@mail.example');
  expect(isLinkSubject(toLinkSubject('Anna@Mail.example'))).toBe(true);
  expect(isLinkSubject('https://id.example#8f14e45f')).toBe(false);
});
