import { expect, test } from 'vitest';
import { type Person, refusalOfSame } from './four-eyes.rule.ts';

const person = (name: string, role: Person['role'] = 'moderator', ...formerNames: string[]): Person => ({
  name,
  role,
  formerNames,
});
const STAFF = [
  person('ada', 'admin'),
  person('ben', 'moderator', 'Benjamin', 'shared'),
  person('cleo', 'moderator', 'shared'),
  person('owen', 'outside'),
];
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
  ['after nobody in particular', { key: 'operator:ada' }, ['operator:system'], /operator claim NAME "system"/],
  ['an outside decider after somebody unknown', { key: 'operator:owen' }, ['operator:system'], undefined],
  ['an outside decider a second time', { key: 'operator:owen' }, ['operator:owen'], /^owen made/],
  ['after the service itself', { key: 'operator:ada' }, ['system:serve'], undefined],
  [
    'with a token that the first has seen',
    { key: 'operator:ben', seenBy: 'ada' },
    ['operator:ada'],
    /ada made .* renew/,
  ],
  ['with a token that a third has seen', { key: 'operator:ben', seenBy: 'ada' }, ['operator:cleo'], undefined],
])('%s', (_, decider, actors, refusal) => {
  const said = refusalOfSame(decider, actors, { what, known: STAFF });
  if (refusal) expect(said).toMatch(refusal);
  else expect(said).toBeUndefined();
});

test.each<[string, string, string, boolean]>([
  ['another name', 'operator:ben', 'operator:anna', false],
  ['the same name', 'operator:anna', 'operator:anna', true],
  ['the same name in other letters', 'operator:ＡNNA', 'operator:anna', true],
])('without operators, %s counts as a person', (_, key, earlier, isRefused) => {
  expect(refusalOfSame({ key }, [earlier], { what, known: [] }) !== undefined).toBe(isRefused);
});
