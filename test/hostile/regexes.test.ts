import { expect, test } from 'vitest';
import known from './regexes.json' with { type: 'json' };
import { judge, readLiterals } from './regexes.ts';

test('every regular expression is linear, or has a stated reason why its texts are short', async () => {
  const literals = await readLiterals();
  expect(Object.keys(known.bounded).filter((literal) => !literals.includes(literal))).toEqual([]);
  const judged = new Set([...known.linear, ...Object.keys(known.bounded)]);
  // Judges only those that are not in the list yet. `npx -y pnpm regexes` judges all of them and rewrites the list.
  for (const literal of literals) if (!judged.has(literal)) expect(await judge(literal), literal).toBe('linear');
});

test('the judge tells a slow expression from a linear one', async () => {
  expect(await judge('/^(a+)+$/')).toBe('exponential');
  expect(await judge('/=+$/')).toBe('2nd degree polynomial');
  expect(await judge('/[\\p{L}\\p{N}._%+-]+@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+/u')).toContain('polynomial');
  expect(await judge('/^a+$/u')).toBe('linear');
});
