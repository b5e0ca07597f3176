import { expect, test } from 'vitest';
import { isPrivate } from './private-file.rule.ts';

const [ROOT, ME] = [0, 65_532];

test.each([
  [0o600, ME, true],
  [0o400, ME, true],
  [0o400, ROOT, true],
  [0o440, ROOT, true],
  [0o440, ME, false],
  [0o640, ROOT, false],
  [0o460, ROOT, false],
  [0o444, ROOT, false],
  [0o604, ME, false],
  [0o620, ME, false],
  [0o601, ME, false],
])('a file of mode %o that belongs to user %i is private for user 65532: %s', (mode, uid, expected) => {
  expect(isPrivate({ mode, uid }, ME)).toBe(expected);
});
