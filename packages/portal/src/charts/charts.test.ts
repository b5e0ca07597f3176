import { type License, type RatingMonth, type Score, toScoreColor } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Html } from '../html.ts';
import { LANGUAGES, type Language } from '../languages.ts';
import { complaintOutcomes } from './complaint-outcomes.ts';
import { computeStretches, licenseTimeline } from './license-timeline.ts';
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

/** An element with a mark, or a cell of the table with the same one. */
interface MarkedElement {
  readonly tag: string;
  readonly mark: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

const listMarked = ({ text }: Html): MarkedElement[] =>
  [...text.matchAll(/<(\w+)([^>]*) data-mark="([^"]*)"[^>]*>([^<]*)(?:<strong>([^<]*))?/g)].map(
    ([, tag = '', before = '', mark = '', inner = '', strong = '']) => ({
      tag,
      mark,
      attributes: Object.fromEntries(
        [...before.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
      ),
      text: inner || strong,
    }),
  );

const listDrawn = (chart: Html): MarkedElement[] => listMarked(chart).filter(({ tag }) => tag !== 'td');
const listCells = (chart: Html): MarkedElement[] => listMarked(chart).filter(({ tag }) => tag === 'td');
const parseNumber = ({ mark }: MarkedElement): number => Number(mark.slice(mark.lastIndexOf(' ') + 1));
const parseShare = (percent: string | undefined): number => Number(percent?.replace('%', '')) / 100;

/** The largest number of an axis: the label at its top. */
const readAxisEnds = ({ text }: Html): number[] =>
  [...text.matchAll(/<text class="chart-tick" x="100%" y="0%"[^>]*>([\d,]+)</g)].map(([, label]) =>
    Number(label?.replaceAll(',', '')),
  );

/** Expects that a chart and its table have the same numbers, and that nothing is drawn outside. */
const isSound = (chart: Html): void => {
  const sorted = (marks: readonly MarkedElement[]): string[] => marks.map(({ mark }) => mark).sort();
  expect(sorted(listDrawn(chart))).toEqual(sorted(listCells(chart)));
  for (const cell of listCells(chart))
    if (/^[\d,.]+$/.test(cell.text))
      expect(Math.abs(Number(cell.text.replaceAll(',', '')) - parseNumber(cell))).toBeLessThanOrEqual(0.0501);
  const { text } = chart;
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
        for (const mark of listDrawn(chart)) {
          const { tag, attributes } = mark;
          if (tag === 'circle') expect(1 - parseShare(attributes['cy'])).toBeCloseTo((parseNumber(mark) - 1) / 4, 3);
          else expect(parseShare(attributes['height'])).toBeCloseTo(parseNumber(mark) / end, 3);
        }
        const total = listCells(chart).filter(({ mark }) => mark.startsWith('reviews'));
        expect(total.reduce((sum, cell) => sum + parseNumber(cell), 0)).toBe(
          ratingsByMonth.reduce((sum, { count }) => sum + count, 0),
        );
      }),
      { seed: 21, numRuns: 60 },
    );
  });

  test.each([
    [1, ['2026-10', '2026-11'], 'Nov 2026'],
    [3, ['2019-02', '2026-11'], 'Q4 2026'],
    [12, ['1990-02', '2026-11'], '2026'],
    [24, ['1940-02', '2026-11'], '2026–2027'],
  ])('puts %i months together where there are many', (_, months, last) => {
    const ratingsByMonth = months.map((month) => ({ month, count: 1, sum: 400 }) as RatingMonth);
    const chart = ratingsOverTime(context, { slug: 'alpha', ratingsByMonth });
    expect(listDrawn(chart).at(-1)?.mark).toBe(`reviews ${last} 1`);
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
      for (const mark of listDrawn(chart)) {
        const { tag, attributes } = mark;
        const share = tag === 'line' ? 1 - parseShare(attributes['y1']) : parseShare(attributes['height']);
        expect(share).toBeCloseTo(parseNumber(mark) / end, 3);
      }
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
      const drawn = listDrawn(chart);
      expect(drawn).toHaveLength(most === 0 ? 0 : 5);
      for (const mark of drawn) expect(parseShare(mark.attributes['width'])).toBeCloseTo(parseNumber(mark) / most, 3);
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
        for (const mark of listDrawn(chart))
          expect(1 - parseShare(mark.attributes['cy'])).toBeCloseTo(parseNumber(mark) / 100, 3);
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
          let from = 0;
          for (const mark of listDrawn(chart)) {
            const { tag, attributes } = mark;
            if (tag === 'line') expect(parseShare(attributes['x1'])).toBeCloseTo(limit / 100, 3);
            else {
              expect(parseShare(attributes['width'])).toBeCloseTo(parseNumber(mark) / 100, 3);
              if (!mark.mark.startsWith('part')) from = 0;
              expect(parseShare(attributes['x'])).toBeCloseTo(from / 100, 3);
              from += parseNumber(mark);
            }
          }
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
        const drawn = listDrawn(chart);
        const earliest = Math.min(NOW.getTime() - DAY, ...drawn.map(parseNumber));
        const begin = earliest - 0.08 * (NOW.getTime() - earliest);
        for (const mark of drawn)
          expect(parseShare(mark.attributes['x1'])).toBeCloseTo(
            (parseNumber(mark) - begin) / (NOW.getTime() - begin),
            3,
          );
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
    expect(listDrawn(chart).map(({ mark }) => mark)).toEqual([`state 0 ${from}`]);
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
