import { expect, test } from 'vitest';
import { parseConfiguredLists } from './configured.rule.ts';

const KNOWN = new Set(['asic', 'cvm']);
const parse = (value: unknown) => parseConfiguredLists(JSON.stringify(value), KNOWN);

test('a setting that is not stated of a list is the cautious choice', () => {
  expect(parse([{ name: 'asic' }])).toEqual([
    { name: 'asic', headers: {}, apply: 'nothing', timeoutSeconds: 900, termsRead: false },
  ]);
});

test.each<[unknown, string]>([
  [{ name: 'asic' }, 'the file: '],
  [[{ name: 'asci' }], 'entry 1: no list has the name "asci"'],
  [[{ name: 'asic' }, { name: 'asic' }], '"asic" is there twice'],
  [[{ name: 'asic', apply: 'all' }], 'entry 1, apply: '],
  [[{ name: 'asic' }, { name: 'cvm', url: 'ftp://lists.example/' }], 'entry 2, url: '],
  [[{ name: 'asic', aply: 'everything' }], 'entry 1: '],
])('%j is refused: %s', (value, fault) => {
  expect(() => parse(value)).toThrow(fault);
});

test('refuses what is no JSON', () => {
  expect(() => parseConfiguredLists('[', KNOWN)).toThrow('is no JSON');
});
