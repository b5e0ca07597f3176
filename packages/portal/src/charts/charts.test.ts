import { type License, type RatingMonth, type Score, toScoreColor } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Html } from '../html.ts';
import { LANGUAGES, type Language } from '../languages.ts';
import { complaintOutcomes } from './complaint-outcomes.ts';
import { computeDates, computeStretches, licenseTimeline } from './license-timeline.ts';
import { ratingDistribution } from './rating-distribution.ts';
import { ratingsOverTime } from './ratings-over-time.ts';
import { computeAxisEnd } from './scale.ts';
import { scoreHistory } from './score-history.ts';
import { scoreParts } from './score-parts.ts';
import { sparkline } from './sparkline.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const DAY = 86_400_000;
const createContext = (language: Language) => ({ ...language, now: NOW, asOf: () => NOW });
const context = createContext(LANGUAGES[0]);

/** A mark of a drawing: its kind and its attributes. */
interface Mark {
  readonly kind: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Lists the marks of a drawing that stand for numbers, of all kinds or of one. */
const listDrawn = ({ text }: Html, only?: 'dot' | 'full' | 'hollow' | 'across' | 'date'): Mark[] =>
  [...text.matchAll(/<(?:circle|rect|line) class="chart-(dot|full|hollow|across|date)"([^>]*)\/>/g)]
    .map(([, kind = '', attributes = '']) => ({
      kind,
      attributes: Object.fromEntries(
        [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
      ),
    }))
    .filter(({ kind }) => only === undefined || kind === only);

/** Lists the numbers of each row of the table; NaN: a cell without one. */
const listRows = ({ text }: Html): number[][] =>
  [...text.replace(/^.*<tbody>/s, '').matchAll(/<tr(?: class="chart-has-bar")?>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<td class="number">(?:<strong>)?([^<]*)/g)].map(([, cell = '']) =>
      Number(cell.replaceAll(',', '')),
    ),
  );
const listColumn = (chart: Html, at: number): number[] => listRows(chart).map((row) => row.at(at) as number);
const parseShare = (percent: string | undefined): number => Number(percent?.replace('%', '')) / 100;
const sumNumbers = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/**
 * Expects that each mark stands for the number of the same place.
 * @param toNumber the number that a mark shows
 */
const expectDrawn = (
  marks: readonly Mark[],
  numbers: readonly number[],
  toNumber: (attributes: Mark['attributes']) => number,
  digits = 3,
): void => {
  expect(marks).toHaveLength(numbers.length);
  marks.forEach(({ attributes }, at) => {
    expect(toNumber(attributes)).toBeCloseTo(numbers[at] as number, digits);
  });
};

/** The largest number of an axis: the label at its top. */
const readAxisEnds = ({ text }: Html): number[] =>
  [...text.matchAll(/<text class="chart-tick" x="100%" y="0%"[^>]*>([\d,]+)</g)].map(([, label]) =>
    Number(label?.replaceAll(',', '')),
  );

/** Expects that nothing of a chart is drawn outside of it, and that it has no broken numbers. */
const isSound = ({ text }: Html): void => {
  expect(text).not.toMatch(/NaN|Infinity|undefined/);
  for (const [, attributes = ''] of text.matchAll(/<(?:rect|line|circle|text)([^>]*)>/g))
    for (const [, name, value] of attributes.matchAll(/ (x|y|x1|x2|y1|y2|cx|cy|width|height)="([^"]*)%"/g)) {
      expect(Number(value), `${name} of ${attributes}`).toBeGreaterThanOrEqual(0);
      expect(Number(value), `${name} of ${attributes}`).toBeLessThanOrEqual(100);
    }
  for (const [, path = ''] of text.matchAll(/ d="([^"]*)"/g))
    for (const number of path.split(/[ML ]+/).slice(1)) {
      expect(Number(number)).toBeGreaterThanOrEqual(0);
      expect(Number(number)).toBeLessThanOrEqual(1000);
    }
};

const month = fc
  .tuple(
    fc.oneof(fc.integer({ min: 2015, max: 2026 }), fc.integer({ min: 1, max: 9999 })),
    fc.integer({ min: 1, max: 12 }),
  )
  .map(([year, number]) => `${String(year).padStart(4, '0')}-${String(number).padStart(2, '0')}`);
const count = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 1_000_000 }));
const ratingMonth = fc.tuple(month, count, fc.integer({ min: 100, max: 500 })).map(([month, count, stars]) => ({
  month,
  count,
  sum: count * stars,
  sumOfSquares: count * stars * stars,
  distribution: { 1: 0, 2: 0, 3: count, 4: 0, 5: 0 },
}));
const generateMonths = <T extends { month: string }>(each: fc.Arbitrary<T>) =>
  fc
    .uniqueArray(each, { selector: ({ month }) => month, maxLength: 40 })
    .map((months) => months.sort((a, b) => (a.month < b.month ? -1 : 1)));

describe('ratings over time', () => {
  test('draws the numbers of its table, for any months', () => {
    fc.assert(
      fc.property(generateMonths(ratingMonth), (ratingsByMonth: RatingMonth[]) => {
        const chart = ratingsOverTime(context, { slug: 'alpha', ratingsByMonth });
        isSound(chart);
        const [, end = 1] = readAxisEnds(chart);
        const [averages, counts] = [listColumn(chart, 0), listColumn(chart, 1)];
        const ofAxis = (numbers: readonly number[]): number[] => numbers.map((number) => number / end);
        expectDrawn(listDrawn(chart, 'dot'), averages, ({ cy }) => 5 - 4 * parseShare(cy));
        expectDrawn(listDrawn(chart, 'full'), ofAxis(counts), ({ height }) => parseShare(height));
        expect(sumNumbers(counts)).toBe(sumNumbers(ratingsByMonth.map(({ count }) => count)));
      }),
      { seed: 21, numRuns: 60 },
    );
  });

  test.each([
    [1, ['2026-10', '2026-11'], 'Nov 2026'],
    [1, ['2024-12', '2026-11'], 'Nov 2026'],
    [3, ['2024-11', '2026-11'], 'Q4 2026'],
    [12, ['2019-02', '2026-11'], '2026'],
    [24, ['1990-02', '2026-11'], '2026–2027'],
  ])('puts %i months together where there are many', (_, months, last) => {
    const ratingsByMonth = months.map((month) => ({ month, count: 1, sum: 400 }) as RatingMonth);
    const chart = ratingsOverTime(context, { slug: 'alpha', ratingsByMonth });
    expect([...chart.text.matchAll(/<th scope="row">([^<]*)/g)].at(-1)?.[1]).toBe(last);
  });

  test('says that there are none, and draws no axis', () => {
    const { text } = ratingsOverTime(context, { slug: 'alpha', ratingsByMonth: [] });
    expect(text).toContain('There are no published reviews yet.');
    expect(text).not.toContain('<svg');
  });

  test('leads no line over months without reviews', () => {
    const of = (...months: string[]) =>
      ratingsOverTime(context, {
        slug: 'alpha',
        ratingsByMonth: months.map((month) => ({ month, count: 1, sum: 400 }) as RatingMonth),
      }).text;
    expect(of('2026-05', '2026-07')).not.toContain('<path');
    expect(of('2026-06', '2026-07')).toContain('<path');
    const all = Array.from({ length: 12 }, (_, at) => new Date(Date.UTC(2025, 11 + at)).toISOString().slice(0, 7));
    expect(of(...all)).not.toContain('had no reviews');
    expect(of(...all.slice(1))).toContain('A time without a dot had no reviews.');
  });
});

test('complaint outcomes are the numbers of their table, for any months', () => {
  const each = fc
    .tuple(month, count, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([month, closed, resolved, timely]) => ({
      month,
      closed,
      resolved: Math.floor(closed * resolved),
      timely: Math.floor(closed * timely),
    }));
  fc.assert(
    fc.property(generateMonths(each), (complaintsByMonth) => {
      const chart = complaintOutcomes(context, { slug: 'alpha', complaintsByMonth });
      isSound(chart);
      const [end = 1] = readAxisEnds(chart);
      const column = (at: number): number[] => listColumn(chart, at).map((count) => count / end);
      expectDrawn(listDrawn(chart, 'full'), column(0), ({ height }) => parseShare(height));
      expectDrawn(listDrawn(chart, 'hollow'), column(1), ({ height }) => parseShare(height));
      expectDrawn(listDrawn(chart, 'across'), column(2), ({ y1 }) => 1 - parseShare(y1));
    }),
    { seed: 22, numRuns: 60 },
  );
  expect(complaintOutcomes(context, { slug: 'alpha', complaintsByMonth: [] }).text).not.toContain('<svg');
});

test('the distribution has a bar for each row, as long as its number', () => {
  const stars = fc.integer({ min: 0, max: 100_000 });
  fc.assert(
    fc.property(fc.record({ 1: stars, 2: stars, 3: stars, 4: stars, 5: stars }), (distribution) => {
      const chart = ratingDistribution(context, { slug: 'alpha', ratingSummary: { distribution } });
      isSound(chart);
      const most = Math.max(...Object.values(distribution));
      const counts = most === 0 ? [] : ([5, 4, 3, 2, 1] as const).map((star) => distribution[star]);
      expect(most === 0 ? [] : listColumn(chart, 0)).toEqual(counts);
      const shares = counts.map((count) => count / most);
      expectDrawn(listDrawn(chart), shares, ({ width }) => parseShare(width));
    }),
    { seed: 23, numRuns: 60 },
  );
});

const time = fc
  .integer({ min: NOW.getTime() - 4000 * DAY, max: NOW.getTime() })
  .map((at) => new Date(at).toISOString());
const value = fc.option(fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10));

describe('the history of a score', () => {
  const step = fc.tuple(time, value).map(([time, value]) => ({ time, value, color: toScoreColor(value) }));
  const steps = fc.array(step, { maxLength: 40 }).map((all) => all.sort((a, b) => (a.time < b.time ? -1 : 1)));

  test('draws the numbers of its table, for any steps', () => {
    fc.assert(
      fc.property(steps, value, time, (data, now, since) => {
        const broker = { slug: 'alpha', score: { value: now, color: toScoreColor(now) } };
        const chart = scoreHistory(context, broker, { since: data[0]?.time ?? since, data });
        isSound(chart);
        if (listDrawn(chart).length === 0) return;
        const rated = listColumn(chart, 0).filter((number) => !Number.isNaN(number));
        expectDrawn(listDrawn(chart), rated.toReversed(), ({ cy }) => 100 - 100 * parseShare(cy), 1);
      }),
      { seed: 24, numRuns: 60 },
    );
  });

  test('draws a score where its time is, and leaves a gap while the broker is not rated', () => {
    const at = (days: number): string => new Date(NOW.getTime() - days * DAY).toISOString();
    const data = [
      { time: at(100), value: 50, color: 'yellow' as const },
      { time: at(75), value: null, color: 'gray' as const },
      { time: at(50), value: 80, color: 'green' as const },
      { time: at(30), value: 80, color: 'green' as const },
    ];
    const broker = { slug: 'alpha', score: { value: 80, color: 'green' as const } };
    const chart = scoreHistory(context, broker, { since: at(100), data });
    expect(listDrawn(chart).map(({ attributes }) => attributes['cx'])).toEqual(['0%', '50%', '100%']);
    expect(chart.text).toContain('d="M0 500L250 500M500 200L1000 200L1000 200"');
    expect(chart.text).toContain('<rect class="chart-gap" x="25%" y="0%" width="25%" height="100%"/>');
    expect(chart.text).toContain('<td class="number">–</td><td>Not rated</td>');
    expect(chart.text).toContain('The record of this broker begins on 15 Aug 2026');
  });

  test('draws no line on the day on which the record begins', () => {
    const broker = { slug: 'alpha', score: { value: 80, color: 'green' as const } };
    const { text } = scoreHistory(context, broker, { since: NOW.toISOString(), data: [] });
    expect(text).toContain('There is no history yet: the score is 80.0 (Good).');
    expect(text).not.toContain('<svg');
    const unrated = scoreHistory(
      context,
      { slug: 'alpha', score: { value: null, color: 'gray' } },
      { since: NOW.toISOString(), data: [] },
    );
    expect(unrated.text).toContain('It was never rated in this time.');
  });

  test.each([
    [39.9, 'red'],
    [40, 'yellow'],
    [69.9, 'yellow'],
    [70, 'green'],
  ])('puts its words where the methodology does: %d is %s', (value, color) => {
    expect(toScoreColor(value)).toBe(color);
    const broker = { slug: 'alpha', score: { value, color: color as 'red' } };
    const { text } = scoreHistory(context, broker, { since: '2026-01-01T00:00:00Z', data: [] });
    const labels = [...text.matchAll(/y="([\d.]+)%" dy="0.35em" text-anchor="end">(\w+)</g)];
    const readHeight = (label: string): number => 100 - Number(labels.find(([, , name]) => name === label)?.[1]);
    const bounds = { red: ['0', '40'], yellow: ['40', '70'], green: ['70', '100'] }[color] as [string, string];
    expect(value).toBeGreaterThanOrEqual(readHeight(bounds[0]));
    expect(value).toBeLessThan(readHeight(bounds[1]));
    expect(readHeight(context.texts.colors[color as 'red'])).toBe((Number(bounds[0]) + Number(bounds[1])) / 2);
  });

  test('the small chart in lists says in words what it shows', () => {
    fc.assert(
      fc.property(steps, (data) => isSound(sparkline(context, data))),
      { seed: 25, numRuns: 60 },
    );
    const two = [
      { time: '2026-01-01T00:00:00Z', value: 20 },
      { time: '2026-02-01T00:00:00Z', value: 80 },
    ];
    const { text } = sparkline(context, two);
    expect(text).toContain('<title>Score from 1 Jan 2026 to 1 Feb 2026: from 20.0 to 80.0</title>');
    expect(text).toContain('d="M0 800L1000 800L1000 200"');
    expect(sparkline(context, two.slice(1)).text).toBe('');
  });
});

describe('what a score is made of', () => {
  const createScore = (contributions: readonly number[], value: number | null, limit?: number) =>
    ({
      value,
      rawValue: contributions.reduce((sum, part) => sum + part, 0),
      color: toScoreColor(value),
      components: contributions.map((contribution, at) => ({
        key: `part${at}`,
        weight: 0.2,
        score: contribution * 5,
        contribution,
      })),
      caps: limit === undefined ? [] : [{ code: 'odd', limit, reason: 'Of <b>old</b>.' }],
    }) as unknown as Score;

  test('adds up: each bar begins where the one before it ends', () => {
    const part = fc.integer({ min: 0, max: 20_000 }).map((milli) => milli / 1000);
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 5, maxLength: 5 }),
        value,
        fc.integer({ min: 0, max: 100 }),
        (parts, value, limit) => {
          const chart = scoreParts(context, { slug: 'alpha', score: createScore(parts, value, limit) });
          isSound(chart);
          const told = listColumn(chart, -1).filter((number) => !Number.isNaN(number));
          const [added, [sum, cap, ...score]] = [told.slice(0, 5), told.slice(5)];
          expect([cap, score]).toEqual([limit, value === null ? [] : [value]]);
          expectDrawn(listDrawn(chart, 'across'), [limit], ({ x1 }) => 100 * parseShare(x1), 1);
          expectDrawn(listDrawn(chart, 'hollow'), [sum as number], ({ width }) => 100 * parseShare(width), 1);
          expectDrawn(listDrawn(chart, 'full'), [...added, ...score], ({ width }) => 100 * parseShare(width), 1);
          const begins = [...parts.map((_, at) => sumNumbers(parts.slice(0, at))), ...score.map(() => 0)];
          expectDrawn(listDrawn(chart, 'full'), begins, ({ x }) => 100 * parseShare(x), 1);
        },
      ),
      { seed: 26, numRuns: 60 },
    );
  });

  test('names unknown parts and limits as the answer does', () => {
    const { text } = scoreParts(context, { slug: 'alpha', score: createScore([1], 1, 69) });
    expect(text).toContain('part0');
    expect(text).toContain('Of &lt;b&gt;old&lt;/b&gt;.');
  });
});

describe('licences over time', () => {
  const date = fc.option(time);
  const license = fc.record({
    entity: fc.record({ legalName: fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }) }),
    regulatorCode: fc.constantFrom('fca', 'asic'),
    referenceNumber: fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
    status: fc.constantFrom<License['status']>('active', 'restricted', 'withdrawn', 'revoked', 'unverified', 'pending'),
    statusEffectiveAt: date,
    issuedAt: date,
    activeSince: fc.option(
      time.map((at) => at.slice(0, 10)),
      { nil: undefined },
    ),
  });

  test('draws licences where their dates are, for any dates that are known', () => {
    fc.assert(
      fc.property(fc.array(license, { maxLength: 6 }), (licenses) => {
        const chart = licenseTimeline(context, { slug: 'alpha', licenses });
        isSound({ text: chart.text.replaceAll(/<bdi>[^<]*<\/bdi>|<title>[^<]*<\/title>/g, '') } as Html);
        const dates = licenses.map(computeDates).map(({ begin, state }) => [begin, state]);
        const known = dates.flat().filter((time) => time !== null);
        const told = [...chart.text.matchAll(/<td>([^<]*)/g)].map(([, day]) => day);
        const toDay = (time: number): string => context.format.day(new Date(time).toISOString());
        expect(told).toEqual(dates.flat().map((time) => (time === null ? 'not known' : toDay(time))));
        const earliest = Math.min(NOW.getTime() - DAY, ...known);
        const begin = earliest - 0.08 * (NOW.getTime() - earliest);
        const places = known.map((time) => (time - begin) / (NOW.getTime() - begin));
        expectDrawn(listDrawn(chart, 'date'), places, ({ x1 }) => parseShare(x1));
      }),
      { seed: 27, numRuns: 60 },
    );
  });

  const [granted, changed] = ['2015-01-01T00:00:00Z', '2020-01-01T00:00:00Z'];
  const [from, to] = [Date.parse(granted), Date.parse(changed)];
  type DrawnSpans = readonly (readonly [kind: string, from: number | null, to: number | null])[];
  test.each<[License['status'], string | null, string | null, DrawnSpans]>([
    [
      'active',
      granted,
      changed,
      [
        ['thin', from, to],
        ['full', to, null],
      ],
    ],
    ['active', granted, granted, [['full', from, null]]],
    ['active', granted, null, [['thin', from, null]]],
    [
      'active',
      null,
      changed,
      [
        ['dashed', null, to],
        ['full', to, null],
      ],
    ],
    ['active', null, null, [['dashed', null, null]]],
    [
      'suspended',
      granted,
      changed,
      [
        ['thin', from, to],
        ['hollow', to, null],
      ],
    ],
    ['withdrawn', granted, changed, [['thin', from, to]]],
    ['withdrawn', granted, null, [['dashed', from, null]]],
    ['withdrawn', null, changed, [['dashed', null, to]]],
    ['unverified', null, null, [['dashed', null, null]]],
    ['unverified', granted, changed, [['dashed', null, null]]],
    ['pending', null, changed, [['dashed', null, null]]],
  ])('one that is %s, granted %s, in this state since %s', (status, issuedAt, statusEffectiveAt, expected) => {
    const license = { entity: { legalName: 'A' }, regulatorCode: 'fca', referenceNumber: '1' };
    expect(computeStretches({ ...license, status, issuedAt, statusEffectiveAt })).toEqual(
      expected.map(([kind, from, to]) => ({ kind, from, to })),
    );
  });

  test('the axis of licences has days if all its months would be the same', () => {
    const license = { entity: { legalName: 'A' }, regulatorCode: 'fca', referenceNumber: '1', issuedAt: null };
    const since = (days: number) =>
      licenseTimeline(context, {
        slug: 'alpha',
        licenses: [
          { ...license, status: 'active', statusEffectiveAt: new Date(NOW.getTime() - days * DAY).toISOString() },
        ],
      }).text;
    const labels = (text: string) => [...text.matchAll(/text-anchor="\w+">([^<]*)</g)].map(([, label]) => label);
    expect(new Set(labels(since(30))).size).toBe(5);
    expect(labels(since(30))[0]).toMatch(/^\d+ \w+ \d{4}$/);
    expect(labels(since(900))[0]).toMatch(/^\w+ \d{4}$/);
  });

  test('says that a date of a licence is not known, and never draws it', () => {
    const license = { entity: { legalName: '<script>' }, regulatorCode: 'fca', referenceNumber: '1' };
    const known = { ...license, status: 'active' as const, issuedAt: null, statusEffectiveAt: granted };
    const chart = licenseTimeline(context, { slug: 'alpha', licenses: [known] });
    expect(chart.text).toContain('<td>not known</td>');
    expect(listDrawn(chart, 'date')).toHaveLength(1);
    expect(chart.text).not.toContain('<script');
    const none = { ...known, statusEffectiveAt: null };
    expect(licenseTimeline(context, { slug: 'alpha', licenses: [none] }).text).toContain('No date of these licences');
  });
});

test.each(LANGUAGES.map((language) => [language.texts.code, language] as const))(
  'charts are described in the language of the page: %s',
  (_, language) => {
    const given = { slug: 'alpha', ratingsByMonth: [{ month: '2026-11', count: 2000, sum: 900_000 } as RatingMonth] };
    const { text } = ratingsOverTime(createContext(language), given);
    expect(text).toContain(language.texts.charts.ratings.title);
    expect(text).toContain(`>${language.format.number(2000)}</td>`);
    expect(text).toMatch(/<svg class="chart-plot" role="img"><title>[^<]+<\/title><desc>[^<]+<\/desc>/);
    expect(text).toContain('href="/api/v1/brokers/alpha"');
    expect(text).toContain(language.format.time(NOW.toISOString()));
  },
);

test.each([
  [0, 2],
  [1, 2],
  [2, 2],
  [3, 4],
  [5, 10],
  [11, 20],
  [45, 50],
  [51, 100],
  [1_000_001, 2_000_000],
])('an axis for %i ends at %i, so that its middle is a whole number', (highest, end) => {
  expect(computeAxisEnd(highest)).toBe(end);
});
