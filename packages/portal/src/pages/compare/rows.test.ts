import type { BrokerDetail } from '@broker-transparency/client';
import { expect, test } from 'vitest';
import { LANGUAGES } from '../../languages.ts';
import { compareBrokers } from './rows.ts';

const license = (over: object) => ({
  regulatorCode: 'fca',
  status: 'active',
  type: 'authorisation',
  entity: { legalName: 'Firm' },
  ...over,
});

const broker = (name: string, over: object = {}) =>
  ({
    name,
    legalName: `${name} Ltd`,
    country: 'GB',
    foundedYear: 2010,
    status: 'operating',
    color: 'green',
    score: {
      value: 80,
      methodologyVersion: '2026-1',
      confidence: { low: 75, high: 85 },
      components: [{ key: 'regulation', score: 75 }],
    },
    ratingSummary: { count: 4, average: 4.25 },
    complaintSummary: { closed: 20, overdue: 0, resolvedRate: 0.5, timelyRate: 1, medianResponseDays: 3 },
    licenseCounts: { confirmed: 1, held: 1, claimed: 0 },
    bestTier: 1,
    warnings: [],
    licensesCheckedAt: '2026-01-05T00:00:00Z',
    entities: [{ legalName: 'Firm' }],
    licenses: [license({})],
    checklist: [{ met: true }, { met: null }],
    ...over,
  }) as unknown as BrokerDetail;

/** The row about something, in English, without the marks that keep names apart. */
const compared = (label: string, over: object): string | undefined => {
  const groups = compareBrokers(LANGUAGES[0], [broker('Alpha'), broker('Beta', over)]);
  const row = groups.flatMap(({ rows }) => rows).find((each) => each.label.replaceAll('\u00ad', '').startsWith(label));
  return row && [...row.values, row.difference].join(' | ').replace(/[\u2068\u2069\u00ad]/g, '');
};
/** The row about something of three brokers. */
const comparedThree = (label: string, ...overs: readonly [object, object]): string | undefined => {
  const brokers = [broker('Alpha'), broker('Beta', overs[0]), broker('Gamma', overs[1])];
  const row = compareBrokers(LANGUAGES[0], brokers)
    .flatMap(({ rows }) => rows)
    .find((each) => each.label.replaceAll('\u00ad', '').startsWith(label));
  return row && [...row.values, row.difference].join(' | ').replace(/[\u2068\u2069\u00ad]/g, '');
};
const score = (over: object) => ({ score: { ...broker('').score, ...over } });
const complaintSummary = (over: object) => ({ complaintSummary: { ...broker('').complaintSummary, ...over } });

test.each([
  ['Score', {}, '80.0 Good | 80.0 Good | the same'],
  ['Score', score({ value: 81 }), '80.0 Good | 81.0 Good | too close to call'],
  ['Score', score({ value: 81, confidence: { low: 85, high: 90 } }), '80.0 Good | 81.0 Good | too close to call'],
  [
    'Score',
    score({ value: 90, confidence: { low: 85.1, high: 95 } }),
    '80.0 Good | 90.0 Good | Beta has 10 points more',
  ],
  ['Range', score({ confidence: { low: 84, high: 95 } }), '75.0 to 85.0 | 84.0 to 95.0 | they overlap'],
  ['Range', score({ confidence: { low: 85.1, high: 95 } }), '75.0 to 85.0 | 85.1 to 95.0 | differs'],
  ['Score', { status: 'suspected_clone' }, '80.0 Good | suspected clone | a suspected clone is not compared'],
  ['Licences confirmed', { status: 'suspected_clone' }, '1 | suspected clone | a suspected clone is not compared'],
  ['Score', score({ value: null }), '80.0 Good |  | cannot be compared: not known for Beta'],
  [
    'Score',
    score({ value: 90, methodologyVersion: '2026-2' }),
    '80.0 Good | 90.0 Good | computed by different versions of the methodology',
  ],
  [
    'Range',
    score({ confidence: { low: null, high: null } }),
    '75.0 to 85.0 |  | cannot be compared: not known for Beta',
  ],
  ['Supervision', score({ components: [] }), '75.0 |  | cannot be compared: not known for Beta'],
  [
    'Supervision',
    score({ components: [{ key: 'regulation', score: 25.5 }] }),
    '75.0 | 25.5 | Alpha has 49.5 points more',
  ],
  ['Best tier', { bestTier: 2 }, 'Tier 1 | Tier 2 | Alpha has the stronger one'],
  ['Best tier', { bestTier: null }, 'Tier 1 | no licence counts | Alpha has the stronger one'],
  ['Licences confirmed', { licenseCounts: { confirmed: 0, held: 1, claimed: 1 } }, '1 | 0 | Alpha has 1 more'],
  ['Confirmed by', { licenses: [license({ status: 'unverified' })] }, 'FCA | none | differs'],
  ['Confirmed by', { licenses: [license({ status: 'revoked' })] }, 'FCA | none | differs'],
  ['Confirmed by', { licenses: [license({ entity: { legalName: 'Victim' } })] }, 'FCA | none | differs'],
  ['Licences last', { licensesCheckedAt: null }, '5 Jan 2026 |  | cannot be compared: not known for Beta'],
  [
    'Warnings',
    { warnings: [{ about: 'this_firm', match: 'unchecked' }] },
    'none known | 1, unconfirmed: 1 | Beta has 1 more',
  ],
  ['Average', { ratingSummary: { count: 0, average: null } }, '4.3 |  | cannot be compared: not known for Beta'],
  ['Average', { ratingSummary: { count: 9, average: 4.24 } }, '4.3 | 4.2 | Alpha has 0.1 stars more'],
  ['Average', { ratingSummary: { count: 9, average: 3.25 } }, '4.3 | 3.3 | Alpha has 1 star more'],
  [
    'Complaints resolved',
    complaintSummary({ closed: 9, resolvedRate: 0.3333 }),
    '10 of 20 | 3 of 9 | fewer than 10 cases: too few to compare',
  ],
  [
    'Complaints resolved',
    complaintSummary({ resolvedRate: 0.25 }),
    '10 of 20 | 5 of 20 | Alpha has 25 percentage points more',
  ],
  [
    'Complaints resolved',
    complaintSummary({ resolvedRate: null }),
    '10 of 20 |  | cannot be compared: not known for Beta',
  ],
  ['Median days', complaintSummary({ medianResponseDays: 5.5 }), '3.0 | 5.5 | Beta has 2.5 days more'],
  [
    'Disclosures',
    { checklist: [{ met: false }, { met: true }] },
    '1 of 1 checked (2 in all) | 1 of 2 checked (2 in all) | differs',
  ],
  [
    'Disclosures',
    { checklist: [{ met: null }] },
    '1 of 1 checked (2 in all) |  | cannot be compared: not known for Beta',
  ],
  ['Founded', { foundedYear: null }, '2010 |  | cannot be compared: not known for Beta'],
  ['Founded', { foundedYear: 2011 }, '2010 | 2011 | Beta is 1 year younger'],
])('%s with %j is %s', (label, over, row) => {
  expect(compared(label, over)).toBe(row);
});

test.each<[string, object, object, string]>([
  ['Score', {}, {}, '80.0 Good | 80.0 Good | 80.0 Good | the same'],
  ['Score', score({ value: 81 }), {}, '80.0 Good | 81.0 Good | 80.0 Good | too close to call'],
  [
    'Score',
    score({ value: 95, confidence: { low: 90, high: 97 } }),
    {},
    '80.0 Good | 95.0 Good | 80.0 Good | the most: Beta',
  ],
  ['Score', score({ value: null }), {}, '80.0 Good |  | 80.0 Good | cannot be compared: not known for Beta'],
  ['Range', {}, score({ confidence: { low: 90, high: 97 } }), '75.0 to 85.0 | 75.0 to 85.0 | 90.0 to 97.0 | differs'],
  [
    'Range',
    {},
    score({ confidence: { low: 80, high: 97 } }),
    '75.0 to 85.0 | 75.0 to 85.0 | 80.0 to 97.0 | they overlap',
  ],
  ['Founded', { foundedYear: null }, {}, '2010 |  | 2010 | cannot be compared: not known for Beta'],
  ['Best tier', { bestTier: 2 }, {}, 'Tier 1 | Tier 2 | Tier 1 | the strongest: Alpha and Gamma'],
  ['Licences confirmed', { licenseCounts: { confirmed: 3, held: 3, claimed: 0 } }, {}, '1 | 3 | 1 | the most: Beta'],
  ['Founded', { foundedYear: 2012 }, { foundedYear: 2012 }, '2010 | 2012 | 2012 | the youngest: Beta and Gamma'],
  [
    'Complaints resolved',
    complaintSummary({ closed: 9, resolvedRate: 0.3333 }),
    {},
    '10 of 20 | 3 of 9 | 10 of 20 | fewer than 10 cases: too few to compare',
  ],
])('%s of three brokers with %j and %j is %s', (label, second, third, row) => {
  expect(comparedThree(label, second, third)).toBe(row);
});
