import { describe, expect, test } from 'vitest';
import type { Fact } from './facts.rule.ts';
import { gradeCandidate, gradeFact, gradeHost, gradeName, normalQuery } from './grade.rule.ts';
import { normalName, plainLabel, tellingWords } from './normal.rule.ts';

describe('names', () => {
  const graded = (asked: string, known: string) =>
    gradeName(normalName(asked), normalName(known), tellingWords(normalName(asked)));
  test.each([
    ['Alpha Markets Ltd', 'ALPHA MÄRKETS, Ltd.', 'exact'],
    ['Alpha Markets Ltd', 'Alpha Markets Limited', 'likely'],
    ['Alpha Markets', 'AlphaMarkets GmbH', 'likely'],
    ['Alpha Markets', 'Alpha Markts', 'possible'],
    ['Alpha Markets', 'Alpha Markets Europe', 'possible'],
    ['Zyxwell', 'Zyxwell Capital Partners Ltd', 'possible'],
    ['Beta', 'Bata', undefined], // too short for a typing error
    ['Alpha Markets', 'Beta Markets', undefined],
    ['Markets', 'Alpha Markets', undefined], // says nothing
    ['Global Capital', 'Zyxwell Global Capital', undefined],
    ['Alpha Markets', 'Alpine Markers', undefined],
  ] as const)('%s and %s: %s', (one, other, match) => {
    expect(graded(one, other)).toBe(match);
    expect(graded(other, one)).toBe(match);
  });
});

describe('domains', () => {
  const hostOf = (host: string) => ({ host, label: plainLabel(host) });
  test.each([
    ['alpha.example', 'alpha.example', 'exact'],
    ['trade.alpha.example', 'alpha.example', 'likely'],
    ['alpha-markets.test', 'alpha-markets.example', 'possible'],
    ['alphamarkets.test', 'alpha-markets.example', 'possible'],
    ['a1pha-markets.example', 'alpha-markets.example', 'possible'],
    ['notalpha.example', 'alpha.example', undefined],
    ['fx1.example', 'fx2.example', undefined],
  ] as const)('%s and %s: %s', (one, other, match) => {
    expect(gradeHost(hostOf(one), hostOf(other))).toBe(match);
    expect(gradeHost(hostOf(other), hostOf(one))).toBe(match);
  });
});

const license: Fact = {
  field: 'licenseNumber',
  fact: 'number',
  value: 'REF 1-2',
  source: null,
  normal: 'REF12',
  regulator: 'fca',
};

test.each([
  [{ licenseNumber: 'ref12', regulator: 'fca' }, 'exact'],
  [{ licenseNumber: 'REF-12' }, 'likely'],
  [{ licenseNumber: 'REF 12', regulator: 'asic' }, 'possible'],
  [{ licenseNumber: 'REF 13', regulator: 'fca' }, undefined],
  [{ name: 'REF12' }, undefined],
] as const)('the number of %j is %s', (query, match) => {
  expect(gradeFact(normalQuery(query), license)).toBe(match);
});

test('a field of which nothing is left is not compared', () => {
  expect(normalQuery({ name: '!!', domain: 'localhost', licenseNumber: '--' })).toEqual({
    lei: undefined,
    name: undefined,
    telling: [],
    domain: undefined,
    licenseNumber: undefined,
    regulator: undefined,
  });
});

test.each([
  [['possible', 'exact'], false, 'exact'],
  [['exact'], true, 'likely'],
  [['likely'], true, 'possible'],
  [['possible'], true, 'possible'],
] as const)('evidence %j, contradicted %s: %s', (evidence, contradicts, match) => {
  expect(gradeCandidate(evidence, contradicts)).toBe(match);
});
