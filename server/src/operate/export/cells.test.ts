import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createColumnReader } from '../../intake/imports/columns.ts';
import { sortColumns, toCells } from './cells.ts';

const Entry = z.strictObject({
  entity: z.strictObject({ name: z.string() }),
  permissions: z.array(z.string()).default([]),
  issued: z.string().nullable(),
  isOpen: z.boolean(),
});
const Row = z.strictObject({
  slug: z.string(),
  names: z.array(z.string()),
  year: z.int().nullable(),
  entries: z.array(Entry),
});
const schema = z.toJSONSchema(Row, { io: 'input' });
const fields = Object.keys(Row.shape);

/** Text that a cell holds as it is. */
const text = fc
  .stringMatching(/^[a-zA-Z0-9;,"'=\n äß-]{0,11}[a-zA-Z]$/)
  .filter((one) => one.trim() === one && one !== 'null');
const rows = fc.record({
  slug: text,
  names: fc.array(text, { minLength: 1, maxLength: 4 }),
  year: fc.integer({ min: 1800, max: 2100 }),
  entries: fc.array(
    fc.record({
      entity: fc.record({ name: text }),
      permissions: fc.array(text, { minLength: 1, maxLength: 2 }),
      issued: fc.option(text),
      isOpen: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

test('cells are read back as they were written', () => {
  fc.assert(
    fc.property(fc.array(rows, { minLength: 1, maxLength: 4 }), (records) => {
      const all = records.map(toCells);
      const columns = sortColumns(new Set(all.flatMap((cells) => [...cells.keys()])), fields);
      const read = createColumnReader(columns, schema);
      expect(all.map((cells) => read(columns.map((column) => cells.get(column) ?? '')))).toEqual(
        records.map((value) => ({ value, faults: [] })),
      );
    }),
    { seed: 20_261_123, numRuns: 300 },
  );
});

test('columns are in the order of the schema, entries of lists one after another', () => {
  const paths = ['entries.1.isOpen', 'slug', 'entries.0.isOpen', 'entries.1.issued', 'names', 'entries.0.issued'];
  expect(sortColumns(paths, fields)).toEqual([
    'slug',
    'names',
    'entries.0.isOpen',
    'entries.0.issued',
    'entries.1.isOpen',
    'entries.1.issued',
  ]);
});

test('an empty list and a null at the top have no cell, since they would say something else', () => {
  expect([...toCells({ slug: 'a', names: [], year: null, entries: [] }).keys()]).toEqual(['slug']);
});

test.each([
  ['a sign between values', { names: ['a|b'] }],
  ['the word null', { slug: 'null' }],
  ['a blank at its end', { slug: 'a ' }],
  ['an empty value in a list', { names: ['a', ''] }],
])('refuses %s, which a cell cannot hold', (_, row) => {
  expect(() => toCells(row)).toThrow(/which CSV cannot hold: --format ndjson/);
});
