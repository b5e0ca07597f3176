import { expect, test } from 'vitest';
import { formatCell, toJson } from './output.ts';

test.each([
  ['plain text, مرحبا and é', 'plain text, مرحبا and é'],
  ['\u001b[31mred\u0007', ' [31mred '],
  ['two\nlines\u2028and more', 'two lines and more'],
  ['a \u202Eevil\u202C title \u2066left open', 'a  evil  title  left open'],
  [null, '–'],
])('shows %j as %j', (cell, text) => {
  expect(formatCell(cell)).toBe(text);
});

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, n) => String.fromCharCode(first + n));
const MARKS = [
  ...range(0x00, 0x1f),
  ...range(0x7f, 0x9f),
  ...range(0x61c, 0x61c),
  ...range(0x200e, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2066, 0x2069),
];

test('prints JSON without control characters and bidirectional marks, and keeps its value', () => {
  const value = { [`name${MARKS.join('')}`]: [`line\n"${MARKS.join('')}\\u202e é 😀`, 1, null] };
  for (const indent of [undefined, 2]) {
    const text = toJson(value, indent);
    for (const sign of MARKS.filter((mark) => mark !== '\n')) expect(text).not.toContain(sign);
    expect(text.split('\n')).toHaveLength(indent === undefined ? 1 : 7);
    expect(JSON.parse(text)).toEqual(value);
  }
});

test('prints tables without control characters and bidirectional marks', () => {
  for (const sign of MARKS) expect(formatCell(`a${sign}b`)).toBe('a b');
});
