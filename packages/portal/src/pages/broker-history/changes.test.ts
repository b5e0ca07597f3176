import { expect, test } from 'vitest';
import type { Step } from '../../history.ts';
import { LANGUAGES } from '../../languages.ts';
import { changeItem, describeEffect } from './changes.ts';

const [language] = LANGUAGES;
const createStep = (given: Partial<Step>): Step => ({
  number: 1,
  time: '2026-03-20T12:00:00.000Z',
  key: 'review/1',
  kind: 'review',
  cause: 'fact',
  entries: [{ number: 1, key: 'review/1' }],
  value: 50,
  color: 'yellow',
  ...given,
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
])('a change from %s to %s says: %s', (valueBefore, value, words) => {
  expect(describeEffect(language, { value, valueBefore })).toBe(words);
});

const renderItem = (given: Partial<Step>): string =>
  changeItem({ ...language, isProven: true }, 'alpha', { ...createStep(given), value: 50, valueBefore: 40 }).text;

test.each([
  ['license/alpha/fca/1%2F2', 'Licence <bdi>FCA 1/2</bdi>'],
  ['license/alpha/fca/%3Cscript%3E', 'Licence <bdi>FCA &lt;script&gt;</bdi>'],
  ['regulator/cysec', 'Regulator <bdi>CYSEC</bdi>'],
  ['methodology/2026-1', 'Methodology <bdi>2026-1</bdi>'],
  ['warning/alpha/0', 'Warning of an authority'],
  ['something-new/0', 'something-new'],
  ['review/1', '1 review'],
])('%s is named', (key, words) => {
  expect(renderItem({ entries: [{ number: 1, key }] })).toContain(`<li>${words}</li>`);
});

test('says why, since when it holds, and where it can be read and proven', () => {
  const key = 'license/alpha/fca/1';
  const item = renderItem({ number: 31, key, entries: [{ number: 31, key }], validFrom: '2026-03-05T00:00:00.000Z' });
  expect(item).toContain('It holds since 5 Mar 2026.');
  expect(item).toContain('<b>50.0</b> Mixed<br><span class="soft">10.0 more</span>');
  expect(item).toContain(
    'Entry 31: <a href="/transparency/v1/brokers/alpha/at?knownAt=31&amp;validAt=2026-03-20T12:00:00.000Z">',
  );
  expect(item).toContain('/transparency/v1/brokers/alpha/proof?number=31"');
  expect(renderItem({ validFrom: '2026-03-20T00:00:00.000Z' })).not.toContain('It holds since');
  const entries = ['review/1', 'review/2', 'broker/alpha'].map((key, at) => ({ number: at + 1, key }));
  const many = renderItem({ number: 3, entries });
  expect(many).toContain('Entries 1–3');
  expect(many).toContain('2 reviews');
});
