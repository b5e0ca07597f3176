import { expect, test } from 'vitest';
import { findFourEyesRefusal, type OperatorIdentity } from './four-eyes.rule.ts';

const person = (
  name: string,
  role: OperatorIdentity['role'] = 'moderator',
  ...formerNames: string[]
): OperatorIdentity => ({
  name,
  role,
  formerNames,
  addedAt: new Date('2026-01-01T00:00:00Z'),
});
const STAFF = [
  person('ada', 'admin'),
  person('ben', 'moderator', 'Benjamin', 'shared'),
  person('cleo', 'moderator', 'shared'),
  person('owen', 'outside'),
  { ...person('rita', 'outside'), addedAt: new Date('2026-03-01T00:00:00Z') },
];
const at = new Date('2026-02-01T00:00:00Z');
const what = 'the decision to remove that is appealed';

test.each<[string, { key: string; seenBy?: string }, string[], RegExp | undefined]>([
  ['another operator', { key: 'operator:ada' }, ['operator:ben'], undefined],
  ['the same operator', { key: 'operator:ben' }, ['operator:ben'], /^ben made the decision to remove/],
  ['the same before a turn', { key: 'operator:ben' }, ['operator:ada', 'operator:ben'], /^ben made/],
  ['the same under a former name', { key: 'operator:ben' }, ['operator:BENJAMIN'], /^ben made/],
  ['the same under his own name, in other letters', { key: 'operator:ben' }, ['operator:Ben'], /^ben made/],
  ['one of two who shared a name', { key: 'operator:cleo' }, ['operator:shared'], /^cleo made/],
  ['neither of two who shared a name', { key: 'operator:ada' }, ['operator:shared'], undefined],
  ['after somebody unknown', { key: 'operator:ada' }, ['operator:dora'], /called themselves "dora"/],
  ['after nobody in particular', { key: 'operator:ada' }, ['operator:system'], /admin operator claim NAME "system"/],
  ['an outside decider after somebody unknown', { key: 'operator:owen' }, ['operator:system'], undefined],
  ['an outside decider a second time', { key: 'operator:owen' }, ['operator:owen'], /^owen made/],
  ['an operator who was added after it', { key: 'operator:rita' }, ['operator:ben'], /^rita became an operator after/],
  ['after the service itself', { key: 'operator:ada' }, ['system:serve'], undefined],
  [
    'with a token that the first has seen',
    { key: 'operator:ben', seenBy: 'ada' },
    ['operator:ada'],
    /ada made .* renew/,
  ],
  [
    'with a sign-in that the first gave alone',
    { key: 'operator:ben', seenBy: 'ada' },
    ['operator:ada'],
    /gave ben this token or sign-in alone/,
  ],
  ['with a token that a third has seen', { key: 'operator:ben', seenBy: 'ada' }, ['operator:cleo'], undefined],
])('%s', (_, decider, actors, refusal) => {
  const said = findFourEyesRefusal(decider, actors, { what, at, known: STAFF })?.detail;
  if (refusal) expect(said).toMatch(refusal);
  else expect(said).toBeUndefined();
});

test.each<[string, string, string, boolean]>([
  ['another name', 'operator:ben', 'operator:anna', false],
  ['the same name', 'operator:anna', 'operator:anna', true],
  ['the same name in other letters', 'operator:ＡNNA', 'operator:anna', true],
])('compares names if there are no operators: %s', (_, key, earlier, isRefused) => {
  expect(findFourEyesRefusal({ key }, [earlier], { what, at, known: [] }) !== undefined).toBe(isRefused);
});

test.each<[string, string, string | undefined]>([
  ['before the first operator', '2025-12-31T23:59:59.999Z', undefined],
  ['when the first operator is added', '2026-01-01T00:00:00Z', 'added_later'],
  ['just before the decider is added', '2026-02-28T23:59:59.999Z', 'added_later'],
  ['when the decider is added', '2026-03-01T00:00:00Z', undefined],
])('an operator may decide about a decision %s: %s, %s', (_, decidedAt, code) => {
  const earlier = { what, at: new Date(decidedAt), known: STAFF };
  expect(findFourEyesRefusal({ key: 'operator:rita' }, ['operator:ben'], earlier)?.code).toBe(code);
});
