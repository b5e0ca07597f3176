import { expect, test } from 'vitest';
import { evaluateAnswer, evaluateConsent } from './consent.rule.ts';

test.each([
  ['alice', 'alice', true, 'agreed'],
  ['alice', 'alice', false, 'agreed'],
  ['alice', undefined, true, 'ask'],
  ['alice', undefined, false, 'refused'],
  ['alice', 'alic', true, 'refused'],
  ['alice', 'Alice', false, 'refused'],
  ['alice', '', true, 'refused'],
] as const)('about %j with --yes %j at a terminal (%s), a command is %s', (name, yes, canAsk, kind) => {
  expect(evaluateConsent(name, yes, canAsk).kind).toBe(kind);
});

test.each([
  ['alice', 'agreed'],
  [' alice\n', 'agreed'],
  ['yes', 'refused'],
  ['', 'refused'],
] as const)('the answer %j is %s', (typed, kind) => {
  expect(evaluateAnswer('alice', typed).kind).toBe(kind);
});

test('a refusal says that nothing was changed, and names the cure', () => {
  expect(evaluateConsent('alice', undefined, false)).toEqual({
    kind: 'refused',
    detail: "This cannot be undone. See what it does with --dry-run, then add --yes 'alice'. Nothing was changed.",
  });
});
