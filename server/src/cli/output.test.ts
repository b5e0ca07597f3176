import { expect, test } from 'vitest';
import { shown } from './output.ts';

test.each([
  ['plain text, مرحبا and é', 'plain text, مرحبا and é'],
  ['\u001b[31mred\u0007', ' [31mred '],
  ['two\nlines\u2028and more', 'two lines and more'],
  ['a \u202Eevil\u202C title \u2066left open', 'a  evil  title  left open'],
  [null, '–'],
])('%j is shown as %j', (cell, text) => {
  expect(shown(cell)).toBe(text);
});
