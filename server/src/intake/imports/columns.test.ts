import { CalendarDate, Money, Timestamp } from '@broker-transparency/contract';
import type { CellNotation, SheetCell } from '@broker-transparency/tables';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { DomainError } from '../../platform/domain-error.ts';
import { createColumnReader } from './columns.ts';
import { KINDS, type KindName } from './kinds.ts';

const Part = z.strictObject({ name: z.string(), open: z.boolean(), size: z.number().optional() }).meta({ id: 'Part' });
const Row = z.strictObject({
  slug: z.string(),
  count: z.int(),
  share: z.number().nullable(),
  open: z.boolean().default(true),
  kind: z.enum(['a', 'b']).optional(),
  tier: z.union([z.literal(1), z.literal(2)]),
  tags: z.array(z.string()),
  sizes: z.array(z.int()).nullable().default(null),
  part: Part,
  parts: z.array(Part).max(50).default([]),
  maybe: Part.nullable().optional(),
  day: CalendarDate.optional(),
  at: Timestamp.nullable().optional(),
  price: Money.optional(),
});
const toSchema = (row: z.ZodType): unknown => z.toJSONSchema(row, { io: 'input' });
const schema = toSchema(Row);
const valueReader = (header: readonly string[], rowSchema: unknown, forms: CellNotation = {}) => {
  const read = createColumnReader(header, rowSchema, forms);
  return (cells: readonly SheetCell[]) => read(cells).value;
};
const cell = (column: string, text: string) => valueReader([column], schema)([text]);

describe('a cell', () => {
  test.each([
    ['slug', 'x', { slug: 'x' }],
    ['slug', '007', { slug: '007' }],
    ['slug', 'true', { slug: 'true' }],
    ['slug', ' x ', { slug: 'x' }],
    ['slug', 'a|b', { slug: 'a|b' }],
    ['count', '12', { count: 12 }],
    ['count', '-12', { count: -12 }],
    ['share', '1.5', { share: 1.5 }],
    ['share', '-0.25', { share: -0.25 }],
    ['open', 'true', { open: true }],
    ['open', 'false', { open: false }],
    ['kind', 'a', { kind: 'a' }],
    ['tier', '2', { tier: 2 }],
    ['tags', 'a|b', { tags: ['a', 'b'] }],
    ['tags', ' a | b ', { tags: ['a', 'b'] }],
    ['tags', 'a', { tags: ['a'] }],
    ['tags', 'a||b', { tags: ['a', '', 'b'] }],
    ['sizes', '1|2', { sizes: [1, 2] }],
    ['part.name', 'x', { part: { name: 'x' } }],
    ['maybe.open', 'true', { maybe: { open: true } }],
    ['tags.1', 'b', { tags: [undefined, 'b'] }],
    ['parts.0.size', '3', { parts: [{ size: 3 }] }],
  ])('a cell of column %s reads %j as %j', (column, text, row) => {
    expect(cell(column, text)).toEqual(row);
  });

  test.each([
    ['count', '1.5'],
    ['count', '1e3'],
    ['count', '0x10'],
    ['count', '١٢'],
    ['count', '1 000'],
    ['share', '1,5'],
    ['share', '.5'],
    ['share', 'NaN'],
    ['share', 'Infinity'],
    ['open', 'yes'],
    ['open', '1'],
    ['tier', 'one'],
  ])('a cell of column %s with a wrong type stays text, so that the schema refuses it: %j', (column, text) => {
    expect(cell(column, text)).toEqual({ [column]: text });
  });

  test.each(['', '  ', '\t'])('a cell is absent if it is empty: %j', (text) => {
    for (const column of ['slug', 'count', 'tags', 'part.name', 'parts.0.name']) expect(cell(column, text)).toEqual({});
  });
});

describe('a cell that does not fit its column', () => {
  const readCell = (column: string, given: SheetCell, forms: CellNotation = {}) =>
    createColumnReader([column], schema, forms)([given]);

  test.each<[string, SheetCell, string]>([
    ['count', 'many', '"count" must be a number, not "many".'],
    ['open', 'yes', '"open" must be true or false, not "yes".'],
    ['share', '1,5', '"share" must be a number with a decimal point, not "1,5": state --decimals comma.'],
    ['day', '31/12/2025', '"day" must be a day as YYYY-MM-DD, not "31/12/2025": state the order of its parts'],
    ['at', '31/12/2025', '"at" must be a day or a time as YYYY-MM-DD, not "31/12/2025": state the order'],
    ['slug', '#REF!', '"slug" has "#REF!", the error of a formula: correct the cell.'],
    ['slug', '1.23E+11', '"slug" must be text, not "1.23E+11", which a spreadsheet shortened'],
    ['sizes', '1|x', '"sizes" must be a number, not "x".'],
    ['price.amount', '1,50', '"price.amount" must be a number with a decimal point'],
  ])('the fault of a cell of %s with %j has its value and the cure', (column, given, detail) => {
    const { faults } = readCell(column, given);
    expect(faults).toEqual([{ column, detail: expect.stringContaining(detail) }]);
  });

  test('a cell is read where its form is stated', () => {
    const header = ['share', 'day', 'at', 'open', 'price.amount'];
    const read = createColumnReader(header, schema, { dates: 'dmy', decimals: 'comma' });
    expect(read(['1,5', '31/12/2025', '31.12.2025 9:30', 'WAHR', '1.250,5'])).toEqual({
      value: {
        share: 1.5,
        day: '2025-12-31',
        at: '2025-12-31T09:30:00.000Z',
        open: true,
        price: { amount: '1250.50' },
      },
      faults: [],
    });
  });

  test('a cell of a workbook has the type that it has there', () => {
    const read = createColumnReader(['count', 'slug', 'open', 'day', 'sizes', 'tags'], schema);
    expect(read([12, 218600, true, new Date('2025-12-31'), 3, 7]).value).toEqual({
      count: 12,
      slug: '218600',
      open: true,
      day: '2025-12-31',
      sizes: [3],
      tags: ['7'],
    });
  });
});

describe('a row', () => {
  test('a row is assembled from its cells', () => {
    const read = valueReader(
      ['slug', 'part.name', 'parts.0.name', 'part.open', 'parts.1.name', 'parts.0.open'],
      schema,
    );
    expect(read(['x', 'p', 'first', 'false', 'second', 'true'])).toEqual({
      slug: 'x',
      part: { name: 'p', open: false },
      parts: [{ name: 'first', open: true }, { name: 'second' }],
    });
  });

  test('shares no objects with the next row', () => {
    const read = valueReader(['part.name', 'tags'], schema);
    const [first, second] = [read(['a', 'x|y']), read(['', ''])];
    expect(first).toEqual({ part: { name: 'a' }, tags: ['x', 'y'] });
    expect(second).toEqual({});
  });

  test('a row may lack its last cells', () => {
    expect(valueReader(['slug', 'count'], schema)(['x'])).toEqual({ slug: 'x' });
  });
});

describe('a header', () => {
  test('a header may have blanks around names', () => {
    expect(valueReader([' slug', 'count '], schema)(['x', '1'])).toEqual({ slug: 'x', count: 1 });
  });

  test('a header may end in columns without a name', () => {
    expect(valueReader(['slug', '', ' '], schema)(['x', '', ''])).toEqual({ slug: 'x' });
  });

  test.each<[string[], string | RegExp]>([
    [['slgu'], 'line 1, column 1: "slgu" is not a known column'],
    [
      ['parts'],
      'line 1, column 1: "parts" has parts, which no single cell holds: write them as "parts.0.name" and so on, or ' +
        'import NDJSON',
    ],
    [['part'], '"part" has parts, which no single cell holds: write them as "part.name" and so on, or import NDJSON'],
    [['parts.0'], '"parts.0" has parts, which no single cell holds: write them as "parts.0.name" and so on'],
    [['parts.name'], 'line 1, column 1: "parts.name" is not a known column; did you mean "parts.0.name"?'],
    [['parts.0.nam'], 'line 1, column 1: "parts.0.nam" is not a known column; did you mean "parts.0.name"?'],
    [['parts.0.colour'], /column 1: "parts\.0\.colour" is not a known column$/],
    [['part.0'], /"part\.0" is not a known column$/],
    [['slug', 'counts'], 'line 1, column 2: "counts" is not a known column; did you mean "count"?'],
    [['slug', '', 'count'], 'line 1, column 2: "" is not a known column'],
    [['Slug'], 'line 1, column 1: "Slug" is not a known column; did you mean "slug"?'],
    [['slug', 'count', 'slug'], 'line 1, column 3: "slug" is there twice'],
    [['slug', ' slug'], 'line 1, column 2: "slug" is there twice'],
    [['tags', 'tags.1'], 'line 1, column 2: "tags.1" is a part of "tags", which is a column too'],
    [['tags.0', 'slug', 'tags'], 'line 1, column 1: "tags.0" is a part of "tags", which is a column too'],
  ])('%j is refused: %s', (header, message) => {
    expect(() => createColumnReader(header, schema)).toThrow(message);
  });

  test.each([
    'part',
    'parts',
    'parts.0',
    'parts.name',
    'parts.00.name',
    'parts.01.name',
    'parts.-1.name',
    'parts.1000.name',
    'parts.0.',
    'part.0',
    'part..name',
    'slug.0',
    'slug.length',
    'tags.x',
    'tags.0.x',
    'parts.length',
    '__proto__',
    '__proto__.polluted',
    'constructor',
    'constructor.name',
    'part.__proto__.x',
    'toString',
    '.',
    '0',
  ])('a header has no column %s', (column) => {
    expect(() => createColumnReader([column], schema)).toThrow(DomainError);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('every plain field of', () => {
  const plain = (row: z.ZodObject): string[] =>
    Object.entries((toSchema(row) as { properties: Record<string, unknown> }).properties).flatMap(([name, field]) =>
      /"type":"(object|array)"|\$ref":"#\/\$defs\/(Money|Protections)/.test(JSON.stringify(field)) ? [] : [name],
    );

  test.each(Object.keys(KINDS) as KindName[])('%s can be a column', (kind) => {
    const row = KINDS[kind].schema as unknown as z.ZodObject;
    const columns = plain(row);
    expect(columns.length).toBeGreaterThan(3);
    expect(() => createColumnReader(columns, toSchema(row))).not.toThrow();
  });

  test.each<[KindName, string[]]>([
    [
      'brokers',
      ['entities.0.legalName', 'entities.1.retailClients', 'licenses.0.entity.legalName', 'licenses.2.status'],
    ],
    ['brokers', ['tradingNames', 'domains', 'checklist.9.met', 'foundedYear', 'licenses.0.permissions']],
    ['regulators', ['tier', 'protections.negativeBalance', 'protections.compensationLimit.amount', 'sources.0.url']],
    ['news', ['brokerSlugs', 'regulatorCodes', 'publishedAt', 'severity']],
  ])('%s accepts the columns %j', (kind, columns) => {
    expect(() => createColumnReader(columns, toSchema(KINDS[kind].schema as z.ZodType))).not.toThrow();
  });

  test('cells make a valid broker', () => {
    const cells = {
      slug: 'alpha-markets',
      name: 'Alpha Markets',
      legalName: 'Alpha Markets Ltd',
      tradingNames: 'Alpha|Alpha FX',
      website: 'https://alpha-markets.example',
      country: 'GB',
      foundedYear: '2009',
      'entities.0.legalName': 'Alpha Markets Ltd',
      'entities.0.country': 'GB',
      'entities.0.retailClients': 'true',
      'licenses.0.entity.legalName': 'Alpha Markets Ltd',
      'licenses.0.regulatorCode': 'fca',
      'licenses.0.referenceNumber': '007',
      'licenses.0.type': 'authorisation',
      'licenses.0.status': 'active',
      'licenses.0.sourceUrl': 'https://register.example/007',
      'checklist.0.key': 'fees',
      'checklist.0.met': 'true',
    };
    const read = valueReader(Object.keys(cells), toSchema(KINDS.brokers.schema));
    expect(KINDS.brokers.schema.parse(read(Object.values(cells)))).toMatchObject({
      tradingNames: ['Alpha', 'Alpha FX'],
      foundedYear: 2009,
      licenses: [{ referenceNumber: '007', entity: { legalName: 'Alpha Markets Ltd' } }],
      checklist: [{ key: 'fees', met: true, sourceUrl: null }],
    });
  });
});

const plainText = fc.string({ minLength: 1 }).filter((text) => text === text.trim() && !text.includes('|'));
const decimal = fc.integer({ min: -1e9, max: 1e9 }).map((hundredths) => hundredths / 100);
const part = fc.record({ name: plainText, open: fc.boolean(), size: decimal }, { requiredKeys: ['name', 'open'] });
const rows = fc.record(
  {
    slug: fc
      .string({ minLength: 1 })
      .map((text) => text.trim())
      .filter((text) => text !== ''),
    count: fc.integer(),
    share: decimal,
    open: fc.boolean(),
    tags: fc.array(plainText, { minLength: 1 }),
    sizes: fc.array(fc.integer(), { minLength: 1 }),
    part,
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: [] },
);

/** Returns a row as pairs of column and cell. */
const flat = (value: unknown, path: string): [column: string, cell: string][] => {
  if (Array.isArray(value) && typeof value[0] !== 'object') return [[path, value.join('|')]];
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, child]) => flat(child, path === '' ? key : `${path}.${key}`));
};

test('a row written to cells reads back unchanged, in any order of columns', () => {
  fc.assert(
    fc.property(rows, fc.infiniteStream(fc.nat()), (row, random) => {
      const cells = flat(row, '')
        .map((cell) => ({ cell, place: random.next().value }))
        .sort((a, b) => a.place - b.place)
        .map(({ cell }) => cell);
      const read = valueReader(
        cells.map(([column]) => column),
        schema,
      );
      expect(read(cells.map(([, cell]) => cell))).toEqual(row);
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});

test("any header is read or refused with its column's name, and no two cells share a place", () => {
  const known = ['slug', 'count', 'tags', 'tags.0', 'sizes', 'sizes.1', 'part.name', 'parts.0.name', 'parts.1.size'];
  const segment = fc.constantFrom(
    ...['part', 'parts', 'maybe', 'name', '0', '00', '__proto__', 'constructor', 'length', ''],
  );
  const column = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...known) },
    {
      weight: 1,
      arbitrary: fc
        .array(segment, { maxLength: 3 })
        .map((parts) => parts.join('.'))
        .filter((name) => name !== ''), // at the end it is left out
    },
  );
  const findValue = (row: object, name: string): unknown =>
    name.split('.').reduce((here: unknown, key) => (here as Record<string, unknown>)[key], row);
  const readCells = (cells: readonly [column: string, cell: string][]): object => {
    try {
      return valueReader(
        cells.map(([name]) => name),
        schema,
      )(cells.map(([, text]) => text));
    } catch (error) {
      return error as Error;
    }
  };
  fc.assert(
    fc.property(fc.array(fc.tuple(column, fc.constantFrom('x', '1', 'a|b')), { maxLength: 5 }), (cells) => {
      const row = readCells(cells);
      if (row instanceof Error) {
        expect(row).toBeInstanceOf(DomainError);
        expect(row.message).toMatch(/^line 1, column \d: "/);
        return;
      }
      expect(readCells(cells.toReversed())).toEqual(row);
      for (const [name, text] of cells)
        expect(findValue(row, name)).toEqual(findValue(readCells([[name, text]]), name));
    }),
    { seed: 20_261_121, numRuns: 500 },
  );
});

test('a part that is an object or null has a column of its own for null, beside those of its parts', () => {
  const names = ['code', 'protections.compensationLimit', 'protections.compensationLimit.amount'];
  const read = createColumnReader(names, z.toJSONSchema(KINDS.regulators.schema, { io: 'input' }));
  expect(read(['a', 'null', ''])).toMatchObject({
    value: { code: 'a', protections: { compensationLimit: null } },
    faults: [],
  });
  expect(read(['a', '', '85000'])).toMatchObject({
    value: { protections: { compensationLimit: { amount: '85000.00' } } },
  });
});
