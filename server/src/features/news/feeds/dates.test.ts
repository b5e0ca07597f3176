import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDateText, parseDate } from './dates.ts';

test.each([
  ['Fri, 20 Nov 2026 10:00:00 GMT', '2026-11-20T10:00:00.000Z'],
  ['Fri, 20 Nov 2026 10:00:00 +0100', '2026-11-20T09:00:00.000Z'],
  ['Fri, 20 Nov 2026 10:00:00 -05:30', '2026-11-20T15:30:00.000Z'],
  ['20 Nov 2026 10:00 EST', '2026-11-20T15:00:00.000Z'],
  ['Friday, 20 November 2026 10:00:00 Z', '2026-11-20T10:00:00.000Z'],
  ['Fri, 20 Nov 26 10:00:00 UT', '2026-11-20T10:00:00.000Z'],
  ['1 Jan 99 00:00:00 GMT', '1999-01-01T00:00:00.000Z'],
  ['Fri, 20 Nov 2026 10:00:00', '2026-11-20T10:00:00.000Z'],
  ['20 Nov 2026', '2026-11-20T00:00:00.000Z'],
  [' Sat, 31 Dec 2016 23:59:60 GMT\n', '2016-12-31T23:59:59.000Z'],
  ['Wednesday, September 30, 2026 - 17:17', '2026-09-30T17:17:00.000Z'],
  ['Sept. 3, 2026 17:17:30 EST', '2026-09-03T22:17:30.000Z'],
  ['Nov 20, 2026', '2026-11-20T00:00:00.000Z'],
  ['31 Jul, 2026 +0530', '2026-07-31T00:00:00.000Z'],
  ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20T10:00:00.123456+02:00', '2026-11-20T08:00:00.000Z'],
  ['2026-11-20t10:00z', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20 10:00:00', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ['2026-11', '2026-11-01T00:00:00.000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
])('reads %j as %s', (text, expected) => {
  expect(parseDate(text)?.toISOString()).toBe(expected);
});

test.each([
  '',
  ' ',
  'yesterday',
  '0',
  '1763632800',
  '2026',
  '20/11/2026',
  '11-20-2026',
  'Fri, 20 Nov 2026 10:00:00 CEST',
  'Fri, 20 Nov 2026 10:00:00 IST',
  'Fri, 20 Foo 2026 10:00:00 GMT',
  '2025-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-11-31',
  '2026-11-20T24:00:00Z',
  '2026-11-20T10:60:00Z',
  '2026-11-20T10:00:00+25:00',
  '2026-11-20T10:00:61Z',
  '31 Feb 2026 10:00:00 GMT',
  '99 Nov 2026',
  'Nov 31, 2026',
  'Foo 20, 2026',
  'Wednesday, September 30, 2026 - 25:17',
  '0001-01-01T00:00:00Z',
  'Thu, 01 Jan 1970 00:00:00 GMT',
  '-000001-01-01',
  '+275760-09-13T00:00:00Z',
  `${' '.repeat(50)}${'1'.repeat(100_000)} Nov`,
])('finds no date in %j', (text) => {
  expect(parseDate(text)).toBeUndefined();
});

test.each([
  [
    '<span><time class="datetime" datetime="2026-04-24T13:58:36+02:00" title="Friday">24 April 2026</time></span>',
    '2026-04-24T11:58:36.000Z',
  ],
  ["<TIME DATETIME = '2026-04-24'>", '2026-04-24T00:00:00.000Z'],
])('reads the date in %j', (markup, expected) => {
  expect(parseDate(findDateText(markup) ?? '')?.toISOString()).toBe(expected);
});

test.each([
  '',
  '<p>24 April 2026</p>',
  '<time>24 April 2026</time>',
  '<timer datetime="2026-04-24">',
  `<time ${'a '.repeat(100_000)}`,
])('finds no date in the markup of a text without one', (markup) => {
  expect(findDateText(markup)).toBeUndefined();
});

test('any text is a valid date or none', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d :TZ+.,-]{0,30}$/)), (text) => {
      const date = parseDate(text);
      if (date !== undefined) expect(Number.isNaN(date.getTime())).toBe(false);
    }),
    { seed: 20_261_121, numRuns: 500 },
  );
});

test('reads both formats of a time exactly', () => {
  const second = fc.date({ min: new Date('2001-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(second, (time) => {
      const whole = new Date(Math.floor(time.getTime() / 1000) * 1000);
      expect(parseDate(whole.toISOString())).toEqual(whole);
      expect(parseDate(whole.toUTCString())).toEqual(whole);
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});
