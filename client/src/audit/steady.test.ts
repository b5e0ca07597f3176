import { type RatedFacts, ratingMonths, scoreFromRecord } from '@broker-transparency/contract/record';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSteadyEnd } from './steady.ts';

const VERSION = '2026-1';
const DAY_MS = 86_400_000;
const month = fc
  .tuple(fc.integer({ min: 2023, max: 2026 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, number]) => `${year}-${String(number).padStart(2, '0')}`);
const license = fc.record({
  regulator: fc.constantFrom('fca', 'asic', 'vfsc'),
  legalName: fc.constantFrom('A Ltd', 'B Ltd'),
  status: fc.constantFrom('active', 'active', 'active', 'restricted', 'withdrawn'),
  activeSince: fc.constantFrom('1999-05-01', '2008-02-29', '2020-12-31', '2025-11-30', '2026-10-20', undefined),
});
const facts: fc.Arbitrary<RatedFacts> = fc
  .record({
    status: fc.constantFrom('operating', 'operating', 'operating', 'ceased'),
    checked: fc.constantFrom(true, true, true, false),
    licenses: fc.array(license, { maxLength: 4 }),
    warned: fc.constantFrom(false, false, false, true),
    reviews: fc.array(fc.record({ rating: fc.integer({ min: 4, max: 20 }).map((n) => n / 4), month }), {
      maxLength: 60,
    }),
    complaints: fc.uniqueArray(fc.record({ month, closed: fc.nat(9) }), { selector: (one) => one.month, maxLength: 9 }),
    met: fc.subarray(['fees', 'leverage', 'address', 'ownership', 'clientMoney', 'riskWarning']),
  })
  .map(({ status, checked, licenses, warned, reviews, complaints, met }) => ({
    broker: {
      slug: 'a',
      name: 'A',
      status,
      checked,
      entities: ['A Ltd', 'B Ltd'].map((legalName) => ({ legalName, retailClients: true })),
      checklist: met.map((key) => ({ key, met: true })),
    },
    licenses: licenses.map(({ regulator, ...holder }, at) => ({
      broker: 'a',
      regulator,
      number: String(at),
      holders: [{ ...holder, type: 'authorisation' }],
    })),
    warnings: warned ? [{ broker: 'a', about: 'this_firm' }] : [],
    tiers: new Map([
      ['fca', 1],
      ['asic', 1],
      ['vfsc', 3],
    ]),
    ratingsByMonth: ratingMonths(reviews),
    complaintsByMonth: complaints.map((one) => ({ ...one, resolved: Math.floor(one.closed / 2), timely: one.closed })),
  }));
const days = fc.nat(1200).map((n) => new Date(Date.UTC(2024, 0, 1) + n * DAY_MS).toISOString());

const RUNS = { seed: 20_261_123, numRuns: 3000 };

describe('a score that is steady', () => {
  test('a steady score keeps its value and color on every day up to its last steady one', () => {
    let [saved, all] = [0, 0];
    fc.assert(
      fc.property(facts, days, (given, day) => {
        const score = scoreFromRecord(given, VERSION, day);
        const until = findSteadyEnd(score, given, (time) => scoreFromRecord(given, VERSION, time));
        for (let at = Date.parse(day); at <= until; at += DAY_MS) {
          const { value, color } = scoreFromRecord(given, VERSION, new Date(at).toISOString());
          expect({ at, value, color }).toEqual({ at, value: score.value, color: score.color });
          saved += 1;
        }
        all += 1;
      }),
      RUNS,
    );
    expect(saved / all).toBeGreaterThan(5);
  });

  test('a score is steady at most until the month ends, since complaints count by the month', () => {
    fc.assert(
      fc.property(facts, days, (given, day) => {
        const until = findSteadyEnd(scoreFromRecord(given, VERSION, day), given, (time) =>
          scoreFromRecord(given, VERSION, time),
        );
        expect(new Date(until).toISOString().slice(0, 7)).toBe(day.slice(0, 7));
      }),
      { ...RUNS, numRuns: 300 },
    );
  });

  test('the score of an unknown methodology is computed every day', () => {
    fc.assert(
      fc.property(facts, days, (given, day) => {
        const score = { ...scoreFromRecord(given, VERSION, day), methodologyVersion: '2099-1' };
        expect(findSteadyEnd(score, given, () => score)).toBe(Date.parse(day));
      }),
      { ...RUNS, numRuns: 50 },
    );
  });
});
