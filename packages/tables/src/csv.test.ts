import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CsvOptions, type CsvRow, readCsv } from './csv.ts';

const readRows = async (bytes: Buffer, parts: readonly number[] = [], options: CsvOptions = {}): Promise<CsvRow[]> => {
  const chunks = async function* () {
    let at = 0;
    for (const part of parts) {
      yield bytes.subarray(at, at + part);
      at += part;
    }
    yield bytes.subarray(at);
  };
  const rows: CsvRow[] = [];
  for await (const row of readCsv(chunks(), options)) rows.push(row);
  return rows;
};

test('rows written as CSV read back with their line numbers, in chunks of any size', async () => {
  const cell = fc
    .array(fc.constantFrom('a', 'ä', '😀', ' ', ',', '"', '""', '\n', '\r\n', ';'), { maxLength: 4 })
    .map((parts) => parts.join(''));
  const row = fc.record({ cells: fc.array(cell, { minLength: 2, maxLength: 2 }), blankLines: fc.nat(2) });
  const parts = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 });
  const quoted = (text: string): string => (/[",\n\r]|^ | $/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  await fc.assert(
    fc.asyncProperty(
      fc.array(row),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      parts,
      async (rows, end, bom, sizes) => {
        let text = `a,b${end}`;
        const expected: CsvRow[] = [{ line: 1, cells: ['a', 'b'] }];
        for (const { cells, blankLines } of rows) {
          text += `${end.repeat(blankLines)}${cells.map(quoted).join(',')}`;
          expected.push({ line: text.split('\n').length, cells });
          text += end;
        }
        expect(await readRows(Buffer.from(`${bom ? '\uFEFF' : ''}${text}`), sizes)).toEqual(expected);
      },
    ),
    { seed: 20_261_121, numRuns: 200 },
  );
});

const row = (line: number, ...cells: string[]): CsvRow => ({ line, cells });

describe('cells are separated', () => {
  test.each<[string, string, string[]]>([
    ['by commas', 'a,b\n', ['a', 'b']],
    ['by semicolons', 'a;b\n', ['a', 'b']],
    ['by tabs', 'a\tb\n', ['a', 'b']],
    ['by what the first line has most often', 'a;b,c;d\n', ['a', 'b,c', 'd']],
    ['by what it has outside quotes', '"a,b,c";d\n', ['a,b,c', 'd']],
    ['after empty lines and a mark', '\uFEFF\r\n\r\na;b\r\n', ['a', 'b']],
    ['in a first line without an end', 'a;b', ['a', 'b']],
  ])('%s', async (_, text, cells) => {
    expect((await readRows(Buffer.from(text)))[0]?.cells).toEqual(cells);
    expect((await readRows(Buffer.from(text), [1, 1, 1, 1]))[0]?.cells).toEqual(cells);
  });

  test('a first line for Excel says how cells are separated, and is no row', async () => {
    expect(await readRows(Buffer.from('sep=;\r\na,x;b\r\n1;2\r\n'))).toEqual([row(2, 'a,x', 'b'), row(3, '1', '2')]);
    expect(await readRows(Buffer.from('"sep=|"\na|b\n1|2\n'))).toEqual([row(2, 'a', 'b'), row(3, '1', '2')]);
  });

  test('cells are separated only by what the caller allows', async () => {
    expect(await readRows(Buffer.from('a,b;c\n'), [], { delimiters: [';'] })).toEqual([row(1, 'a,b', 'c')]);
  });
});

test('a file that mixes UTF-8 and Windows-1252 is decoded cell by cell', async () => {
  const bytes = Buffer.concat([Buffer.from('\uFEFFa;Zürich\n'), Buffer.from('b;Z\xfcrich\n', 'latin1')]);
  expect(await readRows(bytes, [], { encoding: 'mixed' })).toEqual([row(1, 'a', 'Zürich'), row(2, 'b', 'Zürich')]);
});

test('quotes are letters where the caller says so', async () => {
  const text = Buffer.from('a;"b" c\n');
  expect(await readRows(text, [], { quotes: false })).toEqual([row(1, 'a', '"b" c')]);
  expect(await readRows(Buffer.from('a;b"c\n'), [], { quotes: 'loosely' })).toEqual([row(1, 'a', 'b"c')]);
  await expect(readRows(Buffer.from('a;b"c\n'))).rejects.toThrow('Invalid Opening Quote');
});
