import { readFileSync } from 'node:fs';
import { ENTRY_KINDS } from '@broker-transparency/contract/record';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { formatCsvCell, formatTableHead, formatTableLine, listColumns } from './table.rule.ts';

describe('a cell', () => {
  test.each([
    ['text', 'Alpha Markets', 'Alpha Markets'],
    ['nothing', null, ''],
    ['what is absent', undefined, ''],
    ['a number', 81.9, '81.9'],
    ['a negative number, which is no formula', -5, '-5'],
    ['a truth', false, 'false'],
    ['a comma', 'a,b', '"a,b"'],
    ['a quotation mark', 'a"b', '"a""b"'],
    ['a line feed', 'a\nb', '"a\nb"'],
    ['a list', ['a', 'b'], 'a; b'],
    ['an empty list', [], ''],
    ['a formula', '=1+1', "'=1+1"],
    ['a formula with a comma', '=A(1,2)', '"\'=A(1,2)"'],
    ['plus', '+1', "'+1"],
    ['minus', '-1', "'-1"],
    ['at', '@A1', "'@A1"],
    ['a tab', '\t=1', "'\t=1"],
    ['a carriage return', '\r=1', '"\'\r=1"'],
    ['a wide equals sign', '＝1', "'＝1"],
    ['a list that begins like a formula', ['=1', 'b'], "'=1; b"],
    ['a sign in the middle', 'a=b', 'a=b'],
  ])('%s', (_, cell, expected) => {
    expect(formatCsvCell(cell)).toBe(expected);
  });
});

const page = readFileSync(new URL('../../../../docs/enterprise/snapshots.md', import.meta.url), 'utf8');
const entry = { key: 'k', number: 7, time: '2026-01-01T00:00:00.000Z', cause: 'fact' };

describe.each(ENTRY_KINDS)('a table of the kind %s', (kind) => {
  test('each line has a cell for each column, even for an empty value, and the page names the columns', () => {
    const text = formatTableHead(kind) + formatTableLine(kind, { ...entry, value: {} });
    const [head, line] = parse(text) as string[][];
    expect(head).toEqual(listColumns(kind));
    expect(new Set(head).size).toBe(head?.length);
    const own = listColumns(kind)
      .slice(6)
      .map((name) => `\`${name}\``);
    expect(page).toContain(`| \`${kind}\` | ${own.join(', ')} |`);
    expect(line?.slice(0, 6)).toEqual(['k', '7', '2026-01-01T00:00:00.000Z', 'fact', '', '']);
  });
});

test('a licence shows what its holders have', () => {
  const holders = [
    { legalName: 'Alpha, Ltd', type: 'authorisation', status: 'active' },
    { legalName: '=Beta', type: 'passport', status: 'withdrawn', lei: 'X' },
  ];
  const value = { broker: 'alpha', regulator: 'fca', number: '12', holders };
  const [row] = parse(formatTableHead('license') + formatTableLine('license', { ...entry, value }), {
    columns: true,
  }) as object[];
  expect(row).toMatchObject({
    broker: 'alpha',
    licenseNumber: '12',
    number: '7',
    holders: 'Alpha, Ltd; =Beta',
    types: 'authorisation; passport',
    leis: '; X',
  });
});
