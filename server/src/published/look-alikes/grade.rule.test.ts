import { type DomainParts, domainParts } from '@broker-transparency/matching';
import { describe, expect, test } from 'vitest';
import type { Fact } from './facts.rule.ts';
import { gradeCandidate, gradeDomain, gradeFact, gradeName, normalizeQuery } from './grade.rule.ts';
import { normalName, tellingWords } from './normal.rule.ts';

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
    ['Альфа Маркетс', 'Alfa Markets', 'exact'],
    ['Аlpha Markets', 'Alpha Markets', 'possible'], // a Cyrillic letter
    ['Alpha', 'A1pha', 'possible'],
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
  const parts = (host: string) => domainParts(host) as DomainParts;
  test.each([
    ['alpha.example', 'alpha.example', 'exact'],
    ['trade.alpha.example', 'alpha.example', 'likely'],
    ['alpha-markets.test', 'alpha-markets.example', 'possible'],
    ['alphamarkets.test', 'alpha-markets.example', 'possible'],
    ['a1pha-markets.example', 'alpha-markets.example', 'possible'],
    ['a.alpha.co.uk', 'b.alpha.co.uk', 'likely'],
    ['my-alpha-markets.test', 'alpha-markets.example', 'possible'],
    ['one.co.uk', 'another.co.uk', undefined],
    ['notalpha.example', 'alpha.example', undefined],
    ['fx1.example', 'fx2.example', undefined],
  ] as const)('%s and %s: %s', (one, other, match) => {
    expect(gradeDomain(parts(one), parts(other))).toBe(match);
    expect(gradeDomain(parts(other), parts(one))).toBe(match);
  });
});

const license: Fact = {
  field: 'licenseNumber',
  fact: 'number',
  value: 'FRN 123-456',
  source: null,
  normal: 'FRN123456',
  number: '123456',
  regulator: 'fca',
};

test.each([
  [{ licenseNumber: 'frn123456', regulator: 'fca' }, 'exact'],
  [{ licenseNumber: 'FRN-123456' }, 'likely'],
  [{ licenseNumber: 'FRN 123456', regulator: 'asic' }, 'possible'],
  [{ licenseNumber: 'FRN 123457', regulator: 'fca' }, undefined],
  [{ licenseNumber: '123 456', regulator: 'fca' }, 'exact'],
  [{ licenseNumber: 'Firm Reference Number 0123456', regulator: 'fca' }, 'exact'],
  [{ licenseNumber: '123456' }, 'likely'],
  [{ name: 'FRN123456' }, undefined],
] as const)('the number of %j is %s', (query, match) => {
  expect(gradeFact(normalizeQuery(query), license)).toBe(match);
});

test('a field of which nothing is left is not compared', () => {
  expect(normalizeQuery({ name: '!!', domain: 'localhost', licenseNumber: '--' })).toEqual({
    lei: undefined,
    name: undefined,
    telling: [],
    domain: undefined,
    licenseNumber: undefined,
    number: undefined,
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
