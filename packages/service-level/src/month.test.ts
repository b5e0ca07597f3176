import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MINUTES, type MeasuredDay, type MeasuredProber, minuteNumber, minuteText } from './minutes.ts';
import { computeCredit, computePercentile, computeStates, monthFigures } from './month.ts';
import { OBJECTIVES, OBJECTIVES_VERSION, type Objectives } from './objectives.ts';
import { CHECK_TIMEOUT_MS, type ProbeResult } from './result.ts';

const objectives = OBJECTIVES[OBJECTIVES_VERSION] as Objectives;
const DATE = '2026-11-02';
const FIRST = minuteNumber(`${DATE}T00:00Z`);

const result = (at: number, more: Partial<ProbeResult> = {}): ProbeResult => ({
  prober: 'a',
  minute: minuteText(FIRST + at),
  checks: { public: { ok: true, ms: 10 } },
  previous: null,
  ...more,
});
const prober = (results: readonly ProbeResult[], more: Partial<MeasuredProber> = {}): MeasuredProber => ({
  name: 'a',
  since: '2026-01-01T00:00Z',
  results,
  ...more,
});
const figures = (minutes: number, probers: readonly MeasuredProber[], from = 0) =>
  monthFigures({
    days: [{ date: DATE, probers }],
    from: minuteText(FIRST + from),
    to: minuteText(FIRST + minutes),
    objectives,
  });
const up = (minutes: number, down: readonly number[] = []): ProbeResult[] =>
  Array.from({ length: minutes }, (_, at) => result(at, { checks: { public: { ok: !down.includes(at), ms: 10 } } }));

describe('a percentile', () => {
  test.each<[string, readonly number[], number, number | null]>([
    ['of nothing', [], 99, null],
    ['of one', [7], 95, 7],
    ['of twenty: the nineteenth', Array.from({ length: 20 }, (_, at) => at + 1), 95, 19],
    ['of twenty-one: the twentieth', Array.from({ length: 21 }, (_, at) => at + 1), 95, 20],
    ['of a hundred: the ninety-ninth', Array.from({ length: 100 }, (_, at) => 100 - at), 99, 99],
    ['of a hundred and one: the hundredth', Array.from({ length: 101 }, (_, at) => at + 1), 99, 100],
    ['sorts by number, not by letter', [9, 10, 100], 95, 100],
  ])('%s', (_, values, percentile, expected) => {
    expect(computePercentile(values, percentile)).toBe(expected);
  });

  test('a percentile is the least value that enough of all do not exceed', () => {
    const values = fc.array(fc.nat(1000), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(values, fc.constantFrom(95, 99), (all, percentile) => {
        const value = computePercentile(all, percentile) as number;
        const within = (limit: number) => all.filter((each) => each <= limit).length * 100 >= all.length * percentile;
        expect(all).toContain(value);
        expect(within(value)).toBe(true);
        expect(within(value - 1)).toBe(false);
      }),
    );
  });
});

describe('availability', () => {
  test.each<[string, number, number[], object]>([
    ['all', 10, [], { minutes: 10, up: 10, availability: 1, isMet: true, credit: 0 }],
    ['none yet', 0, [], { minutes: 0, up: 0, availability: null, isMet: null, credit: 0 }],
    ['exactly 99.9 %', 1000, [3], { up: 999, availability: 0.999, isMet: true, credit: 0 }],
    ['one less', 999, [3], { up: 998, availability: 0.998998, isMet: false, credit: 10 }],
    ['two of a thousand', 1000, [3, 4], { up: 998, availability: 0.998, isMet: false, credit: 10 }],
    ['a third, rounded down', 3, [0], { up: 2, availability: 0.666666, isMet: false, credit: 50 }],
  ])('%s', (_, minutes, down, expected) => {
    expect(figures(minutes, [prober(up(minutes, down))])).toMatchObject(expected);
  });

  test.each([28, 29, 30, 31])(
    'the availability of a month of %i days is met to the last minute of its budget',
    (days) => {
      const minutes = days * DAY_MINUTES;
      const allowed = Math.floor(minutes / 1000);
      const met = (down: number) => (minutes - down) * 1000 >= minutes * objectives.availability;
      expect([met(allowed), met(allowed + 1)]).toEqual([true, false]);
      expect([
        computeCredit(objectives, minutes - allowed, minutes),
        computeCredit(objectives, minutes - allowed - 1, minutes),
      ]).toEqual([0, 10]);
    },
  );

  test('counts what nobody measured as down, and says so', () => {
    expect(figures(4, [prober([result(0), result(3)])])).toMatchObject({ minutes: 4, up: 2, unmeasured: 2 });
    expect(figures(4, [])).toMatchObject({
      minutes: 4,
      up: 0,
      unmeasured: 4,
      availability: 0,
      isMet: false,
      credit: 50,
    });
  });

  test('counts a day that is not there as unmeasured', () => {
    const counted = { days: [], from: `${DATE}T00:00Z`, to: '2026-11-03T00:00Z', objectives };
    expect(monthFigures(counted)).toMatchObject({ minutes: DAY_MINUTES, up: 0, unmeasured: DAY_MINUTES });
  });

  test('counts from its first minute to the one before its end', () => {
    expect(figures(6, [prober(up(10))], 4)).toMatchObject({
      from: minuteText(FIRST + 4),
      to: minuteText(FIRST + 6),
      minutes: 2,
      up: 2,
    });
  });

  test('an end before the begin is no minute', () => {
    expect(figures(2, [prober(up(10))], 4)).toMatchObject({ minutes: 0, up: 0, availability: null });
  });
});

describe('a credit', () => {
  test.each<[number, number]>([
    [100_000, 0],
    [99_900, 0],
    [99_899, 10],
    [99_000, 10],
    [98_999, 25],
    [95_000, 25],
    [94_999, 50],
    [0, 50],
  ])('the credit for %i of 100 000 minutes is %i %%', (minutes, expected) => {
    expect(computeCredit(objectives, minutes, 100_000)).toBe(expected);
  });

  test('grows with what is lost, and is never negative', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 44_640 }), fc.nat(44_640), (minutes, at) => {
        const some = Math.min(at, minutes);
        const credit = computeCredit(objectives, some, minutes);
        expect(credit).toBeGreaterThanOrEqual(0);
        if (some < minutes) expect(credit).toBeGreaterThanOrEqual(computeCredit(objectives, some + 1, minutes));
        expect(credit === 0).toBe(some * 1000 >= minutes * objectives.availability);
      }),
    );
  });

  test('no minutes give no credit', () => {
    expect(computeCredit(objectives, 0, 0)).toBe(0);
  });
});

describe('speeds', () => {
  const speeds = (results: readonly ProbeResult[], more: Partial<MeasuredProber> = {}) =>
    figures(DAY_MINUTES, [prober(results, more)]).speeds;
  const publicMs = (...all: number[]) => all.map((ms, at) => result(at, { checks: { public: { ok: true, ms } } }));

  test('a speed that nobody measured is neither met nor missed', () => {
    expect(speeds([]).freshness).toEqual({ percentile: 99, limitMs: 2000, count: 0, ms: null, isMet: null });
  });

  test('speeds are met at the limit, and not above it', () => {
    expect(speeds(publicMs(300)).publicReads).toMatchObject({ count: 1, ms: 300, isMet: true });
    expect(speeds(publicMs(301)).publicReads).toMatchObject({ count: 1, ms: 301, isMet: false });
  });

  test('one of twenty may be slow, two may not', () => {
    const fast = Array.from({ length: 18 }, () => 10);
    expect(speeds(publicMs(...fast, 10, 999)).publicReads).toMatchObject({ ms: 10, isMet: true });
    expect(speeds(publicMs(...fast, 999, 999)).publicReads).toMatchObject({ ms: 999, isMet: false });
  });

  test('a check that failed counts as long as a caller waits, or longer', () => {
    const failed = (ms: number) => speeds([result(0, { checks: { enterprise: { ok: false, ms } } })]).enterpriseReads;
    expect(failed(3)).toMatchObject({ count: 1, ms: CHECK_TIMEOUT_MS, isMet: false });
    expect(failed(6000)).toMatchObject({ count: 1, ms: 6000 });
  });

  test('freshness and webhooks are times from a commit', () => {
    const both = speeds([result(0, { freshnessMs: 2000, webhookMs: 60_001 })]);
    expect(both.freshness).toMatchObject({ count: 1, ms: 2000, isMet: true });
    expect(both.webhooks).toMatchObject({ count: 1, ms: 60_001, isMet: false });
  });

  test('speeds leave out minutes without a vote, and minutes that do not count', () => {
    const vote = { since: minuteText(FIRST + 1), until: minuteText(FIRST + 3) };
    expect(speeds(publicMs(1, 2, 3, 4), vote).publicReads.count).toBe(2);
    expect(figures(3, [prober(publicMs(1, 2, 3, 4))], 1).speeds.publicReads.count).toBe(2);
  });

  test('each of several results about a minute counts', () => {
    expect(speeds([result(0), result(0), result(0)]).publicReads.count).toBe(3);
  });
});

describe('for all months', () => {
  const many = fc.array(fc.tuple(fc.nat(50), fc.boolean()), { maxLength: 80 });

  test('days may be cut anywhere: states follow one another', () => {
    fc.assert(
      fc.property(many, many, fc.nat(60), fc.nat(60), (one, two, from, length) => {
        const days: MeasuredDay[] = [one, two].map((all, day) => ({
          date: `2026-11-0${day + 2}`,
          probers: [
            prober(all.map(([at, ok]) => result(day * DAY_MINUTES + at, { checks: { public: { ok, ms: 1 } } }))),
          ],
        }));
        const [first, end] = [minuteText(FIRST + from), minuteText(FIRST + DAY_MINUTES + length)];
        const [cut, whole] = [
          computeStates({ days, from: first, to: end }),
          computeStates({ days, from: `${DATE}T00:00Z`, to: '2026-11-04T00:00Z' }),
        ];
        expect(cut).toEqual(whole.slice(from, DAY_MINUTES + length));
      }),
      { numRuns: 30 },
    );
  });

  test('minutes are up, down or unmeasured, and digits follow from the integers', () => {
    fc.assert(
      fc.property(many, fc.nat(60), (all, minutes) => {
        const results = all.map(([at, ok]) => result(at, { checks: { public: { ok, ms: 1 } } }));
        const { up: good, unmeasured, availability, isMet } = figures(minutes, [prober(results)]);
        expect(good + unmeasured).toBeLessThanOrEqual(minutes);
        expect(isMet).toBe(minutes === 0 ? null : good * 1000 >= minutes * 999);
        if (minutes > 0) {
          const millionths = (BigInt(good) * 1_000_000n) / BigInt(minutes);
          expect(availability).toBe(Number(millionths) / 1_000_000);
        }
      }),
      { numRuns: 100 },
    );
  });
});
