import { describe, expect, test } from 'vitest';
import { readDay, readExpiry, readPastMoment, readPastTime, readSpan } from './moment.rule.ts';

const NOW = new Date('2026-11-28T12:00:00.000Z');
const HOUR = 3_600_000;

describe('a moment of the past', () => {
  test.each([
    ['2026-11-28', '2026-11-28T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-11-28T10:00Z', '2026-11-28T10:00:00.000Z'],
    ['2026-11-28T10:00:30Z', '2026-11-28T10:00:30.000Z'],
    ['2026-11-28T10:00:30.250Z', '2026-11-28T10:00:30.250Z'],
    ['2026-11-28T10:00+01:00', '2026-11-28T09:00:00.000Z'],
    ['2026-11-28T00:30-05:30', '2026-11-28T06:00:00.000Z'],
    ['2026-11-28T10:00+00:00', '2026-11-28T10:00:00.000Z'],
    ['90d', '2026-08-30T12:00:00.000Z'],
    ['2h', '2026-11-28T10:00:00.000Z'],
    ['30m', '2026-11-28T11:30:00.000Z'],
    ['0h', '2026-11-28T12:00:00.000Z'],
  ])('reads %s as %s', (text, time) => {
    const read = readPastMoment(text);
    expect('value' in read && read.value(NOW).toISOString()).toBe(time);
  });

  const FORMS = 'Give a day such as 2026-11-28, a time such as 2026-11-28T10:00Z, or a span such as 7d or 12h.';
  test.each([
    ['', FORMS],
    ['yesterday', FORMS],
    ['-1d', FORMS],
    ['1w', FORMS],
    ['1.5h', FORMS],
    ['100000d', FORMS],
    ['2026-11', FORMS],
    ['2026-11-28 10:00Z', FORMS],
    ['20261128', FORMS],
    ['2026-11-28T10Z', FORMS],
    ['2026-11-28T10:00', 'Add its zone: 2026-11-28T10:00Z for UTC, or an offset such as 2026-11-28T10:00+01:00.'],
    ['2026-11-28T10:00-00:00', 'Add its zone: 2026-11-28T10:00Z for UTC, or an offset such as 2026-11-28T10:00+01:00.'],
    ['2026-11-28T24:00Z', 'The time of day must be from 00:00 to 23:59:59, as in 2026-11-28T10:00Z.'],
    ['2026-11-28T10:60Z', 'The time of day must be from 00:00 to 23:59:59, as in 2026-11-28T10:00Z.'],
    ['2026-12-31T23:59:60Z', 'The time of day must be from 00:00 to 23:59:59, as in 2026-11-28T10:00Z.'],
    ['2026-11-28T10:00+14:30', 'The offset must be at most 14:00, as in 2026-11-28T10:00+01:00.'],
    ['2026-11-28T10:00+15:00', 'The offset must be at most 14:00, as in 2026-11-28T10:00+01:00.'],
    ['2026-02-30', 'That month has 28 days: its last is 2026-02-28.'],
    ['2026-02-30T10:00Z', 'That month has 28 days: its last is 2026-02-28.'],
    ['2026-11-00', 'That month has 30 days: its last is 2026-11-30.'],
    ['2026-13-01', 'The month must be from 01 to 12, as in 2026-11-28.'],
    ['0226-11-28', 'The year must be from 1800 to 9999, as in 2026-11-28.'],
    ['20226-11-28', 'The year must have four digits, as in 2026-11-28.'],
    ['20226-11-28T10:00Z', 'The year must have four digits, as in 2026-11-28.'],
    ['11/12/2026', 'Write the year first: 2026-12-11 or 2026-11-12.'],
    ['1.2.2026', 'Write the year first: 2026-02-01 or 2026-01-02.'],
    ['28/11/2026', 'Write the year first: 2026-11-28.'],
    ['11-11-2026', 'Write the year first: 2026-11-11.'],
    ['31/31/2026', FORMS],
  ])('refuses "%s": %s', (text, fault) => {
    expect(readPastMoment(text)).toEqual({ fault });
  });
});

describe('a moment of the future', () => {
  test.each([
    ['90d', '2027-02-26T12:00:00.000Z'],
    ['30m', '2026-11-28T12:30:00.000Z'],
    ['2026-11-29', '2026-11-29T00:00:00.000Z'],
    ['2026-11-28T14:00+01:00', '2026-11-28T13:00:00.000Z'],
  ])('reads %s as %s', (text, time) => {
    expect(readExpiry(text, NOW)).toEqual({ value: new Date(time) });
  });

  test.each(['0d', '2026-11-28', '2026-11-28T12:00Z', '2001-01-01'])('refuses %s, which is over', (text) => {
    const fault = 'That is not in the future: it is 2026-11-28T12:00:00.000Z. Give a later day, or a span such as 90d.';
    expect(readExpiry(text, NOW)).toEqual({ fault });
  });

  test('refuses a text of no form as one of the past', () => {
    expect(readExpiry('soon', NOW)).toEqual(readPastMoment('soon'));
  });
});

describe('a day', () => {
  test.each([
    ['2026-11-28', { value: new Date('2026-11-28T00:00:00.000Z') }],
    ['2026-02-29', { fault: 'That month has 28 days: its last is 2026-02-28.' }],
    ['2026-11-28T10:00Z', { fault: 'Give a day such as 2026-11-28.' }],
    ['90d', { fault: 'Give a day such as 2026-11-28.' }],
    ['03/04/2026', { fault: 'Write the year first: 2026-04-03 or 2026-03-04.' }],
  ])('%s reads as %j', (text, reading) => {
    expect(readDay(text)).toEqual(reading);
  });
});

describe('a span', () => {
  const fault = 'Give a span such as 90d, 12h or 30m.';
  test.each([
    ['90d', { value: 2160 * HOUR }],
    ['2h', { value: 2 * HOUR }],
    ['30m', { value: HOUR / 2 }],
    ['0h', { value: 0 }],
    ['86400000', { fault }],
    ['2 h', { fault }],
    ['2026-11-28', { fault }],
  ])('%s reads as %j', (text, reading) => {
    expect(readSpan(text)).toEqual(reading);
  });
});

test('a time at which a clock begins or ends cannot be a bare day', () => {
  expect(readPastTime('2026-11-17')).toEqual({ fault: 'Add the time of day with its zone: 2026-11-17T10:00Z.' });
  const read = readPastTime('2026-11-17T18:00Z');
  expect('value' in read && read.value(NOW).toISOString()).toBe('2026-11-17T18:00:00.000Z');
  expect(readPastTime('11/12/2026')).toEqual(readPastMoment('11/12/2026'));
});
