import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { DomainError } from '../../platform/domain-error.ts';
import { toUnreadableError } from '../unreadable.ts';
import { type FileRow, FORMATS, findFormat, type ImportFormat, readRows } from './rows.ts';

const schema = z.toJSONSchema(z.strictObject({ a: z.string(), b: z.number().optional() }), { io: 'input' });
const BOM = '\uFEFF';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rows-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Reads a file with this content. Returns its rows and the number of bytes that were reported. */
const read = async (format: ImportFormat, content: string | Buffer) => {
  const file = join(folder, `file.${format}`);
  await writeFile(file, content);
  const rows: FileRow[] = [];
  let bytes = 0;
  const options = {
    schema,
    onChunk: (chunk: Buffer) => {
      bytes += chunk.length;
    },
  };
  for await (const row of readRows(file, format, options)) rows.push(row);
  return { rows, bytes };
};
/** Returns a row without its source, and without faults if there are none, for comparison. */
const withoutSource = ({ source: _, ...row }: FileRow) => {
  if (row.error !== undefined || row.faults?.length) return row;
  const { faults: __, ...rest } = row;
  return rest;
};
const listRows = async (format: ImportFormat, content: string | Buffer) =>
  (await read(format, content)).rows.map(withoutSource);
const row = (line: number, a: string, b?: number) => ({ line, value: b === undefined ? { a } : { a, b } });

test('a row keeps what the file has of it, also if it cannot be read', async () => {
  const { rows } = await read('ndjson', '{"a":"x"}\n{oops\n');
  expect(rows.map(({ source }) => source)).toEqual(['{"a":"x"}', '{oops']);
  const csv = await read('csv', 'a,b\nx,\n');
  expect(csv.rows.map(({ source }) => source)).toEqual([{ header: ['a', 'b'], cells: ['x', ''] }]);
});

test('columns and names that begin with # are notes, which are left out', async () => {
  expect(await listRows('csv', '#line,a,#reasons\n3,x,why\n')).toEqual([row(2, 'x')]);
  expect(await listRows('ndjson', '{"#line":3,"a":"x","#reasons":"why"}\n')).toEqual([row(1, 'x')]);
});

test('a cell "null" takes a field back; an empty one says nothing', async () => {
  expect(await listRows('csv', 'a,b\nx,null\nx,\n')).toEqual([
    { line: 2, value: { a: 'x', b: null } },
    { line: 3, value: { a: 'x' } },
  ]);
});

describe('the format', () => {
  test.each([
    ['a.ndjson', 'ndjson'],
    ['a.jsonl', 'jsonl'],
    ['a.csv', 'csv'],
    ['A.CSV', 'csv'],
    ['a.b.csv', 'csv'],
    ['a.tsv', 'csv'],
    ['a.XLSX', 'xlsx'],
    ['/x.csv/a.jsonl', 'jsonl'],
    ['a.json', undefined],
    ['csv', undefined],
    ['a.csv.gz', undefined],
    ['', undefined],
  ])('the format of %j is %s', (file, format) => {
    expect(findFormat(file)).toBe(format);
  });

  test('the format is one of four', () => {
    expect(FORMATS).toEqual(['ndjson', 'jsonl', 'csv', 'xlsx']);
  });
});

describe.each(FORMATS.filter((format) => format !== 'xlsx'))('%s', (format) => {
  test('an empty file has no rows', async () => {
    expect(await read(format, '')).toEqual({ rows: [], bytes: 0 });
  });

  test('throws the error of the file system if the file is missing', async () => {
    const rows = readRows(join(folder, 'missing'), format, { schema, onChunk: () => {} });
    await expect(rows.next()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('reports every byte that it reads', async () => {
    const lines = format === 'csv' ? ['a', ...Array(20_000).fill('äöü')] : Array(20_000).fill('{"a":"äöü"}');
    const content = `${lines.join('\n')}\n`;
    expect((await read(format, content)).bytes).toBe(Buffer.byteLength(content));
  });

  test('reading can be abandoned before the end', async () => {
    const file = join(folder, `left.${format}`);
    await writeFile(file, format === 'csv' ? `a\n${'x\n'.repeat(100_000)}` : '{"a":"x"}\n'.repeat(100_000));
    for await (const found of readRows(file, format, { schema, onChunk: () => {} })) {
      expect(found).toMatchObject({ value: { a: 'x' } });
      break;
    }
  });
});

describe('NDJSON', () => {
  test.each([
    ['one line', '{"a":"x"}\n', [row(1, 'x')]],
    ['no line feed at the end', '{"a":"x"}\n{"a":"y"}', [row(1, 'x'), row(2, 'y')]],
    ['CRLF', '{"a":"x"}\r\n{"a":"y"}\r\n', [row(1, 'x'), row(2, 'y')]],
    ['blank lines', '\n{"a":"x"}\n\n  \t\r\n{"a":"y"}\n\n', [row(2, 'x'), row(5, 'y')]],
    ['a BOM', `${BOM}{"a":"x"}\n`, [row(1, 'x')]],
    ['a BOM alone', BOM, []],
    ['a line feed inside a string, escaped', '{"a":"x\\ny"}\n', [row(1, 'x\ny')]],
    ['other line separators inside a string', '{"a":"x\u2028y\u0085"}\n', [row(1, 'x\u2028y\u0085')]],
    ['letters of several bytes', '{"a":"Zürich 😀"}\n', [row(1, 'Zürich 😀')]],
  ])('reads %s', async (_, content, rows) => {
    expect(await listRows('ndjson', content)).toEqual(rows);
    expect(await listRows('jsonl', content)).toEqual(rows);
  });

  test.each([
    ['null', null],
    ['[1]', [1]],
    ['"x"', 'x'],
    ['5', 5],
  ])('leaves %s to the schema', async (text, value) => {
    expect(await listRows('ndjson', `${text}\n`)).toEqual([{ line: 1, value }]);
  });

  test('reports a line that is not JSON, and reads on', async () => {
    const rows = await listRows('ndjson', '{"a":"x"}\n{"a":}\nabc\n{"a":"y"\n{"a":"z"}\n');
    expect(rows).toEqual([
      row(1, 'x'),
      { line: 2, error: expect.stringMatching(/^is not JSON( from column \d+ on)?$/) },
      { line: 3, error: expect.stringMatching(/^is not JSON( from column \d+ on)?$/) },
      { line: 4, error: expect.stringMatching(/^is not JSON( from column \d+ on)?$/) },
      row(5, 'z'),
    ]);
  });

  test('names the column where a line stops being JSON, without repeating its text', async () => {
    const secret = 'secret '.repeat(20);
    const [found] = await listRows('ndjson', `{"a":"${secret}" "b":1}\n`);
    expect(found).toEqual({ line: 1, error: `is not JSON from column ${secret.length + 9} on` });
  });

  test('reports a line that is not UTF-8, and reads on', async () => {
    const content = Buffer.concat([Buffer.from('{"a":"Z\xfcrich"}\n', 'latin1'), Buffer.from('{"a":"Zürich"}\n')]);
    expect(await listRows('ndjson', content)).toEqual([
      { line: 1, error: 'is not UTF-8: save the file as UTF-8' },
      row(2, 'Zürich'),
    ]);
  });

  test('refuses each line of UTF-16', async () => {
    const rows = await listRows('ndjson', Buffer.from(`${BOM}{"a":"x"}\n`, 'utf16le'));
    expect(rows.length).toBeGreaterThan(0);
    for (const found of rows) expect(found.error).toBeDefined();
  });

  test('refuses a BOM after the first line', async () => {
    expect((await listRows('ndjson', `{"a":"x"}\n${BOM}{"a":"y"}\n`))[1]).toEqual({ line: 2, error: 'is not JSON' });
  });

  test('reads long lines that span several chunks', async () => {
    const lengths = [65_520, 65_536, 131_072, 900_000, 1, 70_000];
    const content = lengths.map((length) => `{"a":"${'é'.repeat(length / 2)}"}\n`).join('');
    const rows = await listRows('ndjson', content);
    expect(rows).toEqual(lengths.map((length, index) => row(index + 1, 'é'.repeat(length / 2))));
  });

  test.each(['', '\n{"a":"y"}\n'])('refuses a line that is too long before it has read all of it', async (rest) => {
    const content = `{"a":"x"}\n{"a":"${'x'.repeat(5_000_000)}"}${rest}`;
    await expect(listRows('ndjson', content)).rejects.toThrow(
      toUnreadableError('line 2 is longer than 1 MB: is it NDJSON, one object per line?'),
    );
  });
});

describe('CSV', () => {
  test.each([
    ['a header alone', 'a,b\n', []],
    ['one row', 'a,b\nx,1\n', [row(2, 'x', 1)]],
    ['no line feed at the end', 'a,b\nx,1', [row(2, 'x', 1)]],
    ['CRLF', 'a,b\r\nx,1\r\ny,2\r\n', [row(2, 'x', 1), row(3, 'y', 2)]],
    ['CR', 'a,b\rx,1\ry,2\r', [row(2, 'x', 1), row(3, 'y', 2)]],
    ['blank lines', '\na,b\n\nx,1\n\n\ny,2\n\n', [row(4, 'x', 1), row(7, 'y', 2)]],
    ['blank lines and CRLF', 'a,b\r\n\r\nx,1\r\n\r\ny,2\r\n', [row(3, 'x', 1), row(5, 'y', 2)]],
    ['a BOM', `${BOM}a,b\nx,1\n`, [row(2, 'x', 1)]],
    ['a BOM and quotes', `${BOM}"a","b"\n"x","1"\n`, [row(2, 'x', 1)]],
    ['quoted commas and quotes', 'a,b\n"x, ""y""",1\n', [row(2, 'x, "y"', 1)]],
    ['empty cells', 'a,b\nx,\n', [row(2, 'x')]],
    [
      'rows without a value, which spreadsheets leave behind',
      'a,b\nx,1\n,\n , \ny,2\n,\n',
      [row(2, 'x', 1), row(5, 'y', 2)],
    ],
    ['what Excel reads as its delimiter', 'sep=;\na;b\nx;1\n', [row(3, 'x', 1)]],
    ['Windows-1252', Buffer.from('a,b\nZ\xfcrich,1\n', 'latin1'), [row(2, 'Zürich', 1)]],
    ['columns in another order', 'b,a\n1,x\n', [row(2, 'x', 1)]],
    ['letters of several bytes', 'a\nZürich 😀\n', [row(2, 'Zürich 😀')]],
    ['semicolons', 'a;b\nx, y;1\n', [row(2, 'x, y', 1)]],
    ['semicolons, a BOM, CRLF and quotes', `${BOM}"a";"b"\r\n"x;y";1\r\n`, [row(2, 'x;y', 1)]],
    ['semicolons after blank lines', '\n\na;b\nx;1\n', [row(4, 'x', 1)]],
    ['semicolons in UTF-16', Buffer.from(`${BOM}a;b\nZürich;1\n`, 'utf16le'), [row(2, 'Zürich', 1)]],
    ['tabs', 'a\tb\nx, y\t1\n', [row(2, 'x, y', 1)]],
    ['semicolons in cells between commas', 'a,b\nx;y,1\n', [row(2, 'x;y', 1)]],
    ['trailing empty columns', 'a,b,,\nx,1,,\n', [row(2, 'x', 1)]],
    ['UTF-16 with a BOM', Buffer.from(`${BOM}a,b\nZürich,1\n`, 'utf16le'), [row(2, 'Zürich', 1)]],
  ])('reads %s', async (_, content, rows) => {
    expect(await listRows('csv', content)).toEqual(rows);
  });

  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('CSV with %s inside quotes numbers a row by its last line', async (_, end) => {
    const content = ['a,b', '"x', 'y', 'z",1', 'w,2', '"u', 'v",3', 't,4', ''].join(end);
    expect(await listRows('csv', content)).toEqual([
      row(4, ['x', 'y', 'z'].join(end), 1),
      row(5, 'w', 2),
      row(7, ['u', 'v'].join(end), 3),
      row(8, 't', 4),
    ]);
  });

  test('reports a row that has a value in a column without a name, and reads on', async () => {
    expect(await listRows('csv', 'a,b,\nx,1,note\ny,2,\n')).toEqual([
      { line: 2, error: 'has a value in column 3, which has no name' },
      row(3, 'y', 2),
    ]);
  });

  test('reports a row that is not UTF-8, and reads on', async () => {
    const content = Buffer.concat([Buffer.from('a,b\nZ\xfcrich,1\n', 'latin1'), Buffer.from('Zürich,2\n')]);
    expect(await listRows('csv', content)).toEqual([
      {
        line: 2,
        error:
          'is not UTF-8, or has the replacement character U+FFFD: save the file as "CSV UTF-8", or state its --encoding',
      },
      row(3, 'Zürich', 2),
    ]);
  });

  test.each([
    ['an unknown column', 'a,c\nx,1\n', 'line 1, column 2: "c" is not a known column'],
    ['a column twice', 'a,a\nx,y\n', 'line 1, column 2: "a" is there twice'],
    ['semicolons with a comma in the header', 'a;b,\nx;1\n', 'line 1, column 1: "a;b" is not a known column'],
    [
      'a header in an unknown encoding',
      Buffer.from('\x81,b\n', 'latin1'),
      'is neither UTF-8 nor Windows-1252: save it as "CSV UTF-8", or state its encoding',
    ],
    [
      'a cell too many',
      'a,b\nx,1\ny,2,3\n',
      'after line 2, where the last whole row ends: Invalid Record Length: expect 2, got 3: a cell with "," needs quotes',
    ],
    [
      'a cell with a semicolon between semicolons',
      'a;b\nx;y;1\n',
      'after line 1, where the last whole row ends: Invalid Record Length: expect 2, got 3: a cell with ";" needs quotes',
    ],
    [
      'a cell too few',
      'a,b\nx,1\n\ny\n',
      'after line 2, where the last whole row ends: Invalid Record Length: expect 2, got 1',
    ],
    [
      'a blank line that has blanks',
      'a,b\n  \n',
      'after line 1, where the last whole row ends: Invalid Record Length: expect 2, got 1',
    ],
    ['a quote inside a cell', 'a,b\nx"y,1\n', 'after line 1, where the last whole row ends: Invalid Opening Quote'],
    ['text after a quoted cell', 'a,b\n"x"y,1\n', 'after line 1, where the last whole row ends: Invalid Closing Quote'],
    ['an unclosed quote', 'a,b\nx,1\n"y,2\nz,3\n', 'Quote Not Closed'],
    [
      'a huge cell',
      `a,b\nx,1\n${'y'.repeat(1_100_000)},2\n`,
      'after line 2, where the last whole row ends: Max Record Size',
    ],
    ['a huge quoted cell', `a,b\nx,1\n"${'y\n'.repeat(2_000_000)}",2\n`, 'Max Record Size'],
    [
      'many cells that are huge together',
      `a,b\nx,1\n${'y'.repeat(600_000)},${'1'.repeat(600_000)}\n`,
      'after line 2, where the last whole row ends: Max Record Size',
    ],
  ])('refuses %s', async (_, content, message) => {
    const reading = listRows('csv', content);
    await expect(reading).rejects.toThrow(DomainError);
    await expect(reading).rejects.toThrow(message);
  });

  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('CSV with %s says where the last complete row ends, far from where reading stopped', async (_, end) => {
    const rows = ['a,b', ...Array(100).fill('x,1'), '"u', 'v",2', '"y,3', ...Array(50).fill('z,4'), ''];
    await expect(listRows('csv', rows.join(end))).rejects.toThrow(
      'after line 103, where the last whole row ends: Quote Not Closed: the parsing is finished with an opening quote',
    );
  });

  test('reads large cells', async () => {
    const large = 'é'.repeat(400_000);
    expect(await listRows('csv', `a,b\n${large},1\n"${large}",2\n`)).toEqual([row(2, large, 1), row(3, large, 2)]);
  });
});
