import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENTRY_CAUSES, ENTRY_KINDS, type EntryKind, entryKey, parseEntryKey } from './entry.ts';

/** The page that says what the record is. */
const PAGE = readFileSync(new URL('../../../docs/record.md', import.meta.url), 'utf8');

describe('the page about the record', () => {
  test('describes every kind of entry, in this order', () => {
    const rows = PAGE.split('| kind | key | value |')[1]?.split('\n\n')[0] as string;
    expect([...rows.matchAll(/^\| `([a-z-]+)` \| `([a-z-]+)\//gm)].map(([, kind, key]) => [kind, key])).toEqual(
      ENTRY_KINDS.map((kind) => [kind, kind]),
    );
  });

  test('names every cause, in this order', () => {
    const row = PAGE.split('\n').find((line) => line.startsWith('| `cause` |'));
    expect([...(row as string).matchAll(/`([a-z]+)`/g)].map(([, name]) => name).slice(1)).toEqual([...ENTRY_CAUSES]);
  });
});

describe('a key', () => {
  test.each<[EntryKind, readonly string[], string]>([
    ['broker', ['alpha-markets'], 'broker/alpha-markets'],
    ['license', ['alpha', 'fca', '1/2'], 'license/alpha/fca/1%2F2'],
    ['license', ['alpha', 'cysec', '123 %/ä'], 'license/alpha/cysec/123%20%25%2F%C3%A4'],
    ['day', ['2026-11-02'], 'day/2026-11-02'],
  ])('the key of a %s about %j is %s', (kind, parts, key) => {
    expect(entryKey(kind, ...parts)).toBe(key);
    expect(parseEntryKey(key)).toEqual([kind, ...parts]);
  });

  test('a key is parsed into exactly the parts that it was made of, whatever they are', () => {
    const parts = fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.constantFrom(...ENTRY_KINDS), parts, (kind, given) => {
        const key = entryKey(kind, ...given);
        expect(key).toMatch(/^[\x21-\x7e]+$/);
        expect(parseEntryKey(key).join('\n')).toBe([kind, ...given].join('\n'));
      }),
      { seed: 20_261_101, numRuns: 200 },
    );
  });
});
