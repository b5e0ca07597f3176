import { expect, test } from 'vitest';
import { toValidator } from './policy.rule.ts';

test.each([
  ['"abc"', '"abc"'],
  [undefined, null],
  ['', null],
  ['a\nb', null],
  ['x'.repeat(501), null],
])('the validator %j is kept as %j', (value, kept) => {
  expect(toValidator(value)).toBe(kept);
});
