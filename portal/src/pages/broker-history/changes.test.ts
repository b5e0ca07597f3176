import { expect, test } from 'vitest';
import type { Step } from '../../history.ts';
import { LANGUAGES } from '../../languages.ts';
import { changeItem, changesOf, effectOf } from './changes.ts';

const [language] = LANGUAGES;
const stepOf = (given: Partial<Step>): Step => ({
  number: 1,
  time: '2026-03-20T12:00:00.000Z',
  key: 'review/1',
  kind: 'review',
  cause: 'fact',
  value: 50,
  color: 'yellow',
  ...given,
});

test('steps that were written together for one reason are one change, with the score after the last of them', () => {
  const later = '2026-03-20T12:00:00.001Z';
  const steps = [
    stepOf({ number: 1, value: 10 }),
    stepOf({ number: 2, value: 20 }),
    stepOf({ number: 3, value: 30, cause: 'erasure' }),
    stepOf({ number: 4, value: null, cause: 'erasure', time: later }),
  ];
  const around = [undefined, undefined] as const;
  const changes = changesOf({ steps, valueBefore: 5, around });
  expect(changes.map(({ steps }) => steps.map(({ number }) => number))).toEqual([[1, 2], [3], [4]]);
  expect(changes.map(({ value, valueBefore }) => [valueBefore, value])).toEqual([
    [5, 20],
    [20, 30],
    [30, null],
  ]);
  expect(changesOf({ steps: [], valueBefore: undefined, around })).toEqual([]);
});

test('a change that is on two pages is said to be a part, and what it did to the score is not guessed', () => {
  const steps = [stepOf({ number: 2 }), stepOf({ number: 3, cause: 'erasure' }), stepOf({ number: 4, cause: 'undo' })];
  const around = [stepOf({ number: 1 }), stepOf({ number: 5, cause: 'undo' })] as const;
  const changes = changesOf({ steps, valueBefore: 40, around });
  expect(changes.map(({ isPart }) => isPart)).toEqual([true, false, true]);
  expect(changes.map((change) => effectOf(language, change))).toEqual([
    expect.stringContaining('part of a longer change'),
    'no change of the score',
    expect.stringContaining('part of a longer change'),
  ]);
});

test.each([
  [undefined, 50, 'the first score'],
  [undefined, null, 'not rated from here on'],
  [null, 50, 'rated from here on'],
  [50, null, 'not rated from here on'],
  [null, null, 'no change of the score'],
  [50, 50, 'no change of the score'],
  [50, 50.04, 'no change of the score'],
  [50.1, 50.3, '0.2 more'],
  [80.4, 19, '61.4 less'],
])('from %s to %s: %s', (valueBefore, value, words) => {
  expect(effectOf(language, { steps: [stepOf({})], value, valueBefore })).toBe(words);
});

const itemOf = (...steps: [Step, ...Step[]]): string =>
  changeItem({ ...language, isProven: true }, 'alpha', { steps, value: 50, valueBefore: 40 }).text;

test.each<[Partial<Step>, string]>([
  [{ kind: 'license', key: 'license/alpha/fca/1%2F2' }, 'Licence <bdi>FCA 1/2</bdi>'],
  [{ kind: 'license', key: 'license/alpha/fca/%3Cscript%3E' }, 'Licence <bdi>FCA &lt;script&gt;</bdi>'],
  [{ kind: 'regulator', key: 'regulator/cysec' }, 'Regulator <bdi>CYSEC</bdi>'],
  [{ kind: 'methodology', key: 'methodology/2026-1', cause: 'methodology' }, 'Methodology <bdi>2026-1</bdi>'],
  [{ kind: 'warning', key: 'warning/alpha/0' }, 'Warning of an authority'],
  [{ kind: 'something-new', key: 'something-new/0' }, 'something-new'],
  [{ kind: 'review' }, '1 review'],
])('%j is named', (given, words) => {
  expect(itemOf(stepOf(given))).toContain(`<li>${words}</li>`);
});

test('says why, since when it holds, and where it can be read and proven', () => {
  const item = itemOf(
    stepOf({ number: 31, kind: 'license', key: 'license/alpha/fca/1', validFrom: '2026-03-05T00:00:00.000Z' }),
  );
  expect(item).toContain('It holds since 5 Mar 2026.');
  expect(item).toContain('<b>50.0</b> Mixed<br><span class="soft">10.0 more</span>');
  expect(item).toContain(
    'Entry 31: <a href="/transparency/v1/brokers/alpha/at?knownAt=31&amp;validAt=2026-03-20T12:00:00.000Z">',
  );
  expect(item).toContain('/transparency/v1/brokers/alpha/proof?number=31"');
  expect(itemOf(stepOf({ validFrom: '2026-03-20T00:00:00.000Z' }))).not.toContain('It holds since');
  const many = itemOf(
    stepOf({ number: 1 }),
    stepOf({ number: 2, key: 'review/2' }),
    stepOf({ number: 7, kind: 'broker', key: 'broker/alpha' }),
  );
  expect(many).toContain('Entries 1–7');
  expect(many).toContain('2 reviews');
});
