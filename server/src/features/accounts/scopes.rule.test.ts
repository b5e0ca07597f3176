import { IMPLIED_SCOPES, type Scope } from '@broker-transparency/contract';
import { expect, test } from 'vitest';
import { impliedScopes } from './scopes.rule.ts';

const END = new Date(IMPLIED_SCOPES.endsAt);
const BEFORE = new Date(END.getTime() - 1);
const BOTH = ['account:read', 'account:write'];

test.each<[Scope[], boolean | undefined, Date, readonly string[]]>([
  [['reviews:write'], undefined, BEFORE, BOTH],
  [[], undefined, BEFORE, BOTH],
  [['reviews:write'], undefined, END, []],
  [['reviews:write'], true, BEFORE, []],
  [['account:read'], undefined, BEFORE, []],
  [['complaints:write', 'account:write'], undefined, BEFORE, []],
  [[...IMPLIED_SCOPES.scopes], undefined, BEFORE, []],
])('a credential with %j (all of them: %s) implies, on %s, %j', (scopes, scopesAreAll, at, implied) => {
  expect(impliedScopes({ scopes, ...(scopesAreAll === undefined ? {} : { scopesAreAll }) }, at)).toEqual(implied);
});

test('implied scopes end at least a year after their announcement', () => {
  const announced = new Date(IMPLIED_SCOPES.deprecatedAt);
  announced.setUTCFullYear(announced.getUTCFullYear() + 1);
  expect(END >= announced).toBe(true);
});
