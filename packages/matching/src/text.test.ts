import { describe, expect, test } from 'vitest';
import {
  findKeptScripts,
  fold,
  foldLatin,
  hasForeignLetters,
  looks,
  mixesAlphabets,
  sounds,
  withoutInvisible,
} from './text.ts';

describe('folding', () => {
  test.each([
    ['Zürich', 'zurich'],
    ['ZÜRICH', 'zurich'],
    ['Zu\u0308rich', 'zurich'],
    ['Größe', 'grosse'],
    ['GRÖẞE', 'grosse'],
    ['Łódź', 'lodz'],
    ['Ørsted', 'orsted'],
    ['Æon', 'aeon'],
    ['Œuvre', 'oeuvre'],
    ['Þór', 'thor'],
    ['Đà Nẵng', 'da nang'],
    ['İstanbul', 'istanbul'],
    ['ısı', 'isi'],
    ['São', 'sao'],
    ['ﬁnance', 'finance'],
    ['ＦＸ', 'fx'],
    ['①', '1'],
    ['Ρίσκο', 'ρισκο'],
    ['株式会社', '株式会社'],
    ['', ''],
  ])('makes %j %j', (text, folded) => {
    expect(foldLatin(text)).toBe(folded);
  });

  test('folding is idempotent for every character', () => {
    const changed: string[] = [];
    for (let code = 0; code < 0x110000; code++) {
      const character = String.fromCodePoint(code);
      const folded = foldLatin(character);
      if (folded !== character && foldLatin(folded) !== folded) changed.push(code.toString(16));
    }
    expect(changed).toEqual([]);
  });
});

describe('transliteration', () => {
  test.each([
    ['Горизонт', 'gorizont'],
    ['Ладога', 'ladoga'],
    ['Όλυμπος', 'olympos'],
    ['Йота', 'yota'],
    ['Zürich АД', 'zurich ad'],
    ['株式会社', '株式会社'],
    ['アルファ', 'アルファ'],
    ['주식회사', '주식회사'.normalize('NFKD')],
  ])('makes %j %j', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  test.each([
    ['Форекс', 'Forex'],
    ['Альфа', 'Alpha'],
    ['Альфа', 'Alfa'],
    ['Жемчуг', 'Zhemchug'],
    ['Жемчуг', 'Žemčug'],
    ['Щука', 'Shchuka'],
    ['Чайка', 'Chaika'],
    ['Чайка', 'Chayka'],
    ['Эксчейндж', 'Ekscheindzh'],
    ['Янтарь', 'Iantar'],
    ['Юг', 'Iug'],
    ['Царь', "Tsar'"],
    ['Αιγαίο', 'Aigaio'],
    ['Όλυμπος', 'Olimpos'],
    ['Φοίνικας', 'Phoinikas'],
    ['Müller', 'Mueller'],
    ['Søren', 'Soeren'],
    ['Åse', 'Ase'],
  ])('%j sounds like %j', (one, other) => {
    expect(sounds(fold(one))).toBe(sounds(fold(other)));
  });

  test.each([
    ['Альфа', 'Beta'],
    ['Волга', 'Вольга Инвест'],
    ['Müller', 'Miller'],
  ])('%j does not sound like %j', (one, other) => {
    expect(sounds(fold(one))).not.toBe(sounds(fold(other)));
  });
});

test.each([
  ['Аlpha', true], // the first letter is Cyrillic
  ['Alphα', true], // the last one is Greek
  ['Alpha Альфа', false],
  ['Альфа', false],
  ['Alpha', false],
  ['青葉FX', false],
])('%j mixes alphabets in a word: %s', (text, mixed) => {
  expect(mixesAlphabets(text)).toBe(mixed);
});

test.each([
  ['a1pha', 'alpha'],
  ['0rion', 'orion'],
  ['rnarkets', 'markets'],
  ['aipha', 'alpha'],
])('%j looks like %j', (one, other) => {
  expect(looks(one)).toBe(looks(other));
});

test('withoutInvisible removes invisible characters, and keeps those that separate words', () => {
  expect(withoutInvisible('Al\u200bpha\u00ad\nMarkets\u202e')).toBe('Alpha Markets');
});

test.each([
  ['Müller', true],
  ['Альфа', true],
  ['Alpha & Söhne', true],
  ['Alpha – “Markets”', false],
  ['Alpha', false],
])('%j has letters with several spellings: %s', (text, foreign) => {
  expect(hasForeignLetters(text)).toBe(foreign);
});

test.each([
  ['Alpha Märkets', []],
  ['Альфа Ἄλφα', []],
  ['アルファ・マーケッツ', ['Katakana']],
  ['アルファ市場の', ['Han', 'Hiragana', 'Katakana']],
  ['ألفا ماركتس Alpha', ['Arabic']],
])('the text %s keeps the scripts %j, which are not turned into Latin letters', (text, scripts) => {
  expect(findKeptScripts(text)).toEqual(scripts);
});
