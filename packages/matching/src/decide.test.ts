import { describe, expect, test } from 'vitest';
import { decide } from './decide.ts';
import { indexFirms } from './find.ts';
import { type Firm, readFirm } from './firm.ts';
import { completeLei } from './identifiers.ts';

const LEI = completeLei('984500ALPHA0000000');
const OTHER_LEI = completeLei('984500BETA00000000');
const legal = (text: string): Firm['names'] => [{ text, kind: 'legal' }];
const alpha = (over: Partial<Firm> = {}): Firm => ({
  names: [...legal('Alpha Markets Ltd'), { text: 'AlphaFX', kind: 'trading' }],
  leis: [LEI],
  domains: ['alpha-markets.example'],
  numbers: [{ register: 'fca', number: '123456' }],
  countries: ['GB'],
  ...over,
});
const number = (text: string, register = 'fca') => ({ numbers: [{ register, number: text }] });

describe('what is told of Alpha Markets Ltd', () => {
  test.each<[string, Firm, string, string[]]>([
    ['name and country', { names: legal('ALPHA MARKETS LIMITED'), countries: ['GB'] }, 'same', []],
    ['name alone', { names: legal('Alpha Markets Ltd') }, 'maybe', ['country_unconfirmed']],
    [
      'name and another country',
      { names: legal('Alpha Markets Ltd'), countries: ['CY'] },
      'maybe',
      ['country_unconfirmed'],
    ],
    ['name without its form, and country', { names: legal('Alpha Markets'), countries: ['GB'] }, 'same', []],
    ['name with another form', { names: legal('Alpha Markets LLP'), countries: ['GB'] }, 'maybe', []],
    ['name and number', { names: legal('Alpha Markets Ltd'), ...number('FRN 123456') }, 'same', []],
    ['name and LEI', { names: legal('Alpha Markets Ltd'), leis: [LEI] }, 'same', []],
    [
      'another LEI',
      { names: legal('Alpha Markets Ltd'), leis: [OTHER_LEI], countries: ['GB'] },
      'different',
      ['other_lei'],
    ],
    ['its LEI and another name', { names: legal('Omega Trade Ltd'), leis: [LEI] }, 'maybe', ['other_name']],
    ['its number and another name', { names: legal('Omega Trade Ltd'), ...number('123456') }, 'maybe', ['other_name']],
    ['another number', { names: legal('Alpha Markets Ltd'), ...number('654321'), countries: ['GB'] }, 'maybe', []],
    [
      'its number elsewhere',
      { names: legal('Alpha Markets Ltd'), ...number('123456', 'asic') },
      'maybe',
      ['country_unconfirmed'],
    ],
    ['its brand and country', { names: legal('AlphaFX'), countries: ['GB'] }, 'maybe', ['trading_name_only']],
    ['its brand and number', { names: legal('AlphaFX'), ...number('123456') }, 'same', []],
    [
      'a firm of its group',
      { names: legal('Alpha Markets (Cyprus) Ltd'), countries: ['CY'] },
      'different',
      ['country_unconfirmed'],
    ],
    [
      'a firm of its group with its site',
      { names: legal('Alpha Markets Ltd'), countries: ['SC'], domains: ['alpha-markets.example'] },
      'maybe',
      ['country_unconfirmed'],
    ],
    [
      'one letter changed, its number',
      { names: legal('Alpha Marketz Ltd'), ...number('123456') },
      'maybe',
      ['name_looks_alike'],
    ],
    [
      'one letter changed, its number and site',
      { names: legal('Alpha Marketz Ltd'), ...number('123456'), domains: ['alpha-markets.example'] },
      'same',
      [],
    ],
    [
      'all of it but the domain',
      {
        names: legal('Alpha Markets Ltd'),
        leis: [LEI],
        ...number('123456'),
        countries: ['GB'],
        domains: ['alpha-markets-fx.example'],
      },
      'maybe',
      ['other_domain'],
    ],
    [
      'all of it and one domain more',
      { names: legal('Alpha Markets Ltd'), ...number('123456'), domains: ['alpha-markets.example', 'alpha-pro.test'] },
      'maybe',
      ['other_domain'],
    ],
    [
      'mixed alphabets',
      { names: legal('Аlpha Markets Ltd'), leis: [LEI], ...number('123456') },
      'maybe',
      ['mixed_alphabets'],
    ],
    ['a stranger', { names: legal('Omega Trade Ltd'), countries: ['GB'] }, 'different', ['other_name']],
  ])('%s', (_, told, verdict, doubts) => {
    const decision = decide(readFirm(alpha()), readFirm(told));
    expect([decision.verdict, decision.doubts]).toEqual([verdict, doubts]);
    expect(decision.points).toBe(decision.reasons.reduce((sum, { points }) => sum + points, 0));
  });

  test('the reasons name the fields and both values', () => {
    const { reasons } = decide(
      readFirm(alpha()),
      readFirm({ names: legal('ALPHA MARKETS LIMITED'), countries: ['GB'] }),
    );
    expect(reasons).toEqual([
      { field: 'name', relation: 'identical', points: 8, left: 'Alpha Markets Ltd', right: 'ALPHA MARKETS LIMITED' },
      { field: 'form', relation: 'same', points: 0, left: 'ltd', right: 'ltd' },
      { field: 'country', relation: 'same', points: 3, left: 'GB', right: 'GB' },
    ]);
  });
});

describe('among many', () => {
  const firms: readonly (readonly [string, Firm])[] = [
    ['alpha', alpha()],
    ['alpha-sc', alpha({ leis: [], numbers: [{ register: 'fsa-sc', number: 'SD012' }], countries: ['SC'] })],
    ['beta', { names: legal('Beta Ltd'), countries: ['GB'] }],
    ['beta-2', { names: legal('BETA Limited'), countries: ['GB'] }],
    ['gamma', { names: legal('Gamma Trade Ltd'), leis: [OTHER_LEI], countries: ['GB'] }],
    ['delta', { names: legal('Delta Trade Ltd'), countries: ['GB'] }],
  ];
  const index = indexFirms(firms.map(([id, firm]) => [id, readFirm(firm)] as const));
  const found = (firm: Firm) =>
    index.find(readFirm(firm)).map(({ id, verdict, doubts }) => [id, verdict, doubts.includes('several_match')]);

  test('finds the one of that country, and shows its group firm', () => {
    expect(found({ names: legal('Alpha Markets Ltd'), countries: ['GB'] })).toEqual([
      ['alpha', 'same', false],
      ['alpha-sc', 'maybe', false],
    ]);
  });
  test('two that are the same are both for a person', () => {
    expect(found({ names: legal('Beta Ltd'), countries: ['GB'] })).toEqual([
      ['beta', 'maybe', true],
      ['beta-2', 'maybe', true],
    ]);
  });
  test('the name of one firm with the LEI of another is left to a person', () => {
    expect(found({ names: legal('Delta Trade Ltd'), leis: [OTHER_LEI], countries: ['GB'] })).toEqual([
      ['delta', 'maybe', true],
      ['gamma', 'maybe', false],
    ]);
  });
  test.each(['Alpha Marketz Ltd', 'Aplha Markets Ltd', 'A1pha Markets', 'AlphaMarkets', 'Alpha Markets Cyprus'])(
    'finds the firms that are like %s',
    (name) => {
      expect(found({ names: legal(name), countries: ['GB'] }).map(([id]) => id)).toContain('alpha');
    },
  );
  test('a stranger is nobody', () => {
    expect(found({ names: legal('Omega Ltd'), countries: ['GB'] })).toEqual([]);
  });
});

test.each([
  ['XM', 'XM GLOBAL LIMITED'],
  ['XTB', 'XTB INTERNATIONAL LIMITED'],
  ['FBS', 'FBS MARKETS INC.'],
  ['IG', 'IG Markets Limited'],
])('the short brand %s and %s with one site are never two firms, wherever they are', (brand, holder) => {
  const firm = (text: string, kind: 'trading' | 'legal', country: string) =>
    readFirm({ names: [{ text, kind }], domains: ['brand.example'], countries: [country] });
  expect(decide(firm(brand, 'trading', 'CY'), firm(holder, 'legal', 'BZ')).verdict).toBe('maybe');
});
