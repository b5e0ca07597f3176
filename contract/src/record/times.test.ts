import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EntryTimes } from './entry.ts';
import { computeValidFrom, entryAt } from './times.ts';

/** The page that says what the record is. Its example is tested as it stands there. */
const PAGE = readFileSync(new URL('../../../docs/record.md', import.meta.url), 'utf8');

/** Returns the rows of the table with these columns, without its head. */
const readTable = (head: string): string[][] => {
  const lines = PAGE.split('\n');
  const at = lines.indexOf(head);
  if (at === -1) throw new Error(`the page has no table ${head}`);
  const rows = lines.slice(at + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end === -1 ? rows.length : end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
};

/** Times of the page have no seconds, or are a day: its beginning. */
const parseTime = (text: string): string => new Date(text.length === 10 ? `${text}T00:00Z` : text).toISOString();

interface ExampleEntry extends EntryTimes {
  readonly key: string;
  readonly value: string;
}

const entries = readTable('| number | time | key | cause | validFrom | value |').map(
  ([number, time = '', key = '', cause = '', validFrom = '', value = '']): ExampleEntry => ({
    number: Number(number),
    time: parseTime(time),
    key,
    cause,
    value,
    ...(validFrom === '–' ? {} : { validFrom: parseTime(validFrom) }),
  }),
);

/** A later time than all of the example. */
const NOW = '2026-06-01T00:00:00.000Z';

/** A time as `knownAt` means the last number that was given until then. */
const findKnownAt = (text: string): number =>
  /^\d+$/.test(text)
    ? Number(text)
    : Math.max(-1, ...entries.filter(({ time }) => time <= parseTime(text)).map(({ number }) => number));

describe('the example of the page', () => {
  const asked = readTable('| knownAt | validAt | answer | why |');

  test('the example of the page has the entries and the questions that are tested', () => {
    expect(entries.length).toBeGreaterThanOrEqual(4);
    expect(new Set(entries.map(({ key }) => key)).size).toBe(1);
    expect(asked.length).toBeGreaterThanOrEqual(8);
  });

  test.each(asked)('the answer known at %s about %s is %s: %s', (knownAt = '', validAt = '', answer = '') => {
    expect(entryAt(entries, { knownAt: findKnownAt(knownAt), validAt: parseTime(validAt) })?.value).toBe(answer);
  });
});

const TIME = '2026-03-20T12:00:00.000Z';
const createEntry = (over: Partial<EntryTimes> = {}): EntryTimes => ({ number: 7, time: TIME, cause: 'fact', ...over });

describe('an entry', () => {
  test.each<[string, Partial<EntryTimes>, number]>([
    ['its validFrom, if that was before its time', { validFrom: '2026-03-05T00:00:00.000Z' }, Date.UTC(2026, 2, 5)],
    ['its validFrom, if that is its time', { validFrom: TIME }, Date.parse(TIME)],
    ['its time, if validFrom is after it', { validFrom: '2026-04-01T00:00:00.000Z' }, Date.parse(TIME)],
    ['its time, if validFrom is unknown', {}, Date.parse(TIME)],
    ['ever, if it is a first one and validFrom is unknown', { cause: 'start' }, Number.NEGATIVE_INFINITY],
    ['its validFrom, also if it is a first one', { cause: 'start', validFrom: TIME }, Date.parse(TIME)],
    ['its time, if it is a first one from the future', { cause: 'start', validFrom: NOW }, Date.parse(TIME)],
  ])('holds from %s', (_, over, begin) => {
    expect(computeValidFrom(createEntry(over))).toBe(begin);
  });

  test.each([
    ['2026-03-04T23:59:59.999Z', undefined],
    ['2026-03-05T00:00:00.000Z', 7],
    ['2026-03-09T23:59:59.999Z', 7],
    ['2026-03-10T00:00:00.000Z', undefined],
  ])('an entry at %s is the answer %s, since its beginning belongs to it and its end does not', (validAt, number) => {
    const entry = createEntry({ validFrom: '2026-03-05T00:00:00.000Z', validTo: '2026-03-10T00:00:00.000Z' });
    expect(entryAt([entry], { knownAt: 7, validAt })?.number).toBe(number);
  });

  test('an entry that has ended is replaced by the one before it', () => {
    const ended = createEntry({ number: 8, validTo: '2026-03-21T00:00:00.000Z' });
    const both = [createEntry(), ended];
    expect(entryAt(both, { knownAt: 8, validAt: '2026-03-20T13:00:00.000Z' })?.number).toBe(8);
    expect(entryAt(both, { knownAt: 8, validAt: '2026-03-21T00:00:00.000Z' })?.number).toBe(7);
  });

  test('an entry with a higher number than is asked for does not count', () => {
    expect(entryAt([createEntry()], { knownAt: 6, validAt: NOW })).toBeUndefined();
  });
});

const DAY = 86_400_000;
const day = fc.integer({ min: 0, max: 20 }).map((days) => new Date(Date.UTC(2026, 0, 1) + days * DAY).toISOString());

/** Entries of one key as the record has them: numbers rise, and times never go back. */
const history = fc
  .array(
    fc.record(
      {
        time: day,
        cause: fc.constantFrom('start', 'fact', 'undo'),
        validFrom: day,
        validTo: day,
        step: fc.integer({ min: 1, max: 3 }),
      },
      { requiredKeys: ['time', 'cause', 'step'] },
    ),
    { maxLength: 8 },
  )
  .map((rows): EntryTimes[] => {
    const times = rows.map(({ time }) => time).sort();
    let number = -1;
    return rows.map(({ step, ...row }, at) => {
      number += step;
      return { ...row, number, time: times[at] as string };
    });
  });
const known = fc.integer({ min: -1, max: 25 });
const RUNS = { seed: 20_261_101, numRuns: 1000 };
const LAST = new Date(Date.UTC(2026, 0, 30)).toISOString();

describe('of any entries of a key', () => {
  test('later entries never change what was known before', () => {
    fc.assert(
      fc.property(history, known, day, (all, knownAt, validAt) => {
        const until = all.filter(({ number }) => number <= knownAt);
        expect(entryAt(all, { knownAt, validAt })).toBe(entryAt(until, { knownAt, validAt }));
      }),
      RUNS,
    );
  });

  test('the order in which they are read does not matter', () => {
    fc.assert(
      fc.property(history, known, day, (all, knownAt, validAt) => {
        expect(entryAt(all.toReversed(), { knownAt, validAt })).toBe(entryAt(all, { knownAt, validAt }));
      }),
      RUNS,
    );
  });

  test('the last one without an end says what is published now', () => {
    fc.assert(
      fc.property(history, (all) => {
        const open = all.map(({ validTo, ...entry }) => entry);
        expect(entryAt(open, { knownAt: 100, validAt: LAST })).toBe(open.at(-1));
      }),
      RUNS,
    );
  });

  test('the entry at a time is the valid one with the highest number that is known', () => {
    const holds = ({ time, cause, validFrom, validTo }: EntryTimes, at: string) => {
      const isBegun = validFrom === undefined ? cause === 'start' || time <= at : validFrom <= at || time <= at;
      return isBegun && (validTo === undefined || at < validTo);
    };
    fc.assert(
      fc.property(history, known, day, (all, knownAt, validAt) => {
        const expected = all.findLast((entry) => entry.number <= knownAt && holds(entry, validAt));
        expect(entryAt(all, { knownAt, validAt })).toBe(expected);
      }),
      RUNS,
    );
  });
});
