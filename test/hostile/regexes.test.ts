import { expect, test } from 'vitest';
import known from './regexes.json' with { type: 'json' };
import { judge, readLiterals } from './regexes.ts';

test('every regular expression was judged: linear, or kept to short texts for a reason', async () => {
  const judged = [...known.linear, ...Object.keys(known.bounded)].sort();
  const message = 'a regular expression is new, or gone: run `npx -y pnpm regexes`, and mend what it names';
  expect(await readLiterals(), message).toEqual(judged);
});

test('the judge tells a slow one from a linear one', async () => {
  expect(await judge('/^(a+)+$/')).toBe('exponential');
  expect(await judge('/=+$/')).toBe('2nd degree polynomial');
  expect(await judge('/^a+$/u')).toBe('linear');
});
