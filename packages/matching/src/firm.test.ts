import { expect, test } from 'vitest';
import { namesIn, readFirm } from './firm.ts';

test.each([
  ['Alpha Ltd', [['Alpha Ltd', 'legal']]],
  [
    'Alpha Ltd t/a AlphaFX',
    [
      ['Alpha Ltd', 'legal'],
      ['AlphaFX', 'trading'],
    ],
  ],
  [
    'Alpha Ltd (trading as: AlphaFX)',
    [
      ['Alpha Ltd', 'legal'],
      ['AlphaFX', 'trading'],
    ],
  ],
  [
    'Alpha Ltd (formerly known as Beta Ltd)',
    [
      ['Alpha Ltd', 'legal'],
      ['Beta Ltd', 'former'],
    ],
  ],
  [
    'Alpha Ltd d/b/a AlphaFX / Alpha Pro',
    [
      ['Alpha Ltd', 'legal'],
      ['AlphaFX', 'trading'],
      ['Alpha Pro', 'trading'],
    ],
  ],
  ['Alpha A/S', [['Alpha A/S', 'legal']]],
  [
    'Alpha / Beta',
    [
      ['Alpha', 'legal'],
      ['Beta', 'legal'],
    ],
  ],
  ['Trading As Usual Ltd', [['Trading As Usual Ltd', 'legal']]],
])('the names in %j are %j', (text, names) => {
  expect(namesIn(text, 'legal').map(({ text: one, kind }) => [one, kind])).toEqual(names);
});

test('leaves out what says nothing', () => {
  const read = readFirm({
    names: [
      { text: 'Alpha Ltd', kind: 'legal' },
      { text: 'ALPHA LTD', kind: 'legal' },
      { text: '--', kind: 'trading' },
    ],
    leis: ['529900T8BM49AURSDO55', '529900T8BM49AURSDO56', 'n/a'],
    domains: ['https://www.alpha.example/', 'alpha.example', 'https://t.me/alpha', 'none', 'alpha@gmail.com'],
    numbers: [
      { register: 'fca', number: 'FRN 123456' },
      { register: 'fca', number: '123 456' },
      { register: 'fca', number: '-' },
    ],
    countries: ['gb', 'GB'],
  });
  expect(read.names.map(({ parts }) => parts.text)).toEqual(['Alpha Ltd']);
  expect(read.leis).toEqual(['529900T8BM49AURSDO55']);
  expect(read.domains.map(({ host }) => host)).toEqual(['alpha.example']);
  expect(read.numbers).toEqual([{ register: 'fca', number: '123456' }]);
  expect(read.countries).toEqual(['GB']);
});
