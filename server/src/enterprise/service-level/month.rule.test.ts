import { ServiceLevelReport } from '@broker-transparency/contract/enterprise';
import {
  type MeasuredDay,
  type Measurement,
  minuteNumber,
  minuteText,
  monthFigures,
  OBJECTIVES,
  OBJECTIVES_VERSION,
  type Objectives,
} from '@broker-transparency/service-level';
import { describe, expect, test } from 'vitest';
import {
  buildMonthReport,
  computeAlertSpan,
  findMonthProgress,
  type MeasuredMonth,
  type MonthProgress,
} from './month.rule.ts';

const objectives = OBJECTIVES[OBJECTIVES_VERSION] as Objectives;
const BEGAN = '2026-10-20T08:00Z';

describe('what counts of a month', () => {
  test.each<[string, string, string | undefined, string, object | string]>([
    ['now', '2026-11', BEGAN, '2026-11-23T10:10:30Z', { from: '2026-11-01T00:00Z', to: '2026-11-23T10:07Z' }],
    ['that is over', '2026-11', BEGAN, '2027-01-05T00:00:00Z', { from: '2026-11-01T00:00Z', to: '2026-12-01T00:00Z' }],
    [
      'that ended just now',
      '2026-11',
      BEGAN,
      '2026-12-01T00:02:59Z',
      { from: '2026-11-01T00:00Z', to: '2026-11-30T23:59Z' },
    ],
    [
      'in its first minutes',
      '2026-11',
      BEGAN,
      '2026-11-01T00:02:00Z',
      { from: '2026-11-01T00:00Z', to: '2026-11-01T00:00Z' },
    ],
    ['in which it began', '2026-10', BEGAN, '2026-11-23T10:10:30Z', { from: BEGAN, to: '2026-11-01T00:00Z' }],
    ['at its begin', '2026-10', BEGAN, '2026-10-20T08:01:00Z', { from: BEGAN, to: BEGAN }],
    [
      'before it began',
      '2026-09',
      BEGAN,
      '2026-11-23T10:10:30Z',
      `The service level began at ${BEGAN}: in 2026-09 no prober had a vote.`,
    ],
    ['in the future', '2026-12', BEGAN, '2026-11-23T10:10:30Z', '2026-12 has not begun yet.'],
    [
      'of a service without probers',
      '2026-11',
      undefined,
      '2026-11-23T10:10:30Z',
      'The service level has not begun: no prober is registered yet.',
    ],
    ['of December', '2026-12', BEGAN, '2027-03-01T00:00:00Z', { from: '2026-12-01T00:00Z', to: '2027-01-01T00:00Z' }],
  ])('%s', (_, month, began, now, expected) => {
    const at = findMonthProgress(month, began, new Date(now));
    expect(typeof at === 'string' ? at : at.span).toEqual(expected);
  });
});

const NOW = new Date('2026-11-02T12:03:30Z');
const MONTH = '2026-11-01T00:00Z';
const FIRST = minuteNumber(MONTH);

/** Results about minutes of the month, counted from its first; `down` is when the service was. */
const results = (from: number, to: number, down: (at: number) => boolean): Measurement[] =>
  Array.from({ length: to - from }, (_, at) => ({
    minute: minuteText(FIRST + from + at),
    checks: { public: { ok: !down(from + at), ms: 20 } },
  }));

/** Two days; `a` measures all the time, `b` from noon of the first day until it ends in the second hour of the next. */
const createDays = (down: (at: number) => boolean = () => false): MeasuredDay[] => {
  const b = { name: 'b', since: '2026-11-01T12:00Z', until: '2026-11-02T02:00Z' };
  const a = { name: 'a', since: '2026-10-31T12:00Z' };
  return [
    {
      date: '2026-11-01',
      probers: [
        { ...a, results: results(0, 1440, down) },
        { ...b, results: results(720, 1440, down) },
      ],
    },
    {
      date: '2026-11-02',
      probers: [
        { ...a, results: results(1440, 2160, down) },
        { ...b, results: results(1440, 1500, down) },
      ],
    },
  ];
};

const known = (days: readonly MeasuredDay[], more: Partial<MeasuredMonth> = {}): MeasuredMonth => ({
  ...(findMonthProgress('2026-11', '2026-10-31T12:00Z', NOW) as MonthProgress),
  days,
  lately: days,
  began: '2026-10-31T12:00Z',
  version: OBJECTIVES_VERSION,
  objectives,
  entries: new Map([['2026-11-01', 70]]),
  ...more,
});

describe('the report of a month', () => {
  test('the report of a month is what the contract says', () => {
    const report = buildMonthReport(known(createDays()), NOW);
    expect(ServiceLevelReport.parse(report)).toEqual(report);
  });

  test('the report has the figures that anybody computes', () => {
    const days = createDays((at) => at % 100 === 0);
    const { figures } = buildMonthReport(known(days), NOW);
    expect(figures).toEqual(monthFigures({ days, from: MONTH, to: '2026-11-02T12:00Z', objectives }));
  });

  test('the report has the budget of the whole month, and a credit once the rest of the month cannot make up for the outages', () => {
    const budget = (down: number) => buildMonthReport(known(createDays((at) => at < down)), NOW).budget;
    // The last hour of `b` has no results, so these 60 minutes are down: one of two is no majority.
    expect(budget(0)).toEqual({ minutes: 43, spent: 60, left: -17, credit: 10 });
    expect(budget(400)).toEqual({ minutes: 43, spent: 460, left: -417, credit: 25 });
  });

  test('names outages, shares and days', () => {
    const { outages, moreOutages, probers, days } = buildMonthReport(known(createDays((at) => at === 5)), NOW);
    expect(outages).toEqual([
      { from: '2026-11-01T00:05Z', to: '2026-11-01T00:06Z', minutes: 1, unmeasured: 0 },
      { from: '2026-11-02T01:00Z', to: '2026-11-02T02:00Z', minutes: 60, unmeasured: 0 },
    ]);
    expect(moreOutages).toBe(0);
    expect(probers).toEqual([
      { name: 'a', votes: 2160, measured: 2160, up: 2159 },
      { name: 'b', votes: 840, measured: 780, up: 780 },
    ]);
    expect(days).toEqual([
      { date: '2026-11-01', minutes: 1440, up: 1439, unmeasured: 0, entry: 70 },
      { date: '2026-11-02', minutes: 720, up: 660, unmeasured: 0, entry: null },
    ]);
  });

  test('leaves out outages beyond a thousand, and says how many', () => {
    const { outages, moreOutages } = buildMonthReport(known(createDays((at) => at % 2 === 0)), NOW);
    expect([outages.length, moreOutages]).toEqual([1000, 50]);
  });

  test('the report has alerts by the last minutes, also those of the month before', () => {
    const firing = (report: ServiceLevelReport) => report.burn.map(({ name, isFiring }) => [name, isFiring]);
    expect(firing(buildMonthReport(known(createDays((at) => at >= 2158)), NOW))).toEqual([
      ['fast', true],
      ['slow', false],
    ]);
    expect(firing(buildMonthReport(known(createDays((at) => at >= 2100)), NOW))).toEqual([
      ['fast', true],
      ['slow', true],
    ]);
    const now = new Date('2026-11-01T00:04:00Z');
    const october = {
      date: '2026-10-31',
      probers: [{ name: 'a', since: '2026-10-31T12:00Z', results: results(-720, 0, (at) => at >= -60) }],
    };
    const early = {
      ...known([]),
      ...(findMonthProgress('2026-11', BEGAN, now) as MonthProgress),
      days: [],
      lately: [october],
    };
    expect(buildMonthReport(early, now).figures.minutes).toBe(1);
    expect(buildMonthReport(early, now).burn[0]?.longRate).toBe(1000);
  });

  test('the report of a month that is over has no alerts', () => {
    const over = findMonthProgress('2026-11', BEGAN, new Date('2026-12-02T00:00:00Z')) as MonthProgress;
    expect(buildMonthReport(known(createDays(), over), NOW).burn).toEqual([]);
  });

  test('the report of a final month says what its entry says, even once its results are gone', () => {
    const now = new Date('2026-12-12T00:00:00Z');
    const over = findMonthProgress('2026-11', BEGAN, now) as MonthProgress;
    const figures = monthFigures({ days: createDays(), ...over.span, objectives });
    const final = { month: '2026-11', objectives: OBJECTIVES_VERSION, ...figures };
    const entries = new Map([['2026-11', 99]]);
    const whole = buildMonthReport(known(createDays(), { ...over, final, entries }), now);
    expect(whole).toMatchObject({ isFinal: true, entry: 99, figures, budget: { spent: figures.minutes - figures.up } });
    expect(whole.days).toHaveLength(2);
    const empty = createDays().map((day) => ({ ...day, probers: day.probers.map((one) => ({ ...one, results: [] })) }));
    const later = buildMonthReport(known(empty, { ...over, final, entries }), now);
    expect(later).toEqual({ ...whole, outages: [], probers: [], days: [] });
  });
});

test('alerts never look at the time before anybody measured', () => {
  expect(computeAlertSpan('2026-11-02T11:00Z', NOW)).toEqual({ from: '2026-11-02T11:00Z', to: '2026-11-02T12:00Z' });
  expect(computeAlertSpan(BEGAN, NOW)).toEqual({ from: '2026-11-02T06:00Z', to: '2026-11-02T12:00Z' });
});
