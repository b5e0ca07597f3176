import { describe, expect, test } from 'vitest';
import {
  computeLevel,
  findWorstLevel,
  formatAge,
  formatSummary,
  type Level,
  type Readings,
  SIGNAL_NAMES,
  SIGNALS,
  type SignalName,
  type SignalReading,
  toSignalRows,
} from './signals.rule.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const reading = (count: number, since: Date | null = null, named: readonly string[] = []): SignalReading => ({
  count,
  since,
  named,
});

test.each<[SignalName, SignalReading, Level]>([
  ['reviews', reading(0), 'fine'],
  ['reviews', reading(199, ago(2 * DAY)), 'fine'],
  ['reviews', reading(1, ago(2 * DAY + 1)), 'look'],
  ['reviews', reading(200, ago(HOUR)), 'look'],
  ['reviews', reading(1, ago(7 * DAY + 1)), 'act'],
  ['complaints-overdue', reading(1, ago(90 * DAY)), 'look'],
  ['disputes', reading(1, ago(8 * DAY)), 'look'],
  ['disputes', reading(1, ago(15 * DAY)), 'act'],
  ['replies', reading(1, ago(3 * DAY)), 'look'],
  ['replies', reading(1, ago(8 * DAY)), 'act'],
  ['reminders', reading(1, ago(HOUR)), 'look'],
  ['reminders', reading(1, ago(3 * DAY + 1)), 'act'],
  ['log', reading(0), 'fine'],
  ['log', reading(1), 'act'],
  ['backup', reading(0), 'look'],
  ['backup', reading(7), 'look'],
  ['backup', reading(8), 'act'],
  ['backup', reading(8, ago(HOUR)), 'fine'],
  ['backup', reading(0, ago(26 * HOUR)), 'fine'],
  ['backup', reading(0, ago(4 * DAY)), 'act'],
  ['record', reading(0), 'fine'],
  ['record', reading(0, ago(61_000)), 'look'],
  ['disk', reading(15), 'fine'],
  ['disk', reading(14), 'look'],
  ['disk', reading(4), 'act'],
  ['score-jumps', reading(1), 'look'],
  ['clock', reading(4), 'fine'],
  ['clock', reading(5), 'look'],
  ['clock', reading(30), 'look'],
  ['clock', reading(31), 'act'],
  ['operators', reading(4), 'fine'],
  ['operators', reading(5), 'look'],
])('%s with %j is %s', (name, given, level) => {
  expect(computeLevel(name, given, NOW)).toBe(level);
});

test.each<[number, string]>([
  [59_000, '0 min'],
  [59 * 60_000, '59 min'],
  [HOUR, '1 h'],
  [47 * HOUR, '47 h'],
  [48 * HOUR, '2 days'],
])('%i ms are %s', (ms, text) => {
  expect(formatAge(ago(ms), NOW)).toBe(text);
});

const READINGS: Readings = {
  disk: reading(60),
  backup: reading(0, ago(4 * DAY)),
  'score-jumps': reading(1, null, ['alpha -12.5 to 40: license (fact, entry 9)']),
  reviews: reading(3, ago(HOUR)),
};

describe('what is shown', () => {
  test('comes in the order of the policy, and has only what was read', () => {
    const rows = toSignalRows(READINGS, NOW);
    expect(rows.map(({ signal, level, value }) => [signal, level, value])).toEqual([
      ['reviews', 'fine', '3, the oldest for 1 h'],
      ['score-jumps', 'look', '1'],
      ['backup', 'act', '4 days ago'],
      ['disk', 'fine', '60 %'],
    ]);
    expect(findWorstLevel(rows)).toBe('act');
    expect(findWorstLevel([])).toBe('fine');
  });

  test('shows "never" and "none" for a missing time', () => {
    const values = toSignalRows({ registers: reading(0), record: reading(0) }, NOW).map(({ value }) => value);
    expect(values).toEqual(['never', 'none']);
  });
});

describe('the summary of a day', () => {
  test('the summary has what is urgent first, with its causes', () => {
    const { subject, text } = formatSummary(toSignalRows(READINGS, NOW), NOW);
    expect(subject).toBe('2026-11-23: 1 to do, 1 to look at');
    expect(text.split('\n\n').map((part) => part.split('\n')[0])).toEqual([
      'To be done now',
      '- last backup: 4 days ago',
      'Worth a look',
      expect.stringContaining('10 points or more'),
      'As it should be',
      '- reviews that wait for a moderator: 3, the oldest for 1 h',
    ]);
    expect(text).toContain('    alpha -12.5 to 40: license (fact, entry 9)');
  });

  test('says that there is nothing to do', () => {
    expect(formatSummary(toSignalRows({ reviews: reading(0) }, NOW), NOW)).toEqual({
      subject: '2026-11-23: nothing to do',
      text: 'As it should be\n\n- reviews that wait for a moderator: 0',
    });
  });
});

test('every signal says what it is and what helps', () => {
  for (const name of SIGNAL_NAMES) expect([SIGNALS[name].what, SIGNALS[name].help].join(), name).toMatch(/\w{3}/);
});
