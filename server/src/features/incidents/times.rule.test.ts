import { describe, expect, test } from 'vitest';
import { parseText, parseTitle } from './text.rule.ts';
import { findContradiction, findImpossibility } from './times.rule.ts';

const at = (time: string): Date => new Date(`2026-11-23T${time}Z`);
const outage = (from: string, to: string, minutes: number) => ({
  from: `2026-11-23T${from}Z`,
  to: `2026-11-23T${to}Z`,
  minutes,
  unmeasured: 0,
});
const outages = [outage('10:02', '10:20', 18), outage('10:30', '10:31', 1)];

test.each<[string, string, string | null, RegExp | undefined]>([
  ['the measured times', '10:02:00', '10:31:00', undefined],
  ['more than was measured', '09:00:00', '11:00:00', undefined],
  ['another second of the first minute', '10:02:59', '10:31:00', undefined],
  ['another second of the last minute', '10:02:00', '10:30:01', undefined],
  ['a time in which nothing was measured', '10:21:00', '10:29:00', undefined],
  ['the minute after an outage', '10:20:00', '10:30:00', undefined],
  [
    'a later beginning',
    '10:03:00',
    '10:31:00',
    /began later .* from 2026-11-23T10:02Z to 2026-11-23T10:20Z \(18 minutes\)/,
  ],
  ['a later beginning of what goes on', '10:03:00', null, /began later/],
  ['an earlier end', '10:02:00', '10:19:00', /ended earlier .* to 2026-11-23T10:20Z/],
  ['an end before the whole last minute', '10:02:00', '10:19:59', undefined],
  ['an end at the beginning of the last minute', '10:21:00', '10:30:00', undefined],
  ['only the middle', '10:05:00', '10:06:00', /began later/],
])('an incident that states %s', (_, from, to, expected) => {
  const contradiction = findContradiction({ from: at(from), to: to === null ? null : at(to) }, outages);
  if (expected) expect(contradiction).toMatch(expected);
  else expect(contradiction).toBeUndefined();
});

test.each<[string, string, string | null, string | undefined]>([
  ['begins now', '12:00:00', null, undefined],
  ['begins in the future', '12:00:01', null, 'It cannot begin in the future.'],
  ['ends in the future', '11:00:00', '12:00:01', 'It cannot end in the future.'],
  ['ends when it begins', '11:00:00', '11:00:00', 'It cannot end before it begins.'],
  ['ends after it begins', '11:00:00', '11:00:01', undefined],
])('an incident that %s', (_, from, to, expected) => {
  expect(findImpossibility({ from: at(from), to: to === null ? null : at(to) }, at('12:00:00'))).toBe(expected);
});

test('an incident that began more than 400 days ago is refused as a mistake', () => {
  const from = new Date('2025-10-01T00:00Z');
  expect(findImpossibility({ from, to: null }, at('12:00:00'))).toMatch(/^It cannot begin more than 400 days ago/);
});

describe('texts', () => {
  test.each<[string, string, string]>([
    ['blanks around it', '  Down  ', 'Down'],
    ['what looks like HTML', '<b>Down</b>', '<b>Down</b>'],
    ['another script', 'الخدمة', 'الخدمة'],
  ])('a title with %s is accepted', (_, given, kept) => {
    expect(parseTitle(given)).toBe(kept);
  });
  test.each<[string, string]>([
    ['nothing', '   '],
    ['two lines', 'a\nb'],
    ['too many characters', 'x'.repeat(121)],
    ['a control', 'a\u0007b'],
    ['a mark that turns text', 'a\u202eb'],
    ['half a character', 'a\ud800'],
  ])('a title with %s is refused', (_, given) => {
    expect(() => parseTitle(given)).toThrow(/title must be/);
  });
  test('a text may have paragraphs, and 2 000 characters', () => {
    expect(parseText('a\r\n\r\nb')).toBe('a\n\nb');
    expect(parseText('x'.repeat(2000))).toHaveLength(2000);
    expect(() => parseText('x'.repeat(2001))).toThrow(/plain text of 1 to 2000/);
  });
});
