import { completeLei, type Firm, readFirm } from '@broker-transparency/matching';
import { describe, expect, test } from 'vitest';
import { evaluateFirms, evaluateWarning } from './warned.rule.ts';

const LEI = completeLei('984500ALPHA0000000');
const known: Firm = {
  names: [
    { text: 'Alpha Markets Ltd', kind: 'legal' },
    { text: 'AlphaFX', kind: 'trading' },
  ],
  leis: [LEI],
  domains: ['alpha-markets.example', 'alphafx.example'],
  numbers: [{ register: 'fca', number: '123456' }],
  countries: ['GB'],
};
const OWN = ['www.alpha-markets.example'];
const named = (text = 'Alpha Markets Limited'): Firm['names'] => [{ text, kind: 'unknown' }];
const frn = [{ register: 'fca', number: '123456' }];

const judge = (told: Firm, { mentionsClone = false, authority = 'fca', licensedBy = [] as string[] } = {}) =>
  evaluateWarning({ authority, mentionsClone, firm: readFirm(told) }, { firm: readFirm(known), licensedBy });

describe('a warning', () => {
  test.each<[string, Firm, Parameters<typeof judge>[1], string, string, string[]]>([
    ['by LEI', { names: named(), leis: [LEI] }, {}, 'about', 'about', []],
    ['by LEI and own domain', { names: named(), leis: [LEI], domains: OWN }, {}, 'about', 'about', []],
    ['by number at the authority', { names: named(), numbers: frn }, {}, 'about', 'about', []],
    [
      'by number at another authority',
      { names: named(), numbers: frn },
      { authority: 'asic' },
      'maybe',
      'about',
      ['no_identifier'],
    ],
    ['by name', { names: named() }, {}, 'maybe', 'about', ['no_identifier']],
    ['by domain', { names: named('Omega Trade'), domains: OWN }, {}, 'maybe', 'about', ['no_identifier', 'other_name']],
    [
      'that mentions a clone',
      { names: named(), leis: [LEI], numbers: frn, domains: OWN },
      { mentionsClone: true },
      'maybe',
      'clone_of',
      ['mentions_clone'],
    ],
    [
      'with a domain that is not its own',
      { names: named(), leis: [LEI], domains: ['alpha-markets.test'] },
      {},
      'maybe',
      'clone_of',
      ['unknown_domain'],
    ],
    [
      'with its own domain and another',
      { names: named(), leis: [LEI], domains: [...OWN, 'alpha-vip.test'] },
      {},
      'maybe',
      'clone_of',
      ['unknown_domain'],
    ],
    [
      'with a letter changed',
      { names: named('Alpha Marketz Ltd'), numbers: frn, domains: OWN },
      {},
      'maybe',
      'clone_of',
      ['name_looks_alike', 'other_name'],
    ],
    [
      'in mixed alphabets',
      { names: named('Аlpha Markets Ltd'), leis: [LEI] },
      {},
      'maybe',
      'clone_of',
      ['name_looks_alike', 'other_name'],
    ],
    [
      'with its LEI and another number',
      { names: named(), leis: [LEI], numbers: [{ register: 'fca', number: '654321' }] },
      {},
      'maybe',
      'clone_of',
      ['contradicting_identifier'],
    ],
    [
      'with its LEI and another one',
      { names: named(), leis: [LEI, completeLei('984500OMEGA0000000')] },
      {},
      'maybe',
      'clone_of',
      ['contradicting_identifier'],
    ],
    [
      'with its number and another one of the authority',
      { names: named(), numbers: [...frn, { register: 'fca', number: '654321' }] },
      {},
      'maybe',
      'clone_of',
      ['contradicting_identifier'],
    ],
    [
      'with its number and another name',
      { names: named('Omega Trade Ltd'), numbers: frn },
      {},
      'maybe',
      'about',
      ['other_name'],
    ],
    [
      'of who licenses it, by name',
      { names: named() },
      { licensedBy: ['fca'] },
      'maybe',
      'clone_of',
      ['no_identifier', 'licensed_by_authority'],
    ],
    [
      'of a look-alike domain',
      { names: named('Omega'), domains: ['alpha-markets.test'] },
      {},
      'maybe',
      'clone_of',
      ['no_identifier', 'unknown_domain', 'other_name'],
    ],
    [
      'of a stranger',
      { names: named('Omega Trade Ltd'), domains: ['omega.example'] },
      {},
      'none',
      'clone_of',
      ['no_identifier', 'unknown_domain', 'other_name'],
    ],
  ])('%s', (_, told, about, verdict, suggests, doubts) => {
    const judged = judge(told, about);
    expect([judged.verdict, judged.suggests, judged.doubts]).toEqual([verdict, suggests, doubts]);
  });

  test('a warning with a number that two firms share counts for neither by itself', () => {
    const warned = { authority: 'fca', mentionsClone: false, firm: readFirm({ names: named(), numbers: frn }) };
    const firm = { firm: readFirm(known), licensedBy: [] };
    const judged = evaluateFirms(warned, [
      ['alpha', firm],
      ['alpha-copy', firm],
    ]);
    expect(judged.map(({ id, verdict, doubts }) => [id, verdict, doubts])).toEqual([
      ['alpha', 'maybe', ['several_match']],
      ['alpha-copy', 'maybe', ['several_match']],
    ]);
  });
});

describe('evidence that is weak by itself', () => {
  const judgeFirm = (own: Firm, told: Firm) =>
    evaluateWarning(
      { authority: 'fca', mentionsClone: false, firm: readFirm(told) },
      { firm: readFirm(own), licensedBy: [] },
    ).verdict;
  const firm = (text: string, ...domains: string[]): Firm => ({ names: [{ text, kind: 'trading' }], domains });

  test.each([
    ['Alpha Fund II', 'Alpha Fund III'],
    ['IC', 'IC001'],
    ['Hamburg Capital', 'London Capital'],
    ['FTO Capital', 'FX Capital'],
    ['RGM Trading', 'Raw Trading'],
    ['Zyxwell Capital', 'Zyxwell Options'],
  ])('firms that only have a similar name are no match: %s, %s', (own, told) => {
    expect(judgeFirm(firm(own), firm(told))).toBe('none');
  });

  test.each([
    ['gomarkets.com', 'markets212.com'],
    ['globalprime.com', 'primecrypto.io'],
  ])('a site that shares words of the trade alone does not queue: %s, %s', (own, told) => {
    expect(judgeFirm(firm('Zyxwell', own), firm('Quorve', told))).toBe('none');
  });

  test.each([
    ['zyxwell.com', 'zyxwell-vip.com'],
    ['zyxwell.com', 'zyxwel.com'],
    ['xm.com', 'xm.vip'],
  ])('a site that shares more than that waits: %s, %s', (own, told) => {
    expect(judgeFirm(firm('Zyxwell', own), firm('Quorve', told))).toBe('maybe');
  });

  test('a weak name beside a site that looks alike in words of the trade waits', () => {
    expect(judgeFirm(firm('Alpha Fund II', 'gomarkets.com'), firm('Alpha Fund III', 'markets212.com'))).toBe('maybe');
  });
});
