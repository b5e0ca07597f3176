import { describe, expect, test } from 'vitest';
import { type CommandCall, evaluateCall, type PresentedToken, type RefusalCode } from './judge.rule.ts';
import { findNameFault, type Rights, type Role } from './policy.rule.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const before = new Date('2026-11-23T11:59:59Z');
const after = new Date('2026-11-23T12:00:01Z');

const token = (role: Role, over: Partial<Omit<PresentedToken, 'operator'>> = {}, endedAt?: Date): PresentedToken => ({
  id: 'a1b2c3',
  expiresAt: after,
  ...over,
  operator: { name: 'maria', role, endedAt },
});
/** Rights of some commands. */
const RIGHTS = {
  'review publish': { roles: ['moderator'] },
  'complaint resolve': { roles: ['complaints'] },
  'complaint show': { roles: ['complaints'], reads: true },
  'enterprise access': { roles: ['admin'], reads: true },
  'admin operator recover': { open: true },
  backup: { roles: ['admin'], unattended: true },
  'appeal decide': { roles: ['moderator', 'outside'] },
  'operator renew': { roles: ['moderator', 'editor', 'complaints', 'outside'] },
  'news list': { open: true, reads: true },
} as const satisfies Record<string, Rights>;

const call = (command: keyof typeof RIGHTS, over: Partial<CommandCall> = {}): CommandCall => ({
  command,
  rights: RIGHTS[command],
  actor: undefined,
  ...over,
});

describe('refuses', () => {
  test.each<[string, CommandCall, PresentedToken | null | undefined, RefusalCode]>([
    ['who has no token', call('review publish'), undefined, 'token_missing'],
    ['who only says a name', call('review publish', { actor: 'maria' }), undefined, 'token_missing'],
    ['an unknown token', call('review publish'), null, 'token_unknown'],
    ['a token that is over', call('review publish'), token('moderator', { expiresAt: NOW }), 'token_expired'],
    ['a revoked token', call('review publish'), token('moderator', { revokedAt: before }), 'token_revoked'],
    ['the token of one who left', call('review publish'), token('moderator', {}, before), 'operator_ended'],
    ['another name', call('review publish', { actor: 'ben' }), token('moderator'), 'other_actor'],
    ['another name of an admin', call('review publish', { actor: 'ben' }), token('admin'), 'other_actor'],
    ['another role', call('complaint resolve'), token('moderator'), 'role_not_allowed'],
    ['private texts to another role', call('complaint show'), token('editor'), 'role_not_allowed'],
    ['an outside decider elsewhere', call('review publish'), token('outside'), 'role_not_allowed'],
    [
      'a role of a command that only admins run',
      { ...call('review publish'), rights: {} },
      token('moderator'),
      'role_not_allowed',
    ],
    ['what customers did, to whoever has no token', call('enterprise access'), undefined, 'token_missing'],
    ['another name for what is open', call('admin operator recover', { actor: 'maria' }), undefined, 'other_actor'],
    ['a name for a timer', call('backup', { actor: 'maria' }), undefined, 'other_actor'],
    ['a bad token for a timer', call('backup'), null, 'token_unknown'],
  ])('%s', (_, given, presented, code) => {
    expect(evaluateCall(given, presented, NOW)).toMatchObject({ kind: 'refused', code });
  });
});

describe('allows', () => {
  test.each<[string, CommandCall, PresentedToken | undefined, 'bound' | 'unbound']>([
    ['the role', call('review publish'), token('moderator'), 'bound'],
    ['the role with its own name', call('review publish', { actor: 'maria' }), token('moderator'), 'bound'],
    ['an admin', call('complaint resolve'), token('admin'), 'bound'],
    ['an outside decider to decide an appeal', call('appeal decide'), token('outside'), 'bound'],
    ['everybody to renew a token', call('operator renew'), token('editor'), 'bound'],
    ['a timer', call('backup'), undefined, 'unbound'],
    ['a timer that says who it is', call('backup', { actor: 'system' }), undefined, 'unbound'],
    ['an operator to do what timers do', call('backup'), token('editor'), 'bound'],
    [
      'an admin to recover with the lost token at hand',
      call('admin operator recover'),
      token('admin', { revokedAt: before }),
      'unbound',
    ],
    ['whoever reads what is public', call('news list'), undefined, 'unbound'],
  ])('%s', (_, given, presented, kind) => {
    expect(evaluateCall(given, presented, NOW)).toMatchObject({ kind });
  });
});

test.each([
  ['maria', true],
  ['m.keller-2', true],
  ['system', false],
  ['Maria', false],
  ['mаria', false], // a Cyrillic а
  ['', false],
  ['2maria', false],
])('the name "%s" can be given: %s', (name, isGood) => {
  expect(findNameFault(name) === undefined).toBe(isGood);
});
