import { expect, test } from 'vitest';
import { chooseFonts } from './fonts.rule.ts';

const latin = { file: 'latin', isBold: true, ranges: [0x20, 0x7e, 0xa0, 0xff] };
const greek = { file: 'greek', isBold: true, ranges: [0x20, 0x20, 0x370, 0x3ff] };
const kanji = { file: 'kanji', isBold: true, ranges: [0x4e00, 0x9fff, 0x20000, 0x2ffff] };

test.each<[string, string, readonly object[] | undefined]>([
  ['one font draws a text whose letters it has', 'Ångström', [latin]],
  ['the first font that has a letter draws it', 'Αγορά Alpha', [latin, greek]],
  ['letters beyond the first plane have a font', '𠀀株', [kanji]],
  ['a text with one letter that no font has is not drawn', 'Alpha 한국', undefined],
  ['a letter between two ranges is missing', 'a\u0080', undefined],
  ['no text needs no font', '', []],
])('%s', (_, text, expected) => {
  expect(chooseFonts(text, [latin, greek, kanji])).toEqual(expected);
});
