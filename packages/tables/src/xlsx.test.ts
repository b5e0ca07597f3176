import { readdir, readFile } from 'node:fs/promises';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { SheetRow } from './cell.rule.ts';
import { UnreadableFileError } from './unreadable-file.ts';
import { readXlsx, type XlsxOptions } from './xlsx.ts';

const SPREADSHEETML = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

interface Parts {
  readonly sheets?: readonly string[];
  readonly workbook?: string;
  readonly more?: Readonly<Record<string, string>>;
}

/** A workbook with these cells in the rows of its first sheet. */
const parts = (rows: string, { sheets = ['Items'], workbook = '', more = {} }: Parts = {}): Record<string, string> => ({
  'xl/workbook.xml':
    `<workbook xmlns="${SPREADSHEETML}" xmlns:r="${RELATIONS}">${workbook}<sheets>` +
    `${sheets.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
  'xl/_rels/workbook.xml.rels':
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
    `${sheets.map((_, at) => `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}</Relationships>`,
  'xl/styles.xml':
    `<styleSheet xmlns="${SPREADSHEETML}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/>` +
    '</cellXfs></styleSheet>',
  'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SPREADSHEETML}"><sheetData>${rows}</sheetData></worksheet>`,
  ...more,
});
const pack = (files: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
const text = (at: string, value: string): string => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;

const readRows = async (bytes: Uint8Array, options: XlsxOptions = {}): Promise<SheetRow[]> => {
  const rows: SheetRow[] = [];
  for await (const row of readXlsx(bytes, options)) rows.push(row);
  return rows;
};

describe('a workbook', () => {
  test('a workbook has text, numbers, booleans and days, and rows by their number', async () => {
    const rows =
      `<row r="1">${text('A1', 'name')}${text('C1', 'day')}</row>` +
      `<row r="4">${text('A4', ' A &amp; B ')}<c r="B4"><v>0.1</v></c><c r="C4" s="1"><v>46022</v></c><c r="D4" t="b"><v>1</v></c></row>`;
    expect(await readRows(pack(parts(rows)))).toEqual([
      { line: 1, cells: ['name', '', 'day', ''] },
      { line: 4, cells: ['A & B', 0.1, new Date('2025-12-31'), true] },
    ]);
  });

  test.each([
    ['unfinished formulas', '<c><f><c><f'],
    ['blanks behind a formula', `<c><f>1</f>${' '.repeat(999_989)}`],
  ])('a workbook with a megabyte of %s is read or refused in linear time', async (_, piece) => {
    const slow = pack(parts(`<f/> t="e"${piece.repeat(Math.ceil(1_000_000 / piece.length))}`));
    const began = performance.now();
    await readRows(slow).catch((error: unknown) => expect(error).toBeInstanceOf(UnreadableFileError));
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  test('counts its days from 1904 if it says so', async () => {
    const rows = '<row r="1"><c r="A1" s="1"><v>44560</v></c></row>';
    const workbook = '<workbookPr date1904="1"/>';
    expect((await readRows(pack(parts(rows, { workbook }))))[0]?.cells).toEqual([new Date('2025-12-31')]);
  });

  test('shows errors of formulas, and formulas that nobody computed', async () => {
    const rows =
      '<row r="1"><c r="A1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="B1"><f>A1+1</f></c><c r="C1"><f>A1</f><v></v></c>' +
      '<c r="D1"><f>1+1</f><v>2</v></c><c r="E1" t="str"><f>T("")</f><v></v></c><c r="F1"><v>3</v></c></row>';
    expect((await readRows(pack(parts(rows))))[0]?.cells).toEqual(['#DIV/0!', '#FORMULA!', '#FORMULA!', 2, '', 3]);
  });

  test.each([
    ['A99999999999', 'has a cell at "A99999999999"'],
    ['ZZZZ1', 'has a cell at "ZZZZ1"'],
    ['A&#57;9', 'has a cell at "A&#57;9"'],
    ['XFD1048576', 'has 1048576 rows of 16384 columns'],
  ])('a workbook is refused if it invents a cell at %s', async (at, message) => {
    await expect(readRows(pack(parts(`<row>${text(at, 'far')}</row>`)))).rejects.toThrow(message);
  });

  test('a workbook has several sheets, of which one is read', async () => {
    const second = {
      'xl/worksheets/sheet2.xml': parts(`<row r="1">${text('A1', 'second')}</row>`)['xl/worksheets/sheet1.xml'] ?? '',
    };
    const bytes = pack(
      parts(`<row r="1">${text('A1', 'first')}</row>`, { sheets: ['Items', 'B &amp; C'], more: second }),
    );
    const seen: unknown[] = [];
    const onSheet = (...names: unknown[]): void => void seen.push(names);
    expect((await readRows(bytes, { onSheet }))[0]?.cells).toEqual(['first']);
    expect((await readRows(bytes, { sheet: 'B & C', onSheet }))[0]?.cells).toEqual(['second']);
    expect(seen).toEqual([
      ['Items', ['Items', 'B & C']],
      ['B & C', ['Items', 'B & C']],
    ]);
    await expect(readRows(bytes, { sheet: 'Other' })).rejects.toThrow('has no sheet "Other", but "Items", "B & C"');
  });

  test('a workbook of many rows is read as a whole, and can be left before its end', async () => {
    const count = 2345;
    const rows = Array.from(
      { length: count },
      (_, at) => `<row r="${at + 1}"><c r="A${at + 1}"><v>${at}</v></c></row>`,
    );
    const bytes = pack(parts(rows.join('')));
    expect((await readRows(bytes)).map(({ cells }) => cells[0])).toEqual(Array.from({ length: count }, (_, at) => at));
    for await (const { line } of readXlsx(bytes)) {
      expect(line).toBe(1);
      break;
    }
  });
});

describe('a file that is refused', () => {
  const huge = 'x'.repeat(2_000_000);
  const limits = { unpacked: 1_000_000, heapMb: 60 };

  test.each<[string, () => Uint8Array, string]>([
    [
      'an archive that unpacks to more than is allowed',
      () => pack(parts('', { more: { 'xl/sharedStrings.xml': huge } })),
      'unpacks to more than 1 MB: save the sheet as CSV',
    ],
    ['an archive that says it is small', () => lying(huge), 'cannot be read'],
    [
      'a row far out',
      () => pack(parts(`<row r="999999999">${text('A999999999', 'x')}</row>`)),
      'has a cell at "999999999", where no sheet has one',
    ],
    ['an OpenDocument file', () => pack({ 'content.xml': '<x/>' }), 'is an OpenDocument file: save it as .xlsx or CSV'],
    ['a binary workbook', () => pack({ 'xl/workbook.bin': 'x' }), 'is a binary workbook (.xlsb)'],
    ['another archive', () => pack({ 'a.xml': 'x' }), 'is no .xlsx file, although it is packed like one'],
    ['half a file', () => pack(parts('')).subarray(0, 300), 'is a broken .xlsx file'],
    [
      'broken XML',
      () => pack({ ...parts(''), 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row' }),
      'cannot be read',
    ],
    [
      'cells out of order',
      () => pack(parts(`<row r="1">${text('B1', 'x')}${text('A1', 'y')}</row>`)),
      'cannot be read: Out-of-place',
    ],
    ['no sheet', () => pack(parts('', { sheets: [] })), 'has no sheet'],
  ])('refuses %s', async (_, make, message) => {
    const reading = readRows(make(), { limits });
    await expect(reading).rejects.toThrow(UnreadableFileError);
    await expect(reading).rejects.toThrow(message);
  });

  /** Writes a small size for the sheet into the archive's directory. */
  const lying = (content: string): Uint8Array => {
    const name = 'xl/worksheets/sheet1.xml';
    const bytes = Buffer.from(pack({ ...parts(''), [name]: `<worksheet><sheetData>${content}` }));
    const entry = bytes.lastIndexOf(name);
    bytes.writeUInt32LE(1000, entry - 46 + 24);
    return bytes;
  };
});

const FIXTURES = new URL('./fixtures/', import.meta.url);

test('workbooks of several programs say the same', async () => {
  const files = (await readdir(FIXTURES)).filter((file) => file.endsWith('.xlsx'));
  expect(files.length).toBeGreaterThanOrEqual(4);
  for (const file of files) {
    const rows = await readRows(await readFile(new URL(file, FIXTURES)));
    expect({ file, rows }).toEqual({
      file,
      rows: [
        { line: 1, cells: ['slug', 'name', 'foundedYear', 'retail', 'since', 'number'] },
        { line: 2, cells: ['alpha-fx', 'Älpha & Söhne <FX>', 2009, true, new Date('2025-12-31'), '000218600'] },
        { line: 3, cells: ['beta-fx', 'Beta „FX“ 株式会社', 1999, false, new Date('2014-03-01'), '7'] },
      ],
    });
  }
});
