import { expect, test } from 'vitest';
import { createLineIndex } from './seen.ts';

test('returns undefined for a new key, then the line where it was last', () => {
  const seen = createLineIndex();
  expect(seen.see('a', 2)).toBeUndefined();
  expect(seen.see('b', 3)).toBeUndefined();
  expect(seen.see('a', 4)).toBe(2);
  expect(seen.see('a', 9)).toBe(4);
  expect(seen.see('', 10)).toBeUndefined();
});

test('remembers far more keys than its initial capacity', () => {
  const seen = createLineIndex();
  const keys = Array.from({ length: 100_000 }, (_, n) => `broker-${n}`);
  for (const [index, key] of keys.entries()) expect(seen.see(key, index + 1)).toBeUndefined();
  for (const [index, key] of keys.entries()) expect(seen.see(key, 1)).toBe(index + 1);
});
