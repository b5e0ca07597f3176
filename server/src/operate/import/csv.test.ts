import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CsvRow, readCsvRows } from './csv.ts';

const rowsOf = async (bytes: Buffer, parts: readonly number[]): Promise<CsvRow[]> => {
  const chunks = async function* () {
    let at = 0;
    for (const part of parts) {
      yield bytes.subarray(at, at + part);
      at += part;
    }
    yield bytes.subarray(at);
  };
  const rows: CsvRow[] = [];
  for await (const row of readCsvRows(chunks(), { bom: true, encoding: 'utf8' })) rows.push(row);
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
        expect(await rowsOf(Buffer.from(`${bom ? '\uFEFF' : ''}${text}`), sizes)).toEqual(expected);
      },
    ),
    { seed: 20_261_121, numRuns: 200 },
  );
});
