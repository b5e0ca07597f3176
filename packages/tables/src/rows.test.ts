import * as fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { TableMapping } from './mapping.rule.ts';
import { readTableBytes } from './read-table.ts';
import type { Row } from './row.rule.ts';
import { readJsonRows } from './rows-json.ts';
import { readXmlRows } from './rows-xml.ts';
import { UnreadableFileError } from './unreadable-file.ts';

const inParts = async function* (content: string | Uint8Array, part: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content as string);
  for (let at = 0; at < bytes.length; at += part) yield bytes.subarray(at, at + part);
};

const collectRows = async (rows: AsyncIterable<Row>): Promise<Row[]> => {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
};

describe('JSON', () => {
  const rows = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 });

  test('gives the same rows as a parser of the whole, for documents and chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(rows, fc.jsonValue(), fc.boolean()), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 40 }),
        async (documents, part) => {
          const text = documents
            .map(([docs, other, pretty]) =>
              JSON.stringify(
                { other, docs: other, response: { a: [other, [{}]], docs } },
                null,
                pretty ? 1 : undefined,
              ),
            )
            .join('\n');
          const found = await collectRows(readJsonRows(inParts(text, part), { rows: 'response.docs' }));
          expect(found.map((row) => row.all().length)).toEqual(
            documents.flatMap(([docs]) => JSON.parse(JSON.stringify(docs)) as object[]).map((row) => countTexts(row)),
          );
          expect(found.map(({ at }) => at)).toEqual(found.map((_, index) => `row ${index + 1}`));
        },
      ),
      { seed: 20_261_123, numRuns: 300 },
    );
  });

  const countTexts = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce<number>((sum, one) => sum + countTexts(one), 0)
      : value === null || (typeof value === 'string' && value.trim() === '')
        ? 0
        : 1;

  test.each<[string, string, number]>([
    ['a list', '[{"a":1},{"a":2}]', 2],
    ['an object on each line', '{"a":1}\n{"a":2}\n', 2],
    ['nothing', '[]', 0],
  ])('JSON is read as %s', async (_, text, count) => {
    expect(await collectRows(readJsonRows(inParts(text, 3), { rows: '' }))).toHaveLength(count);
  });

  test.each([
    ['cut off', '[{"a":1},{"a":', 'ends too early'],
    ['cut off in a string', '{"a":"', 'ends too early'],
    ['with brackets that do not match', '[{"a":1]}', 'after row 0: is no JSON'],
    ['with a row that is none', '[{"a":01}]', 'after row 0: is no JSON'],
    ['with text behind it', '[{"a":1}] x', 'after row 1: is no JSON'],
  ])('refuses a document %s', async (_, text, message) => {
    for (const part of [1, 100])
      await expect(collectRows(readJsonRows(inParts(text, part), { rows: '' }))).rejects.toThrow(message);
  });

  test('finds a field by its whole name before one within another', async () => {
    const [row] = await collectRows(readJsonRows(inParts('[{"a.b":"x","a":[{"b":"y"},{"b":"z"}]}]', 5), { rows: '' }));
    expect([row?.get('a.b'), row?.get('a')]).toEqual([['x'], []]);
  });
});

describe('XML', () => {
  test('takes elements, attributes and text in any chunks', async () => {
    const text =
      '<?xml version="1.0"?><a><b id="1"><c>x &amp; y</c><c><![CDATA[<z>]]></c><d><e f="g"/></d></b><b/></a>';
    for (const part of [1, 9, 1000]) {
      const [first, second] = await collectRows(readXmlRows(inParts(text, part), 'a/b'));
      expect([first?.get('@id'), first?.get('c'), first?.get('d.e@f')]).toEqual([['1'], ['x & y', '<z>'], ['g']]);
      expect(second?.all()).toEqual([]);
    }
  });

  test.each([
    ['cut off', '<a><b>', 'is no XML'],
    ['with entities of its own', '<!DOCTYPE a [<!ENTITY x "y">]><a><b>&x;</b></a>', 'is no XML'],
    ['that nests without end', `<a><b>${'<c>'.repeat(1_000_000)}`, 'nests more than 100 elements'],
    ['with values without end', `<a><b>${'<c>1</c>'.repeat(300_000)}</b></a>`, 'has more than 200000 values'],
    ['with an encoding that is unknown', '<?xml version="1.0" encoding="KLINGON"?><a/>', 'KLINGON'],
  ])('refuses a document %s', async (_, text, message) => {
    await expect(collectRows(readXmlRows(inParts(text, 100), 'a/b'))).rejects.toThrow(message);
  });
});

/** A workbook with these texts in its first sheet. */
const packWorkbook = (rows: readonly (readonly string[])[]): Uint8Array => {
  const cell = (text: string, place: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const name = 'http://schemas.openxmlformats.org/';
  const files = {
    'xl/workbook.xml': `<workbook xmlns="${name}spreadsheetml/2006/main" xmlns:r="${name}officeDocument/2006/relationships"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${name}package/2006/relationships"><Relationship Id="rId1" Type="${name}officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${name}spreadsheetml/2006/main"><sheetData>${rows.map((cells, at) => `<row r="${at + 1}">${cells.map((text, column) => cell(text, `${'AB'[column]}${at + 1}`)).join('')}</row>`).join('')}</sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])));
};

describe('a mapping', () => {
  const mapping = {
    title: 'the list of plants',
    dates: 'dmy',
    where: [{ column: 'kind', notIn: ['weed'] }],
    required: ['name', 'kind'],
    filled: ['name'],
    marks: [{ column: 'kind', contains: ['tree', 'herb'] }],
    formats: [
      { type: 'csv', delimiters: [',', ';'], quoted: true },
      { type: 'json', rows: '' },
      { type: 'xml', rows: 'plants/plant' },
      { type: 'xlsx', header: ['name'], first: 1 },
    ],
  } as const satisfies TableMapping;
  const readNames = async (content: string | Uint8Array, part = 11): Promise<string[]> => {
    const names: string[] = [];
    for await (const row of readTableBytes(inParts(content, part), mapping)) names.push(...row.get('name'));
    return names;
  };

  test.each<[string, string | Uint8Array]>([
    ['CSV', 'name,kind\nOak,tree\nNettle,Weed\nMint,herb\n'],
    ['JSON', '[{"name":"Oak","kind":"tree"},{"name":"Nettle","kind":"WEED"},{"name":"Mint","kind":"herb"}]'],
    [
      'XML',
      '<plants><plant><name>Oak</name><kind>tree</kind></plant><plant><name>Nettle</name><kind>weed</kind></plant>' +
        '<plant><name>Mint</name><kind>herb</kind></plant></plants>',
    ],
    ['XLSX', packWorkbook([['List of 2026'], ['kind', 'name'], ['tree', 'Oak'], ['weed', 'Nettle'], ['herb', 'Mint']])],
  ])('gives the same rows of %s', async (_, content) => {
    expect(await readNames(content)).toEqual(['Oak', 'Mint']);
    expect(await readNames(content, 100_000)).toEqual(['Oak', 'Mint']);
  });

  test.each([
    ['an empty file', '', 'line 1: is not the list of plants: it has no rows'],
    ['a web page', '<!doctype html>', 'line 1: is not the list of plants but a web page'],
    ['other columns', 'a,b\n1,2\n', 'line 1: is not the list of plants: it has no column name, kind (but a, b, …)'],
    ['an empty name', 'name,kind\n,tree\n', 'line 2, column name: is empty'],
    ['another kind', 'name,kind\nCat,animal\n', 'line 2, column kind: is not the list of plants: "animal" has no'],
    ['a field that no row has', '[{"name":"Oak"}]', 'row 1, column kind: is not the list of plants: "" has no'],
  ])('refuses %s, and says where', async (_, content, message) => {
    const reading = readNames(content);
    await expect(reading).rejects.toThrow(UnreadableFileError);
    await expect(reading).rejects.toThrow(message);
  });
});
