import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { queryTerms, words } from './terms.rule.ts';

describe('words', () => {
  test.each([
    ['IC Markets', ['ic', 'markets']],
    ['alpha-markets.example', ['alpha', 'markets', 'example']],
    ['  a,b;c/d\\e_f  ', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['FRN: 123456', ['frn', '123456']],
    ['½', ['1', '2']],
    ['हिन्दी', ['हिनदी']],
    ['株式会社 アルファ', ['株式会社', 'アルファ']],
    ['!!!', []],
    ['\u0301', []],
    ['', []],
  ])('the words of %j are %j', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });
});

describe('the terms of a query', () => {
  test('a query has at most six terms', () => {
    expect(queryTerms('a b c d e f g h')).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(queryTerms('½ ⅓ ¼ ⅕ ⅙ ⅛')).toHaveLength(6);
    expect(queryTerms('ﷺ ﷺ ﷻ').length).toBeLessThanOrEqual(6);
  });

  test('the terms of a query are distinct', () => {
    expect(queryTerms('FX fx ＦＸ broker f\u0301x')).toEqual(['fx', 'broker']);
  });

  test.each(['', '   ', '...', '\u0301', '🙂', '"\'`*?:+'])('the query %j has no terms', (query) => {
    expect(queryTerms(query)).toEqual([]);
  });
});

test('splitting into words is idempotent, and words contain only letters, digits and marks', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const found = words(text);
      expect(words(found.join(' '))).toEqual(found);
      for (const word of found) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
      expect(queryTerms(text).length).toBeLessThanOrEqual(6);
    }),
    { seed: 20_261_121, numRuns: 500 },
  );
});
