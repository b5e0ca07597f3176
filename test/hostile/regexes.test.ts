import { expect, test } from 'vitest';
import known from './regexes.json' with { type: 'json' };
import { judge, readLiterals } from './regexes.ts';

test('every regular expression was judged: linear, or kept to short texts for a reason', async () => {
  const literals = await readLiterals();
  expect(Object.keys(known.bounded).filter((literal) => !literals.includes(literal))).toEqual([]);
  const judged = new Set([...known.linear, ...Object.keys(known.bounded)]);
  // those since the list was made are judged here: `npx -y pnpm regexes` judges all, and makes it anew
  for (const literal of literals) if (!judged.has(literal)) expect(await judge(literal), literal).toBe('linear');
});

test('the judge tells a slow one from a linear one', async () => {
  expect(await judge('/^(a+)+$/')).toBe('exponential');
  expect(await judge('/=+$/')).toBe('2nd degree polynomial');
  expect(await judge('/[\\p{L}\\p{N}._%+-]+@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+/u')).toContain('polynomial');
  expect(await judge('/^a+$/u')).toBe('linear');
});
