import { expect, test } from 'vitest';
import { countWorkingAdmins, needsSecondAdmin } from './grants.rule.ts';

const NOW = new Date('2026-11-26T12:00:00Z');
const [BEFORE, AFTER] = [new Date('2026-11-26T11:59:59Z'), new Date('2026-11-26T12:00:01Z')];
const ada = { _id: 'ada', role: 'admin' } as const;
const ben = { _id: 'ben', role: 'admin' } as const;
const token = (operator: string, change: { expiresAt?: Date; revokedAt?: Date } = {}) => ({
  operator,
  expiresAt: AFTER,
  ...change,
});

test.each([
  ['two admins with tokens', [ada, ben], [token('ada'), token('ben')], 2],
  ['one admin with two tokens', [ada], [token('ada'), token('ada')], 1],
  ['an admin whose token is over', [ada, ben], [token('ada'), token('ben', { expiresAt: NOW })], 1],
  ['an admin whose token was revoked', [ada, ben], [token('ada'), token('ben', { revokedAt: BEFORE })], 1],
  ['an admin without a token', [ada, ben], [token('ada')], 1],
  ['an admin who was ended', [ada, { ...ben, endedAt: BEFORE }], [token('ada'), token('ben')], 1],
  ['a moderator', [ada, { _id: 'ben', role: 'moderator' } as const], [token('ada'), token('ben')], 1],
  ['nobody', [], [], 0],
])('counts admins who can act: %s', (_, operators, tokens, count) => {
  expect(countWorkingAdmins(operators, tokens, NOW)).toBe(count);
});

test.each([
  [0, false],
  [1, false],
  [2, true],
  [3, true],
])('needs a second admin if %i can act: %s', (admins, isNeeded) => {
  expect(needsSecondAdmin(admins)).toBe(isNeeded);
});
