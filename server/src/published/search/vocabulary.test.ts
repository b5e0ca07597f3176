import { beforeEach, describe, expect, test } from 'vitest';
import { createVocabulary, unpackId, unpackWorth } from './vocabulary.ts';

let vocabulary: ReturnType<typeof createVocabulary>;
beforeEach(() => {
  vocabulary = createVocabulary();
});

/** Returns the best match of a term per broker, as id → [likeness, worth]. */
const matches = (term: string): Record<number, [number, number]> => {
  const best: Record<number, [number, number]> = {};
  vocabulary.eachMatch(term, (entries, likeness) => {
    for (const entry of entries) {
      const [id, worth] = [unpackId(entry), unpackWorth(entry)];
      const [l, w] = best[id] ?? [0, 0];
      if (likeness * worth > l * w) best[id] = [likeness, worth];
    }
  });
  return best;
};

test.each([
  ['the word itself', 'markets', 'markets', 6],
  ['one letter of it', 'markets', 'm', 3],
  ['two letters of it', 'markets', 'ma', 3],
  ['three letters of it', 'markets', 'mar', 3],
  ['four letters of it', 'markets', 'mark', 3],
  ['all but its last letter', 'markets', 'market', 3],
  ['the end of it', 'markets', 'arkets', 1],
  ['one typo', 'markets', 'marzets', 1],
  ['two letters swapped', 'markets', 'makrets', 2],
  ['two letters of three swapped', 'abc', 'acb', 0],
  ['its sound', 'alpha', 'alfa', 2],
  ['its sound in more letters', 'alfa', 'alpha', 2],
  ['a sound of fewer than three letters', 'hoho', 'oooh', 0],
  ['two typos in a term of seven letters', 'markets', 'marqeds', 0],
  ['two typos in a term of eight', 'holdings', 'holdqngz', 1],
  ['three typos', 'holdings', 'holqqngz', 0],
  ['a typo in a term of three letters', 'abc', 'abd', 0],
  ['a typo in a term of four', 'abcd', 'abce', 1],
  ['a beginning with a typo', 'markets', 'marq', 0],
  ['a word of one letter', 'x', 'x', 6],
  ['a word of three letters', 'fxa', 'fxa', 6],
  ['a longer term', 'mark', 'markets', 0],
])('%s: in %j, %j has likeness %d', (_, word, term, likeness) => {
  vocabulary.change(7, [], [word]);
  expect(matches(term)).toEqual(likeness > 0 ? { 7: [likeness, 1] } : {});
});

test.each([
  ['nothing', 'holdqngz', ['holdings'], [7]],
  ['the word itself', 'holdings', ['holdqngz', 'holdings'], [8]],
  ['a beginning', 'holdings', ['holdqngz', 'holdingsgroup'], [8]],
  ['one typo', 'holdings', ['holdqngz', 'holdingz'], [8]],
])('tries two typos only if nothing closer matches: closer is %s', (_, term, all, ids) => {
  all.forEach((word, at) => {
    vocabulary.change(7 + at, [], [word]);
  });
  expect(Object.keys(matches(term)).map(Number)).toEqual(ids);
});

test('a word, or its beginning, has the worth of the first text that contains it', () => {
  vocabulary.change(1, [], ['alpha', 'beta alpha', 'alphabet beta']);
  expect(matches('alpha')).toEqual({ 1: [6, 3] });
  expect(matches('beta')).toEqual({ 1: [6, 2] });
  expect(matches('alphabe')).toEqual({ 1: [3, 1] });
  expect(matches('al')).toEqual({ 1: [3, 3] });
});

describe('the contents', () => {
  const texts = (n: number) => [`Word${n % 7} Common`, `common other${n % 3}`, `${n} common`];

  test('the contents depend only on the current texts, whatever they were before', () => {
    for (let n = 0; n < 200; n++) {
      vocabulary.change(n % 20, n < 20 ? [] : texts(n - 20), texts(n));
    }
    const held = vocabulary.size();
    vocabulary = createVocabulary();
    for (let id = 0; id < 20; id++) vocabulary.change(id, [], texts(180 + id));
    expect(held).toEqual(vocabulary.size());
  });

  test('the contents are empty after all brokers are removed', () => {
    for (let id = 0; id < 50; id++) vocabulary.change(id, [], texts(id));
    expect(vocabulary.size().entries).toBeGreaterThan(200);
    for (let id = 49; id >= 0; id -= 2) vocabulary.change(id, texts(id), []);
    for (let id = 0; id < 50; id += 2) vocabulary.change(id, texts(id), []);
    expect(vocabulary.size()).toEqual({ lists: 0, entries: 0 });
    expect(matches('common')).toEqual({});
  });
});
