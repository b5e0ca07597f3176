import { createHash } from 'node:crypto';
import { ENTRY_CAUSES, ENTRY_KINDS } from '@broker-transparency/contract/record';
import { canonicalJson, MOST_ENTRY } from '@broker-transparency/log';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ChangePlace,
  canFollow,
  deriveSubject,
  type EntryContent,
  type EntryDraft,
  entryText,
  findChangePlaces,
  orderChanges,
  parseEntry,
  type RecordPlace,
  valueText,
} from './entry.rule.ts';

const RUNS = { seed: 20_261_101, numRuns: 500 };
const hashText = (text: string): string => createHash('sha256').update(text).digest('base64');

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
const changePlace = fc
  .integer({ min: 1, max: 4 })
  .chain((changeSize) => fc.record({ changeIndex: fc.nat(changeSize - 1), changeSize: fc.constant(changeSize) }));
const place = fc
  .record({ number: fc.nat(), time: instant, change: changePlace })
  .map(({ change, ...rest }) => ({ ...rest, ...change }));

/** Fields that the bytes of an entry have of its place. */
const shown = ({ number, time, changeIndex, changeSize }: RecordPlace) => ({
  number,
  time,
  ...(changeIndex === changeSize - 1 ? { last: true } : {}),
});

const ENTRY: EntryContent = { key: 'news/1', kind: 'news', cause: 'fact', value: 'null' };
const PLACE: RecordPlace = { number: 7, time: '2026-03-20T12:00:00.000Z', changeIndex: 0, changeSize: 2 };
const { changeIndex: _index, changeSize: _size, ...PLACED } = PLACE;

describe('the bytes of an entry', () => {
  test('the bytes of an entry are the canonical JSON of its fields', () => {
    fc.assert(
      fc.property(unnumbered, place, (entry, numbered) => {
        const text = entryText({ ...entry, value: canonicalJson(entry.value) }, numbered, hashText);
        expect(text).toBe(canonicalJson({ ...entry, ...shown(numbered) }));
      }),
      RUNS,
    );
  });

  test('the bytes of an entry are read again as they were written, with a value that is kept apart', () => {
    fc.assert(
      fc.property(unnumbered, place, (entry, numbered) => {
        const written = { ...entry, value: canonicalJson(entry.value) };
        const { last: isLast = false, ...rest } = shown(numbered);
        expect(parseEntry(entryText(written, numbered, hashText))).toEqual({ ...written, ...rest, isLast });
      }),
      RUNS,
    );
    const long = { ...ENTRY, value: `"${'x'.repeat(MOST_ENTRY)}"` };
    const text = entryText(long, PLACE, hashText);
    expect(parseEntry(text, long.value)).toEqual({ ...long, ...PLACED, isLast: false });
    expect(entryText(parseEntry(text), PLACE, hashText)).not.toBe(text);
  });

  test('the bytes of an entry name its fields in this order, without those that it lacks', () => {
    expect(entryText(ENTRY, PLACE, hashText)).toBe(
      '{"cause":"fact","key":"news/1","kind":"news","number":7,"time":"2026-03-20T12:00:00.000Z","value":null}',
    );
    expect(entryText(ENTRY, { ...PLACE, changeIndex: 1 }, hashText)).toBe(
      '{"cause":"fact","key":"news/1","kind":"news","last":true,"number":7,"time":"2026-03-20T12:00:00.000Z","value":null}',
    );
  });

  test('an entry that would be too long has the hash of the value in place of it', () => {
    const without = Buffer.byteLength(entryText({ ...ENTRY, value: '""' }, PLACE, hashText));
    const filled = (bytes: number): EntryContent => ({
      ...ENTRY,
      value: `"${'ä'.repeat(bytes / 2)}${'x'.repeat(bytes % 2)}"`,
    });
    const longest = entryText(filled(MOST_ENTRY - without), PLACE, hashText);
    expect(Buffer.byteLength(longest)).toBe(MOST_ENTRY);
    expect(JSON.parse(longest)).not.toHaveProperty('valueHash');
    const long = filled(MOST_ENTRY - without + 1);
    const { value: _, ...fields } = { ...ENTRY, ...PLACED, valueHash: hashText(long.value) };
    expect(entryText(long, PLACE, hashText)).toBe(canonicalJson(fields));
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

  test('the value of a draft has none of its texts', () => {
    expect(valueText(draft({ texts: { title: 'Said by ann' } }), { title: 'x' })).not.toContain('ann');
  });
});

describe('changes that wait for their numbers', () => {
  const KEYS = ['a', 'b', 'c', 'd'];
  /** Changes in the order in which they were written, and the same in another order. */
  const waiting = fc
    .array(fc.subarray(KEYS, { minLength: 1 }), { maxLength: 12 })
    .map((changes) => {
      const next = new Map<string, number>();
      return changes.map((keys) =>
        keys.map((key) => {
          const sequence = next.get(key) ?? 0;
          next.set(key, sequence + 1);
          return { key, sequence };
        }),
      );
    })
    .chain((changes) => fc.shuffledSubarray(changes, { minLength: changes.length }));

  test('changes stay whole, and each comes after those that wrote to its keys before it', () => {
    fc.assert(
      fc.property(waiting, (changes) => {
        const ordered = orderChanges(changes);
        expect(new Set(ordered)).toEqual(new Set(changes));
        expect(ordered).toHaveLength(changes.length);
        for (const own of Map.groupBy(ordered.flat(), ({ key }) => key).values())
          expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_, at) => at));
      }),
      RUNS,
    );
  });

  test('changes of different keys stay as they are', () => {
    const changes = ['b', 'a', 'c'].map((key) => [{ key, sequence: 3 }]);
    expect(orderChanges(changes)).toEqual(changes);
  });
});

test.each([
  ['a first entry', [], [0, 1, 5], true],
  ['a first entry that continues a change', [], [1, 2, 5], false],
  ['the next change, at the same time', [0, 1, 5], [0, 3, 5], true],
  ['the next change, later', [2, 3, 5], [0, 3, 6], true],
  ['the next change, earlier', [0, 1, 5], [0, 1, 4], false],
  ['the next entry of a change', [0, 3, 5], [1, 3, 5], true],
  ['the next entry of a change, later', [0, 3, 5], [1, 3, 6], false],
  ['the next entry of a longer change', [0, 3, 5], [1, 4, 5], false],
  ['an entry that was skipped in a change', [0, 3, 5], [2, 3, 5], false],
  ['a change that begins within another one', [0, 3, 5], [0, 1, 5], false],
  ['a change that goes on after its end', [1, 2, 5], [1, 2, 5], false],
])('%s can follow or not', (_, before, entry, expected) => {
  const placed = ([changeIndex, changeSize, hour]: readonly number[]): RecordPlace | undefined =>
    changeIndex === undefined || changeSize === undefined
      ? undefined
      : { number: 0, time: `2026-03-20T0${hour}:00:00.000Z`, changeIndex, changeSize };
  expect(canFollow(placed(entry) as RecordPlace, placed(before))).toBe(expected);
});

test('the marks of last entries say which entries are a change, and whether the last change is whole', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 6 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 3 }), (all, more) => {
      const places = all.flatMap((changeSize) =>
        Array.from({ length: changeSize }, (_, changeIndex): ChangePlace => ({ changeIndex, changeSize })),
      );
      const lasts = places.map(({ changeIndex, changeSize }) => changeIndex === changeSize - 1);
      expect(findChangePlaces(lasts)).toEqual(places);
      expect(findChangePlaces([...lasts, ...Array.from({ length: more }, () => false)])).toBeUndefined();
    }),
    RUNS,
  );
});

test.each([
  ['a broker', 'broker/alpha', '{"slug":"renamed"}', undefined, 'broker/alpha'],
  ['what says its broker', 'review/1', '{"broker":"alpha"}', undefined, 'broker/alpha'],
  ['what is about another broker now', 'license/fca/1', '{"broker":"beta"}', 'broker/alpha', 'broker/beta'],
  ['what is published no more', 'license/fca/1', 'null', 'broker/beta', 'broker/beta'],
  ['news', 'news/1', '{"brokers":["alpha"]}', undefined, 'news/1'],
  ['news that is published no more', 'news/1', 'null', 'news/1', 'news/1'],
])('the subject of %s follows from its value, or from the entry before', (_, key, value, before, subject) => {
  expect(deriveSubject({ key, value }, before)).toBe(subject);
});
