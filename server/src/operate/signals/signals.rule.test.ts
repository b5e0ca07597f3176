import { describe, expect, test } from 'vitest';
import { CHECKS } from './read.ts';
import {
  computeLevel,
  findWorstLevel,
  formatAge,
  formatSummary,
  type Level,
  type Signal,
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
const find = (name: string) => {
  const found = CHECKS.find(([known]) => known === name);
  if (!found) throw new Error(`no check has the name ${name}`);
  return found[1];
};
const signal = (name: string, read: SignalReading): Signal => ({ ...find(name), name, reading: read });

test.each<[string, SignalReading, Level]>([
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
  expect(computeLevel(find(name), given, NOW)).toBe(level);
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

const SIGNALS = [
  signal('reviews', reading(3, ago(HOUR))),
  signal('score-jumps', reading(1, null, ['alpha -12.5 to 40: license (fact, entry 9)'])),
  signal('backup', reading(0, ago(4 * DAY))),
  signal('disk', reading(60)),
];

describe('what is shown', () => {
  test('each signal has its level and its value', () => {
    const rows = toSignalRows(SIGNALS, NOW);
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
    const values = toSignalRows([signal('registers', reading(0)), signal('record', reading(0))], NOW).map(
      ({ value }) => value,
    );
    expect(values).toEqual(['never', 'none']);
  });
});

describe('the summary of a day', () => {
  test('the summary has what is urgent first, with its causes', () => {
    const { subject, text } = formatSummary(toSignalRows(SIGNALS, NOW), NOW);
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
    expect(formatSummary(toSignalRows([signal('reviews', reading(0))], NOW), NOW)).toEqual({
      subject: '2026-11-23: nothing to do',
      text: 'As it should be\n\n- reviews that wait for a moderator: 0',
    });
  });
});

test('every check says what it is and what helps, and no two have one name', () => {
  for (const [name, { what, help }] of CHECKS) expect([what, help].join(), name).toMatch(/\w{3}/);
  expect(new Set(CHECKS.map(([name]) => name)).size).toBe(CHECKS.length);
});

test('cases that wait come first, and the space on the disk last', () => {
  const names = CHECKS.map(([name]) => name);
  expect(names.slice(0, 3)).toEqual(['reviews', 'reports', 'appeals']);
  expect(names.at(-1)).toBe('disk');
});
