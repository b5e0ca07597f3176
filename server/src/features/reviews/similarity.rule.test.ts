import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { similarity, textKeys } from './similarity.rule.ts';

const text =
  'I withdrew twice this year and both times the money came within two days. The support answered my ' +
  'questions by chat, and the spread was as announced.';
const other =
  'Opening the account took a week, because they asked for the same document three times. Nobody could tell ' +
  'me why that was needed.';

test.each([
  ['the same', text, 1, 1],
  ['other case, accents and punctuation', text.toUpperCase().replaceAll(',', ' –').replace('I', 'Í'), 1, 1],
  ['one word changed', text.replace('twice', 'thrice'), 0.8, 0.99],
  ['a sentence added', `${text} I can recommend it to everybody.`, 0.7, 0.95],
  ['another text', other, 0, 0.1],
])('compares a text with %s', (_, changed, low, high) => {
  const found = similarity(text, changed);
  expect(found).toBeGreaterThanOrEqual(low);
  expect(found).toBeLessThanOrEqual(high);
});

test.each([
  ['Быстрый вывод денег, поддержка отвечает сразу', 'Быстрый вывод денег, поддержка отвечает сразу!', 1],
  ['出金很快客服也很好平台稳定', '出金很快客服也很好平台稳定。', 1],
  ['出金很快客服也很好平台稳定', '开户用了一个星期没有人回答我的问题', 0],
])('compares other scripts: %s', (a, b, expected) => expect(similarity(a, b)).toBe(expected));

test('near-duplicates share a key, and other texts do not', () => {
  const keys = new Set(textKeys(text));
  const shared = (changed: string) => textKeys(changed).filter((key) => keys.has(key)).length;
  expect(shared(text.replace('twice', 'thrice'))).toBeGreaterThan(4);
  expect(shared(`${text} I can recommend it to everybody.`)).toBeGreaterThan(4);
  expect(shared(other)).toBe(0);
});

test('a text has at most 12 keys, and one if it has no letters', () => {
  expect(textKeys(text)).toHaveLength(12);
  expect(textKeys('!!! ???')).toHaveLength(1);
});

test('similarity is from 0 to 1, symmetric, and 1 for a text with itself', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.lorem({ maxCount: 30 }));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const share = similarity(one, other);
      expect(share).toBe(similarity(other, one));
      expect(share >= 0 && share <= 1).toBe(true);
      expect(similarity(one, one)).toBe(1);
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});
