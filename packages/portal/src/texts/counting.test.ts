import { expect, test } from 'vitest';
import { createCounting } from './counting.ts';

test('a text takes the form of an exact count, else that of its plural category, else the last one', () => {
  const { plural } = createCounting('pl-PL');
  const forms = { '=0': 'żadnej', one: 'opinia', few: 'opinie', many: 'opinii', other: 'opinii' };
  expect([0, 1, 3, 5, 22].map((count) => plural(count, forms))).toEqual([
    'żadnej',
    'opinia',
    'opinie',
    'opinii',
    'opinie',
  ]);
  expect(plural(3, { other: 'wszystkie' })).toBe('wszystkie');
});

test('a count in a text is written as its language writes numbers', () => {
  expect(['en-GB', 'de-DE', 'es-ES'].map((locale) => createCounting(locale).number(12_345.5))).toEqual([
    '12,345.5',
    '12.345,5',
    '12.345,5',
  ]);
});
