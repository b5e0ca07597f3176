import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createColumnReader } from './columns.ts';
import { describeColumns, formatColumns } from './describe.ts';
import { KINDS, type KindName } from './kinds.ts';

const names = Object.keys(KINDS) as KindName[];
const findSchema = (name: KindName) => KINDS[name].schema as unknown as z.ZodObject;
const listColumns = (name: KindName) => describeColumns({ schema: findSchema(name), keyColumn: KINDS[name].keyColumn });

describe.each(names)('%s', (name) => {
  test('a kind has columns that a header may have, all of them', () => {
    const columns = listColumns(name).map((column) => column.name);
    expect(() => createColumnReader(columns, z.toJSONSchema(findSchema(name), { io: 'input' }))).not.toThrow();
    const fields = new Set(columns.map((column) => column.split('.')[0]));
    expect([...fields].sort()).toEqual(Object.keys(findSchema(name).shape).sort());
    expect(listColumns(name).find((column) => column.name === KINDS[name].keyColumn)?.required).toBe('always');
  });

  test('a kind has an example that fits its schema', () => {
    const { example } = KINDS[name];
    const read = createColumnReader(Object.keys(example), z.toJSONSchema(findSchema(name), { io: 'input' }));
    const { value, faults } = read(Object.values(example));
    expect(faults).toEqual([]);
    expect(findSchema(name).safeParse(value).error?.issues).toBeUndefined();
  });
});

test('the help has the type, what is required, and the allowed values', () => {
  const help = formatColumns(listColumns('reviews')).split('\n');
  const line = (name: string) => help.find((each) => each.trim().startsWith(`${name} `))?.replace(/ +/g, ' ');
  expect(line('reference')).toBe(' reference text; required');
  expect(line('rating')).toBe(' rating number; required if new');
  expect(line('status')).toBe(' status text; required if new; one of pending, published, rejected, withdrawn, removed');
  expect(line('verification.verifiedAt')).toBe(
    ' verification.verifiedAt time in UTC (2026-11-02T09:30:00Z); required with its part',
  );
  expect(line('author.country')).toBe(' author.country text');
  const brokers = formatColumns(listColumns('brokers'));
  expect(brokers).toMatch(/licenses\.0\.activeSince +day \(2026-11-02, or --dates\)/);
  expect(brokers).toMatch(/tradingNames +list of text, as a\|b/);
  expect(formatColumns(listColumns('regulators'))).toMatch(/tier +\w[\w ]*; required if new; one of 1, 2, 3, 4/);
});
