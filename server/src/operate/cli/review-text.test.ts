import { expect, test } from 'vitest';
import { toTextLines } from './review-text.ts';

test('paragraphs stay, and lines are broken at blanks', () => {
  expect(toTextLines('One two three four.\n\nFive', 9)).toEqual(['One two', 'three', 'four.', '', 'Five']);
});

test('a word longer than the line is broken', () => {
  expect(toTextLines('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
});

test('nothing in a text controls the terminal', () => {
  const lines = toTextLines('a\u001b[2Jb\u202Ec\u0007d\u009be', 80);
  expect(lines.join('\n')).toMatch(/^[\x20-\x7e\n]*$/);
});
