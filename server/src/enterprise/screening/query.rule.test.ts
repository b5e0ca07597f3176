import { describe, expect, test } from 'vitest';
import { readQuery } from './query.rule.ts';

const LEI = '529900T8BM49AURSDO55';

describe('a query from a list of customers', () => {
  test.each([
    ['an LEI in lower case with blanks around it', { lei: ` ${LEI.toLowerCase()} ` }, { lei: LEI }],
    ['an LEI in groups', { lei: '5299 00T8 BM49 AURS DO55' }, { lei: LEI }],
    ['blank fields and nulls beside a name', { name: ' Alpha ', lei: ' ', domain: null }, { name: 'Alpha' }],
    ['a regulator in capitals', { licenseNumber: '12', regulator: 'FCA' }, { licenseNumber: '12', regulator: 'fca' }],
  ])('a query is searched with %s', (_, query, asked) => {
    expect(readQuery(query)).toEqual(asked);
  });

  test.each([
    ['a malformed LEI', { lei: 'ABC' }, ['lei']],
    ['a name of one letter', { name: 'A' }, ['name']],
    ['two faults', { lei: 'ABC', domain: 'x', name: 'Alpha' }, ['lei', 'domain']],
    ['nothing to look for', { regulator: 'fca', name: ' ' }, ['query']],
    ['a sign that no text has', { name: 'Alpha\0' }, ['name']],
  ])('a query with %s names each fault', (_, query, fields) => {
    const read = readQuery(query);
    expect(Array.isArray(read) && read.map(({ field }) => field)).toEqual(fields);
    expect(Array.isArray(read) && read.every(({ message }) => message.startsWith('must'))).toBe(true);
  });
});
