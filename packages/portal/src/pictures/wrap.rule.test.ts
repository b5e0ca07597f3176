import { expect, test } from 'vitest';
import { wrapWords } from './wrap.rule.ts';

const fits = (line: string): boolean => [...line].length <= 10;

test.each<[string, string, number, string[]]>([
  ['a short text stays on one line', 'Alpha', 2, ['Alpha']],
  ['a text breaks at a blank', 'Alpha Markets Ltd', 2, ['Alpha', 'Markets…']],
  ['a text that has room on its lines is whole', 'Alpha Market Ltd', 2, ['Alpha', 'Market Ltd']],
  ['a text that goes on ends after a whole word', 'Alpha Markets Europe', 1, ['Alpha…']],
  ['a word without room breaks inside', 'Überweisungsgesellschaft', 2, ['Überweisun', 'gsgesells…']],
  ['letters without blanks use every line', '株式会社株式会社株式会社', 2, ['株式会社株式会社株式', '会社']],
  ['a letter with its marks stays whole', 'e\u0301'.repeat(12), 1, [`${'e\u0301'.repeat(4)}…`]],
  ['no text is one empty line', '', 2, ['']],
])('%s', (_, text, lines, expected) => {
  expect(wrapWords(text, fits, lines)).toEqual(expected);
});
