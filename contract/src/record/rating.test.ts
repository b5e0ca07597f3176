import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ComplaintMonth } from '../score/schema.ts';
import { scoreBroker } from '../score/score.ts';
import type { BrokerValue, LicenseValue } from './entry.ts';
import { addComplaintMonths, type RatedFacts, ratingMonths, scoreFromRecord } from './rating.ts';

const RUNS = { seed: 20_261_101, numRuns: 500 };
const VERSION = '2026-1';
const AT = '2026-11-15T00:00:00.000Z';

const month = fc.constantFrom('2024-02', '2025-12', '2026-01', '2026-10', '2026-11');
const review = fc.record({ rating: fc.integer({ min: 100, max: 500 }).map((hundredths) => hundredths / 100), month });
const complaintMonth = fc
  .tuple(month, fc.nat(9), fc.nat(9), fc.nat(9))
  .map(([name, closed, a, b]): ComplaintMonth => ({ month: name, closed: closed + a + b, resolved: a, timely: b }));

describe('reviews, summed up by month', () => {
  test.each([
    [1, 100, 10_000, 1],
    [1.49, 149, 22_201, 1],
    [1.5, 150, 22_500, 2],
    [4.35, 435, 189_225, 4],
    [4.5, 450, 202_500, 5],
    [5, 500, 250_000, 5],
  ])('%s stars are %s hundredths, %s squared, and count as %s stars', (rating, sum, sumOfSquares, stars) => {
    expect(ratingMonths([{ rating, month: '2026-03' }])).toEqual([
      { month: '2026-03', count: 1, sum, sumOfSquares, distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, [stars]: 1 } },
    ]);
  });

  test('reviews give the same months in any order, and none is lost', () => {
    fc.assert(
      fc.property(fc.array(review), (reviews) => {
        const months = ratingMonths(reviews);
        expect(ratingMonths(reviews.toReversed())).toEqual(months);
        expect(months.map((one) => one.month)).toEqual([...new Set(reviews.map((one) => one.month))].sort());
        expect(months.reduce((sum, { count }) => sum + count, 0)).toBe(reviews.length);
        for (const { count, distribution } of months)
          expect(Object.values(distribution).reduce((sum, stars) => sum + stars)).toBe(count);
      }),
      RUNS,
    );
  });
});

describe('complaints of several brokers, added up', () => {
  test('complaints of several brokers give each month once, in order', () => {
    const march = { month: '2026-03', closed: 2, resolved: 1, timely: 2 };
    const april = { month: '2026-04', closed: 1, resolved: 0, timely: 0 };
    expect(addComplaintMonths([april, march, { ...march, closed: 3 }])).toEqual([
      { month: '2026-03', closed: 5, resolved: 2, timely: 4 },
      april,
    ]);
  });

  test('complaints of several brokers give the same in any order and in any groups', () => {
    fc.assert(
      fc.property(fc.array(complaintMonth), fc.array(complaintMonth), (some, others) => {
        const all = addComplaintMonths([...some, ...others]);
        expect(addComplaintMonths([...others, ...some].toReversed())).toEqual(all);
        expect(addComplaintMonths([...addComplaintMonths(some), ...addComplaintMonths(others)])).toEqual(all);
      }),
      RUNS,
    );
  });
});

const BROKER: BrokerValue = {
  slug: 'alpha',
  name: 'Alpha',
  status: 'operating',
  checked: true,
  entities: [{ legalName: 'Alpha Ltd', retailClients: true }],
  checklist: [{ key: 'fees', met: true }],
};
const createLicense = (regulator: string, over: object = {}): LicenseValue => ({
  broker: 'alpha',
  regulator,
  number: '1',
  holders: [
    { legalName: 'Alpha Ltd', type: 'authorisation', status: 'active', activeSince: '2012-03-01', ...over },
    { legalName: 'Another Ltd', type: 'authorisation', status: 'active' },
  ],
});
const FACTS: RatedFacts = {
  broker: BROKER,
  licenses: [createLicense('fca')],
  warnings: [],
  tiers: new Map([['fca', 1]]),
  ratingsByMonth: ratingMonths([{ rating: 4.5, month: '2026-10' }]),
  complaintsByMonth: [],
};
const score = (over: Partial<RatedFacts> = {}) => scoreFromRecord({ ...FACTS, ...over }, VERSION, AT);
const part = (over: Partial<RatedFacts>, key: string) => score(over).components.find((one) => one.key === key)?.score;

describe('the score of a broker in the record', () => {
  test('the score in the record is that of the broker’s facts', () => {
    const expected = scoreBroker(
      {
        status: 'operating',
        licensesCheckedAt: '2026-01-05T00:00:00Z',
        entities: BROKER.entities,
        licenses: createLicense('fca').holders.map(({ legalName, type, status, activeSince }) => ({
          entity: { legalName },
          regulatorCode: 'fca',
          type: type as 'authorisation',
          status: status as 'active',
          tier: 1,
          activeSince,
        })),
        ratingsByMonth: FACTS.ratingsByMonth,
        complaints: { closed: 0, resolved: 0, timely: 0 },
        checklist: [{ key: 'fees', met: true }],
        warnings: [],
      },
      AT,
    );
    expect(score()).toEqual(expected);
    expect(score().value).toBeGreaterThan(0);
  });

  test('a broker has no score if its licences were never checked', () => {
    expect(score({ broker: { ...BROKER, checked: false } })).toMatchObject({ value: null, color: 'gray' });
  });

  test.each(['ceased', 'merged'])('a broker has no score if it is %s', (status) => {
    expect(score({ broker: { ...BROKER, status } })).toMatchObject({ value: null, color: 'gray' });
  });

  test('a licence has tier 4 if its regulator is not published', () => {
    expect(part({ tiers: new Map() }, 'regulation')).toBe(part({ tiers: new Map([['fca', 4]]) }, 'regulation'));
    expect(part({ tiers: new Map() }, 'regulation')).toBeLessThan(part({}, 'regulation') as number);
  });

  test('the score counts the licences of the broker’s own entities only', () => {
    const holders = createLicense('fca').holders.filter(({ legalName }) => legalName !== 'Alpha Ltd');
    expect(part({ licenses: [{ ...createLicense('fca'), holders }] }, 'regulation')).toBe(0);
  });

  test('a warning limits the score until it is withdrawn', () => {
    const warning = { broker: 'alpha', about: 'this_firm' };
    expect(score({ warnings: [warning] }).value).toBeLessThanOrEqual(19);
    expect(score({ warnings: [{ ...warning, withdrawnAt: '2026-11-14T00:00:00Z' }] }).value).toBe(score().value);
  });

  test('counts the complaints of all brokers that it names, in the months of the methodology', () => {
    const months = [{ month: '2026-10', closed: 5, resolved: 0, timely: 0 }];
    const points = (complaintsByMonth: RatedFacts['complaintsByMonth']) => part({ complaintsByMonth }, 'complaints');
    const both = addComplaintMonths([...months, ...months]);
    expect(both).toEqual([{ month: '2026-10', closed: 10, resolved: 0, timely: 0 }]);
    expect(points(both)).toBeLessThan(points(months) as number);
    expect(points([{ month: '2023-10', closed: 5, resolved: 0, timely: 0 }])).toBe(points([]));
  });

  test('names the version of the methodology that was asked for, and is refused for an unknown one', () => {
    expect(score().methodologyVersion).toBe(VERSION);
    expect(() => scoreFromRecord(FACTS, '1999-1', AT)).toThrow(RangeError);
  });

  test('the score does not depend on the order of anything', () => {
    fc.assert(
      fc.property(fc.array(review), fc.array(complaintMonth), (reviews, months) => {
        const facts = {
          reviews,
          complaints: months.map((one) => ({ months: [one] })),
          licenses: [createLicense('fca'), createLicense('asic', { status: 'restricted' })],
        };
        const turned = {
          reviews: reviews.toReversed(),
          complaints: facts.complaints.toReversed(),
          licenses: facts.licenses.toReversed(),
        };
        expect(score(turned)).toEqual(score(facts));
      }),
      RUNS,
    );
  });
});
