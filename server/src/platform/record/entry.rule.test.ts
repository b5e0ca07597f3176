import { createHash } from 'node:crypto';
import { canonicalJson, MOST_ENTRY } from '@broker-transparency/contract/log';
import { ENTRY_CAUSES, ENTRY_KINDS } from '@broker-transparency/contract/record';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type EntryDraft,
  entryText,
  inKeyOrder,
  parseEntry,
  subjectOf,
  type Unnumbered,
  valueText,
} from './entry.rule.ts';

const RUNS = { seed: 20_261_101, numRuns: 500 };
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

const instant = fc
  .integer({ min: 0, max: Date.UTC(2099, 0, 1) })
  .map((milliseconds) => new Date(milliseconds).toISOString());
const value = fc.jsonValue({ maxDepth: 3 });
const unnumbered = fc.record(
  {
    key: fc.webPath().map((path) => `license/alpha${path}`),
    kind: fc.constantFrom(...ENTRY_KINDS),
    cause: fc.constantFrom(...ENTRY_CAUSES),
    validFrom: instant,
    validTo: instant,
    value,
  },
  { requiredKeys: ['key', 'kind', 'cause', 'value'] },
);
const place = fc.record({ number: fc.nat(), time: instant });

const ENTRY: Unnumbered = { key: 'news/1', kind: 'news', cause: 'fact', value: 'null' };
const PLACE = { number: 7, time: '2026-03-20T12:00:00.000Z' };

describe('the bytes of an entry', () => {
  test('are the canonical JSON of its fields', () => {
    fc.assert(
      fc.property(unnumbered, place, (entry, numbered) => {
        const text = entryText({ ...entry, value: canonicalJson(entry.value) }, numbered, hashOf);
        expect(text).toBe(canonicalJson({ ...entry, ...numbered }));
      }),
      RUNS,
    );
  });

  test('are read again as they were written, with a value that is kept apart', () => {
    fc.assert(
      fc.property(unnumbered, place, (entry, numbered) => {
        const written = { ...entry, value: canonicalJson(entry.value) };
        expect(parseEntry(entryText(written, numbered, hashOf))).toEqual({ ...written, ...numbered });
      }),
      RUNS,
    );
    const long = { ...ENTRY, value: `"${'x'.repeat(MOST_ENTRY)}"` };
    const text = entryText(long, PLACE, hashOf);
    expect(parseEntry(text, long.value)).toEqual({ ...long, ...PLACE });
    expect(entryText(parseEntry(text), PLACE, hashOf)).not.toBe(text);
  });

  test('name fields in this order, without those that it lacks', () => {
    expect(entryText(ENTRY, PLACE, hashOf)).toBe(
      '{"cause":"fact","key":"news/1","kind":"news","number":7,"time":"2026-03-20T12:00:00.000Z","value":null}',
    );
  });

  test('have the hash of the value in place of it if they would be more than an entry may have', () => {
    const without = Buffer.byteLength(entryText({ ...ENTRY, value: '""' }, PLACE, hashOf));
    const filled = (bytes: number): Unnumbered => ({
      ...ENTRY,
      value: `"${'ä'.repeat(bytes / 2)}${'x'.repeat(bytes % 2)}"`,
    });
    const longest = entryText(filled(MOST_ENTRY - without), PLACE, hashOf);
    expect(Buffer.byteLength(longest)).toBe(MOST_ENTRY);
    expect(JSON.parse(longest)).not.toHaveProperty('valueHash');
    const long = filled(MOST_ENTRY - without + 1);
    const { value: _, ...fields } = { ...ENTRY, ...PLACE, valueHash: hashOf(long.value) };
    expect(entryText(long, PLACE, hashOf)).toBe(canonicalJson(fields));
  });
});

describe('the value of a draft', () => {
  const draft = (over: object): EntryDraft =>
    ({ kind: 'news', key: 'news/1', subject: 'news/1', value: { url: 'u' }, ...over }) as unknown as EntryDraft;

  test.each([
    ['has commitments to its texts', { texts: { title: 'A' } }, { title: 'x' }, '{"texts":{"title":"x"},"url":"u"}'],
    ['has no empty list of texts', { texts: {} }, {}, '{"url":"u"}'],
    ['has none for a kind without texts', {}, {}, '{"url":"u"}'],
    ['is null if nothing is published any more', { value: null, texts: {} }, {}, 'null'],
  ])('%s', (_, over, commitments, expected) => {
    expect(valueText(draft(over), commitments)).toBe(expected);
  });

  test('has none of its texts', () => {
    expect(valueText(draft({ texts: { title: 'Said by ann' } }), { title: 'x' })).not.toContain('ann');
  });
});

describe('entries that wait for their numbers', () => {
  const waiting = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c') }), { maxLength: 12 }).chain((rows) =>
    fc.shuffledSubarray(
      rows.map(({ key }, at) => ({ key, sequence: rows.slice(0, at).filter((one) => one.key === key).length })),
      { minLength: rows.length },
    ),
  );

  test('of one key stand in the order in which they were written, at the places of that key', () => {
    fc.assert(
      fc.property(waiting, (entries) => {
        const ordered = inKeyOrder(entries);
        expect(ordered.map(({ key }) => key)).toEqual(entries.map(({ key }) => key));
        expect(new Set(ordered)).toEqual(new Set(entries));
        for (const own of Map.groupBy(ordered, ({ key }) => key).values())
          expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_, at) => at));
      }),
      RUNS,
    );
  });

  test('of different keys stay as they are', () => {
    const entries = ['b', 'a', 'c'].map((key) => ({ key, sequence: 3 }));
    expect(inKeyOrder(entries)).toEqual(entries);
  });
});

test.each([
  ['a broker', 'broker/alpha', '{"slug":"renamed"}', undefined, 'broker/alpha'],
  ['what says its broker', 'review/1', '{"broker":"alpha"}', undefined, 'broker/alpha'],
  ['what is about another broker now', 'license/fca/1', '{"broker":"beta"}', 'broker/alpha', 'broker/beta'],
  ['what is published no more', 'license/fca/1', 'null', 'broker/beta', 'broker/beta'],
  ['news', 'news/1', '{"brokers":["alpha"]}', undefined, 'news/1'],
  ['news that is published no more', 'news/1', 'null', 'news/1', 'news/1'],
])('the subject of %s follows from its value, or from the entry before', (_, key, value, before, subject) => {
  expect(subjectOf({ key, value }, before)).toBe(subject);
});
