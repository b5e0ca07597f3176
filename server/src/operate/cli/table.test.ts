import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { formatCell } from './output.ts';
import { cutText, formatTable, measureWidth } from './table.ts';

test.each([
  ['short', 10, 'short'],
  ['exactly ten', 11, 'exactly ten'],
  ['a long sentence', 10, 'a long se…'],
  ['a blank before', 8, 'a blank…'],
  ['経済産業省の警告', 9, '経済産業…'],
  ['経済産業省の警告', 8, '経済産…'],
  ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 5, '👨‍👩‍👧‍👦👨‍👩‍👧‍👦…'],
  ['e\u0301e\u0301e\u0301e\u0301', 3, 'e\u0301e\u0301…'],
  ['تحذير من السمسار', 8, 'تحذير م…'],
  ['אזהרה מפני', 6, 'אזהרה…'],
])('cuts %j to %i columns as %j', (text, width, cut) => {
  expect(cutText(text, width)).toBe(cut);
  expect(stringWidth(cut)).toBeLessThanOrEqual(width);
});

test('each character takes as many columns as the library says', () => {
  const different = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => measureWidth(`a${character}`) !== stringWidth(`a${character}`),
  );
  expect(different).toEqual([]);
});

const NAMES = ['id', 'title', 'count'];
const WORDS = 'A firm that many people complain about';

test.each<[string, string[][], number | undefined, string]>([
  [
    'whole without a terminal',
    [['6b014b09f3536c20fa275367', WORDS, '17']],
    undefined,
    `id                        title                                   count\n6b014b09f3536c20fa275367  ${WORDS}  17`,
  ],
  ['whole where it fits', [['a1', 'Two words', '17']], 20, 'id  title      count\na1  Two words  17'],
  [
    'with its words cut in a narrow terminal',
    [['6b014b09f3536c20fa275367', WORDS, '1234567']],
    54,
    'id                        title                count\n6b014b09f3536c20fa275367  A firm that many p…  1234567',
  ],
  [
    'with wide characters in their columns',
    [
      ['a1', '経済 産業', '1'],
      ['b2', 'abc', '2'],
      ['c3', '👩‍🚀 x', '3'],
      ['d4', 'שלום לך', '4'],
    ],
    40,
    'id  title      count\na1  経済 産業  1\nb2  abc        2\nc3  👩‍🚀 x       3\nd4  שלום לך    4',
  ],
  [
    'as blocks where identifiers would have to be cut',
    [
      ['6b014b09f3536c20fa275367', WORDS, '17'],
      ['6b014b09f3536c20fa275368', 'B', '2'],
    ],
    30,
    `id     6b014b09f3536c20fa275367\ntitle  ${WORDS}\ncount  17\n\nid     6b014b09f3536c20fa275368\ntitle  B\ncount  2`,
  ],
  ['with its head alone without rows', [], 80, 'id  title  count'],
])('prints a table %s', (_, rows, columns, text) => {
  expect(formatTable(NAMES, rows, columns)).toBe(text);
});

test('commands, lists and errors are never cut: each row is a block', () => {
  const row = ['complaint', 'complaint list --status received', 'the file cannot be read'];
  expect(formatTable(['state', 'see', 'last error'], [row], 40)).toBe(
    'state       complaint\nsee         complaint list --status received\nlast error  the file cannot be read',
  );
});

test('lines of a table fit every terminal in which its identifiers fit', () => {
  const rows = [
    ['a1', formatCell('red \u001b[31m and \u202E turned\nlines'), '1'],
    ['a2', '警告 '.repeat(30), '22'],
    ['a3', `${'👨‍👩‍👧‍👦 '.repeat(9)}`, '333'],
  ];
  for (let columns = 25; columns < 160; columns++)
    for (const line of formatTable(NAMES, rows, columns).split('\n')) {
      expect(stringWidth(line), `${columns}: ${line}`).toBeLessThanOrEqual(columns);
      expect(line).toMatch(/^(id|a\d) {2}.*(count|1|22|333)$/);
    }
});
