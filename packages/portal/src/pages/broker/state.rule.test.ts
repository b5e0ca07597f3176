import type { BrokerDetail } from '@broker-transparency/client';
import { describe, expect, test } from 'vitest';
import { capEffect, groupNewestFirst, listUnknowns, splitText, type Warning } from './state.rule.ts';

const AT = '2026-11-01T00:00:00.000Z';

test('the newest warning of a group comes first', () => {
  const one = (publishedAt: string) => ({ about: 'this_firm', publishedAt }) as Warning;
  const [old, young] = [one('2025-01-01T00:00:00Z'), one('2026-01-01T00:00:00Z')];
  expect(groupNewestFirst([old, young]).confirmed).toEqual([young, old]);
});

test.each<[string, number | null, number, number[], { limit: number; raw: number; lowers: boolean }]>([
  ['no cap', 80.5, 80.496, [], { limit: 100, raw: 80.5, lowers: false }],
  ['a cap above the parts', 30, 30, [39], { limit: 39, raw: 30, lowers: false }],
  ['caps of which the lowest counts', 19, 74.21, [69, 19], { limit: 19, raw: 74.2, lowers: true }],
  ['a cap of a broker without a value', null, 74.21, [39], { limit: 39, raw: 74.2, lowers: false }],
])('%s: what it does to a score', (_, value, rawValue, limits, expected) => {
  const caps = limits.map((limit) => ({ code: 'fewReviews' as const, limit, reason: '' }));
  expect(capEffect({ value, rawValue, caps } as unknown as BrokerDetail['score'])).toEqual(expected);
});

describe('what is not known', () => {
  const license = { status: 'active', statusEffectiveAt: AT, stale: false };
  const full = {
    licensesCheckedAt: AT,
    licenses: [license],
    entities: [{}],
    warnings: [],
    provenance: [],
    checklist: [{ key: 'fees', met: true }],
    ratingSummary: { count: 3 },
    complaintSummary: { closed: 1, overdue: 0 },
    foundedYear: 2012,
    lei: '529900T8BM49AURSDO55',
  };

  test.each<[string, object, unknown[]]>([
    ['nothing', {}, []],
    ['registers', { licensesCheckedAt: null }, [{ kind: 'neverChecked' }]],
    ['licences', { licenses: [] }, [{ kind: 'noLicences' }]],
    ['entities', { entities: [] }, [{ kind: 'noEntities' }]],
    ['an unverified licence', { licenses: [{ ...license, status: 'unverified' }] }, [{ kind: 'unverified', count: 1 }]],
    ['a stale licence', { licenses: [{ ...license, stale: true }] }, [{ kind: 'stale', count: 1 }]],
    ['a date', { licenses: [{ ...license, statusEffectiveAt: null }] }, [{ kind: 'undated', count: 1 }]],
    [
      'a date of a licence that is over',
      { licenses: [{ ...license, status: 'revoked', statusEffectiveAt: null }] },
      [],
    ],
    ['a match', { warnings: [{ about: 'this_firm', match: 'unchecked' }] }, [{ kind: 'uncheckedWarnings', count: 1 }]],
    ['who is right', { provenance: [{ contradicted: [{}, {}] }, {}] }, [{ kind: 'contradicted', count: 2 }]],
    [
      'disclosures, which are not those that are missing',
      {
        checklist: [
          { key: 'fees', met: null },
          { key: 'address', met: false },
        ],
      },
      [{ kind: 'checklist', keys: ['fees'] }],
    ],
    ['reviews', { ratingSummary: { count: 0 } }, [{ kind: 'noReviews' }]],
    ['complaints', { complaintSummary: { closed: 0, overdue: 0 } }, [{ kind: 'noComplaints' }]],
    ['complaints that it does not answer', { complaintSummary: { closed: 0, overdue: 2 } }, []],
    ['a year and an LEI', { foundedYear: null, lei: undefined }, [{ kind: 'foundedYear' }, { kind: 'lei' }]],
  ])('%s', (_, over, expected) => {
    expect(listUnknowns({ ...full, ...over } as unknown as BrokerDetail)).toEqual(expected);
  });
});

describe('a long text', () => {
  test.each<[string, string, string, string]>([
    ['is whole where little would be left', 'a b c d e f', 'a b c d e f', ''],
    ['ends after a sentence', 'One two. Three four five six', 'One two.', 'Three four five six'],
    ['ends after a word', 'one two three four five', 'one two', 'three four five'],
    ['without a blank ends anywhere', 'x'.repeat(30), 'xxxxxxxxxx', 'x'.repeat(20)],
    ['never ends within a character', `123456789${'😀'.repeat(6)}`, '123456789', '😀'.repeat(6)],
  ])('%s', (_, text, start, rest) => {
    expect(splitText(text, 10)).toEqual([start, rest]);
  });
});
