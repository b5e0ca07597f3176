import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  burnRate,
  burnStates,
  computeDayStates,
  DAY_MINUTES,
  findOutages,
  hasVote,
  type MeasuredProber,
  type MinuteState,
  mayReport,
  minuteNumber,
  minuteText,
} from './minutes.ts';
import { OBJECTIVES, OBJECTIVES_VERSION, type Objectives } from './objectives.ts';
import type { ProbeResult } from './result.ts';

const DATE = '2026-11-02';
const FIRST = minuteNumber(`${DATE}T00:00Z`);
const LONG_AGO = '2026-01-01T00:00Z';
const objectives = OBJECTIVES[OBJECTIVES_VERSION] as Objectives;

const result = (minute: number, ok: boolean): ProbeResult => ({
  prober: 'a',
  minute: minuteText(minute),
  checks: { public: { ok, ms: 10 } },
  previous: null,
});

/** A prober that says `+` up, `-` down and ` ` nothing in the minutes from the first of the day. */
const prober = (says: string, vote: Partial<MeasuredProber> = {}): MeasuredProber => ({
  name: 'a',
  since: LONG_AGO,
  results: [...says].flatMap((said, at) => (said === ' ' ? [] : [result(FIRST + at, said === '+')])),
  ...vote,
});

const WORDS: Readonly<Record<MinuteState, string>> = { up: '+', down: '-', unmeasured: ' ' };
const said = (probers: readonly MeasuredProber[], minutes: number): string =>
  computeDayStates({ date: DATE, probers })
    .slice(0, minutes)
    .map((state) => WORDS[state])
    .join('');

const states = (text: string): MinuteState[] =>
  [...text].map((each) => (each === '+' ? 'up' : each === '-' ? 'down' : 'unmeasured'));

test('minutes are numbered from 1970 and written as results have them', () => {
  expect(minuteText(29_000_000)).toBe('2025-02-19T21:20Z');
  expect(minuteNumber('2025-02-19T21:20Z')).toBe(29_000_000);
  expect(minuteNumber('2025-02-19T21:20:59.999Z')).toBe(29_000_000);
  expect(minuteNumber('2025-02-19T21:21:00.000Z')).toBe(29_000_001);
});

describe('a minute', () => {
  test.each<[string, string[], string]>([
    ['with one prober is what it says', ['+- '], '+- '],
    ['with two needs both', ['++ -', '+-+ '], '+---'],
    ['with three needs two', ['++++---- ', '++--+-- +', '+-+- +   '], '+++------'],
    ['with four needs three', ['++++', '+++-', '++--', '+- -'], '++--'],
    ['that half of two measured is down: no result is no vote for up', ['+', ' '], '-'],
    ['that nobody measured is unmeasured', [' ', ' ', ' '], ' '],
    ['that only a downcast prober measured is down', ['-', ' ', ' '], '-'],
    ['without any prober is unmeasured', [], ' '],
  ])('%s', (_, probers, expected) => {
    expect(
      said(
        probers.map((each) => prober(each)),
        expected.length,
      ),
    ).toBe(expected);
  });

  test('a minute said twice by a prober counts by the worst, in whatever order', () => {
    const twice = (...ok: boolean[]) => prober('', { results: ok.map((each) => result(FIRST, each)) });
    expect(said([twice(true, false)], 1)).toBe('-');
    expect(said([twice(false, true)], 1)).toBe('-');
    expect(said([twice(false, true, true)], 1)).toBe('-');
    expect(said([twice(true, true)], 1)).toBe('+');
  });

  test('a minute is up for a prober only if it checked something and all was right', () => {
    const saying = (checks: ProbeResult['checks']) => prober('', { results: [{ ...result(FIRST, true), checks }] });
    const [right, wrong] = [
      { ok: true, ms: 1 },
      { ok: false, ms: 1 },
    ];
    expect(said([saying({})], 1)).toBe('-');
    expect(said([saying({ public: right, feed: right })], 1)).toBe('+');
    expect(said([saying({ public: right, feed: wrong })], 1)).toBe('-');
  });
});

describe('a vote', () => {
  const [since, until] = [minuteText(FIRST + 2), minuteText(FIRST + 5)];

  test('begins with its minute and ends before the other', () => {
    const minutes = [1, 2, 4, 5].map((at) => hasVote({ since, until }, FIRST + at));
    expect(minutes).toEqual([false, true, true, false]);
    expect(hasVote({ since }, FIRST + 1_000_000)).toBe(true);
  });

  test('results before and after a vote do not count', () => {
    expect(said([prober('+++++++', { since, until })], 7)).toBe('  +++  ');
  });

  test('the vote of a silent prober counts from its first minute to its last', () => {
    expect(said([prober('+++++++'), prober('', { since, until })], 7)).toBe('++---++');
  });

  test('a vote that ends as it begins counts for no minute', () => {
    expect(said([prober('+++', { since, until: since })], 3)).toBe('   ');
  });
});

test('a day has all its minutes, and those of no other day', () => {
  const strange = [result(FIRST - 1, true), result(FIRST + DAY_MINUTES, true)];
  const day = computeDayStates({ date: DATE, probers: [prober('', { results: strange })] });
  expect(day).toHaveLength(DAY_MINUTES);
  expect(new Set(day)).toEqual(new Set(['unmeasured']));
});

describe('outages', () => {
  test.each<[string, string, [number, number, number][]]>([
    ['none', '++++', []],
    ['of no minutes', '', []],
    ['one at the begin', '--++', [[0, 2, 0]]],
    ['one at the end', '++--', [[2, 4, 0]]],
    ['all', '----', [[0, 4, 0]]],
    [
      'two with one minute between',
      '+-+-+',
      [
        [1, 2, 0],
        [3, 4, 0],
      ],
    ],
    ['down and unmeasured beside each other are one', '+- -  +', [[1, 6, 3]]],
  ])('%s', (_, text, expected) => {
    expect(findOutages(states(text), FIRST)).toEqual(
      expected.map(([from, to, unmeasured]) => ({
        from: minuteText(FIRST + from),
        to: minuteText(FIRST + to),
        minutes: to - from,
        unmeasured,
      })),
    );
  });
});

describe('burn rates', () => {
  test.each<[string, string, number, number]>([
    ['nothing down', '+'.repeat(60), 60, 0],
    ['one minute of an hour', `${'+'.repeat(59)}-`, 60, 1000 / 60],
    ['all of five minutes', '-----', 5, 1000],
    ['unmeasured is like down', '++++ ', 5, 200],
    ['what lies before the window does not count', `-${'+'.repeat(5)}`, 5, 0],
    ['its first minute does', `-${'+'.repeat(4)}`, 5, 200],
    ['of a shorter past the rest counts as up', '-', 5, 200],
    ['of no past', '', 60, 0],
  ])('%s', (_, text, minutes, expected) => {
    expect(burnRate(states(text), minutes, objectives)).toBeCloseTo(expected, 9);
  });

  test('the burn rate is 1 if the budget lasts exactly for the time', () => {
    expect(burnRate(states(`-${'+'.repeat(999)}`), 1000, objectives)).toBe(1);
    expect(burnRate(states('-'.repeat(144) + '+'.repeat(9856)), 10_000, objectives)).toBe(14.4);
  });

  const firing = (text: string) =>
    burnStates(states(text), objectives)
      .filter(({ isFiring }) => isFiring)
      .map(({ name }) => name);

  test.each<[string, string, string[]]>([
    ['nothing', '+'.repeat(360), []],
    ['one minute now: fast, and not yet slow', `${'+'.repeat(359)}-`, ['fast']],
    ['one minute five minutes ago: over', `${'+'.repeat(354)}-${'+'.repeat(5)}`, []],
    ['three minutes now: both', `${'+'.repeat(357)}---`, ['fast', 'slow']],
    ['three minutes within the half hour', `${'+'.repeat(330)}---${'+'.repeat(27)}`, ['slow']],
    ['three minutes, half an hour ago', `${'+'.repeat(327)}---${'+'.repeat(30)}`, []],
    ['nobody measures', ' '.repeat(360), ['fast', 'slow']],
  ])('alerts: %s', (_, text, expected) => {
    expect(firing(text)).toEqual(expected);
  });

  test('an alert at exactly its rate does not fire', () => {
    const generous = { ...objectives, availability: 900 };
    const slow = (text: string) => burnStates(states(text), generous).find(({ name }) => name === 'slow');
    expect(slow('++---'.repeat(72))).toMatchObject({ longRate: 6, shortRate: 6, isFiring: false });
    expect(slow(`-+---${'++---'.repeat(71)}`)).toMatchObject({ shortRate: 6, isFiring: false });
    expect(slow(`${'++---'.repeat(71)}-+---`)?.isFiring).toBe(true);
  });
});

describe('for all minutes', () => {
  const said3 = fc.array(fc.constantFrom('+', '-', ' '), { maxLength: 30 }).map((all) => all.join(''));
  const some = fc.array(said3, { minLength: 1, maxLength: 5 });
  const rank = { unmeasured: 0, down: 0, up: 1 };

  test('the order of probers and of results changes nothing', () => {
    fc.assert(
      fc.property(some, (all) => {
        const probers = all.map((each) => prober(each));
        const turned = probers.toReversed().map((each) => ({ ...each, results: each.results.toReversed() }));
        expect(computeDayStates({ date: DATE, probers: turned })).toEqual(computeDayStates({ date: DATE, probers }));
      }),
      { numRuns: 50 },
    );
  });

  test('a result that is taken away never makes a minute up', () => {
    fc.assert(
      fc.property(some, fc.nat(4), fc.nat(29), (all, who, at) => {
        const kept = all.map((each, index) => (index === who ? `${each.slice(0, at)} ${each.slice(at + 1)}` : each));
        const before = computeDayStates({ date: DATE, probers: all.map((each) => prober(each)) });
        const after = computeDayStates({ date: DATE, probers: kept.map((each) => prober(each)) });
        for (const [index, state] of after.entries())
          expect(rank[state]).toBeLessThanOrEqual(rank[before[index] as MinuteState]);
      }),
      { numRuns: 100 },
    );
  });

  test('a minority that lies changes nothing that the others agree on', () => {
    fc.assert(
      fc.property(said3, said3, (truth, lie) => {
        const honest = [prober(truth), prober(truth), prober(truth)];
        const both = computeDayStates({ date: DATE, probers: [...honest, prober(lie), prober(lie)] });
        const alone = computeDayStates({ date: DATE, probers: honest });
        for (const [index, state] of both.entries()) expect(rank[state]).toBe(rank[alone[index] as MinuteState]);
      }),
      { numRuns: 50 },
    );
  });

  test('outages have exactly the minutes that are not up, each once, and no two touch', () => {
    const any = fc.array(fc.constantFrom<MinuteState>('up', 'down', 'unmeasured'), { maxLength: 100 });
    fc.assert(
      fc.property(any, (all) => {
        const outages = findOutages(all, FIRST);
        const again: MinuteState[] = all.map(() => 'up');
        for (const { from, to, minutes } of outages) {
          expect(minuteNumber(to) - minuteNumber(from)).toBe(minutes);
          for (let at = minuteNumber(from); at < minuteNumber(to); at++) again[at - FIRST] = 'down';
        }
        expect(again).toEqual(all.map((state) => (state === 'up' ? 'up' : 'down')));
        for (const [at, { from }] of outages.entries()) if (at > 0) expect(outages[at - 1]?.to).not.toBe(from);
        expect(outages.reduce((sum, { unmeasured }) => sum + unmeasured, 0)).toBe(
          all.filter((state) => state === 'unmeasured').length,
        );
      }),
    );
  });
});

test.each([
  [-2, false],
  [-1, true],
  [0, true],
  [2, true],
  [3, false],
])('a prober may report the minute %i after its vote begins: %s', (at, expected) => {
  expect(mayReport({ since: minuteText(FIRST), until: minuteText(FIRST + 3) }, FIRST + at)).toBe(expected);
});
