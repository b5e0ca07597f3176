import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PublishedRating, ScoreFacts } from '../facts.ts';
import { ComplaintMonth, Score } from '../schema.ts';
import { recomputeScore } from '../score.ts';
import { complaintsComponent } from './complaints.ts';
import { complaintCounts, scoreBroker } from './score.ts';

const AT = '2026-11-15T12:00:00.000Z';
const NONE = { closed: 0, resolved: 0, timely: 0 };

/** Returns a month with `closed` complaints, all of them resolved in time. */
const month = (name: string, closed = 1, resolved = closed, timely = closed): ComplaintMonth => ({
  month: name,
  closed,
  resolved,
  timely,
});
const countClosed = (names: readonly string[], at: string): number =>
  complaintCounts(
    names.map((name) => month(name)),
    new Date(at),
  ).closed;

describe('the months that count', () => {
  test.each([
    ['in the middle of a month', '2026-11-15T12:00:00Z', '2023-11', '2026-11'],
    ['at the first millisecond of a month', '2026-11-01T00:00:00.000Z', '2023-11', '2026-11'],
    ['at the last millisecond of the month before', '2026-10-31T23:59:59.999Z', '2023-10', '2026-10'],
    ['at the last millisecond of a year', '2026-12-31T23:59:59.999Z', '2023-12', '2026-12'],
    ['at the first millisecond of a year', '2027-01-01T00:00:00.000Z', '2024-01', '2027-01'],
    ['on a leap day', '2028-02-29T23:59:59.999Z', '2025-02', '2028-02'],
    ['on the day after it', '2028-03-01T00:00:00.000Z', '2025-03', '2028-03'],
    ['in a February whose window begins in that of a leap year', '2027-02-28T23:59:59.999Z', '2024-02', '2027-02'],
    ['at the turn of a century', '2100-01-31T00:00:00Z', '2097-01', '2100-01'],
    ['in an early year', '0050-06-15T00:00:00Z', '0047-06', '0050-06'],
  ])('%s (%s) are those from %s to %s', (_, at, first, last) => {
    const step = (name: string, by: number): string => {
      const [year, number] = name.split('-').map(Number) as [number, number];
      const moved = 12 * year + number - 1 + by;
      return `${String(Math.floor(moved / 12)).padStart(4, '0')}-${String((moved % 12) + 1).padStart(2, '0')}`;
    };
    expect(countClosed([first], at)).toBe(1);
    expect(countClosed([last], at)).toBe(1);
    expect(countClosed([step(first, -1)], at)).toBe(0);
    expect(countClosed([step(last, 1)], at)).toBe(0);
    const all = Array.from({ length: 60 }, (_, n) => step(first, n - 12));
    expect(countClosed(all, at)).toBe(37);
    expect(complaintsComponent(NONE, new Date(at)).explanation).toContain(` from ${first} to ${last}.`);
  });

  test('the months that count are added up', () => {
    const months = [
      month('2023-10', 100, 100, 100),
      month('2023-11', 8, 6, 7),
      month('2025-02', 7, 5, 7),
      month('2026-11', 5, 4, 4),
      month('2026-12', 100, 100, 100),
    ];
    expect(complaintCounts(months, new Date(AT))).toEqual({ closed: 20, resolved: 15, timely: 18 });
    expect(complaintCounts([], new Date(AT))).toEqual(NONE);
  });
});

describe('a broken month throws, also outside the window', () => {
  const notCounts = [Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, 2 ** 53, '1', null, undefined];
  const cases: [string, object][] = [
    ...notCounts.flatMap((bad) =>
      ['closed', 'resolved', 'timely'].map((key): [string, object] => [`${key} ${bad}`, { [key]: bad }]),
    ),
    ['more resolved than closed', { resolved: 3 }],
    ['more timely than closed', { timely: 3 }],
    ...[
      '',
      '2026-13',
      '2026-00',
      '2026-1',
      '26-11',
      '2026-11-01',
      '2026-11\n',
      'x2026-11',
      undefined,
      null,
      202611,
    ].map((name): [string, object] => [`month ${JSON.stringify(name)}`, { month: name }]),
  ];
  test.each(cases)('%s', (_, changes) => {
    for (const name of ['2026-11', '2001-01', '2099-01'])
      expect(() => complaintCounts([{ ...month(name, 2), ...changes }], new Date(AT))).toThrow(RangeError);
  });

  test('throws for a time that is not a date', () => {
    expect(() => complaintCounts([], new Date('?'))).toThrow(RangeError);
  });

  test('counts -0 as 0', () => {
    expect(complaintCounts([month('2026-11', -0, -0, -0)], new Date(AT))).toEqual(NONE);
  });

  test('gives no score for a sum that is not a safe integer', () => {
    const many = month('2026-11', Number.MAX_SAFE_INTEGER);
    const complaints = complaintCounts([many, many, many], new Date(AT));
    expect(() => scoreBroker({ ...facts, complaints }, AT)).toThrow(RangeError);
  });
});

/** The broker of the worked example. */
const facts: ScoreFacts = {
  status: 'operating',
  licensesCheckedAt: AT,
  entities: [{ legalName: 'Alpha Ltd', retailClients: true }],
  licenses: (['fca', 'cysec'] as const).map((regulatorCode, at) => ({
    entity: { legalName: 'Alpha Ltd' },
    regulatorCode,
    type: 'authorisation',
    tier: at === 0 ? 1 : 2,
    status: 'active',
    activeSince: '2014-11-01',
  })),
  ratingsByMonth: [
    { month: '2026-11', count: 1, sum: 400, sumOfSquares: 160_000, distribution: { 1: 0, 2: 0, 3: 0, 4: 1, 5: 0 } },
  ],
  complaints: { closed: 20, resolved: 15, timely: 18 },
  checklist: [],
  warnings: [],
};
const findComplaints = (score: Score) => score.components.find(({ key }) => key === 'complaints');

describe('the score', () => {
  test.each([
    [NONE, 100, 'No complaint of a verified person was closed or became overdue from 2023-11 to 2026-11.'],
    [
      facts.complaints,
      82.916666667,
      'Of 20 complaints that were closed or became overdue from 2023-11 to 2026-11, 15 were resolved and 18 answered in time.',
    ],
  ])(
    'the score of the complaints %j is %d, and is explained with the months that count',
    (complaints, points, explanation) => {
      expect(findComplaints(scoreBroker({ ...facts, complaints }, AT))).toMatchObject({
        score: points,
        inputs: complaints,
        explanation,
      });
    },
  );

  test.each(['', 'now', '2026-11-01T00:00:00', '2026-11-01'])('the score is refused for the time "%s"', (at) => {
    expect(() => scoreBroker(facts, at)).toThrow(RangeError);
  });
});

describe('recomputeScore', () => {
  const complaintsByMonth = [month('2023-10', 9, 0, 0), month('2023-11', 8, 6, 7), month('2026-11', 12, 9, 11)];
  const score = scoreBroker(facts, AT);
  const answer: PublishedRating = { ...facts, complaintsByMonth, score };

  test('counts the months in the answer', () => expect(recomputeScore(answer)).toEqual(score));

  test('recomputing does not trust the inputs of the component', () => {
    const forged = score.components.map((part) => (part.key === 'complaints' ? { ...part, inputs: NONE } : part));
    expect(recomputeScore({ ...answer, score: { ...score, components: forged } })).toEqual(score);
    expect(recomputeScore({ ...answer, score: { ...score, components: [] } })).toEqual(score);
    expect(recomputeScore({ ...answer, complaintsByMonth: [] })).not.toEqual(score);
  });

  test('refuses an answer without months, and says so', () => {
    const { complaintsByMonth: _, ...without } = answer;
    const lacking = () => recomputeScore(without);
    expect(lacking).toThrow(RangeError);
    expect(lacking).toThrow('the answer has no complaintsByMonth, which a score by 2026-1 needs');
  });

  test('counts at the time of the score', () => {
    const later = scoreBroker(
      { ...facts, complaints: { closed: 12, resolved: 9, timely: 11 } },
      '2026-12-01T00:00:00Z',
    );
    expect(recomputeScore({ ...answer, score: later })).toEqual(later);
  });
});

describe('for any complaints', () => {
  const RUN = { seed: 20_261_122, numRuns: 500 } as const;
  const anyTime = fc.date({ min: new Date('2019-01-01'), max: new Date('2030-12-31'), noInvalidDate: true });
  const anyMonths = fc.array(
    fc
      .tuple(fc.integer({ min: 2019, max: 2030 }), fc.integer({ min: 1, max: 12 }), fc.nat(50), fc.nat(50), fc.nat(50))
      .map(([year, number, closed, resolved, timely]) =>
        month(
          `${year}-${String(number).padStart(2, '0')}`,
          closed,
          Math.min(closed, resolved),
          Math.min(closed, timely),
        ),
      ),
  );

  test('the counts are those of a direct count between the first day and the end of the window', () => {
    fc.assert(
      fc.property(anyMonths, anyTime, (months, at) => {
        const from = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 36, 1);
        const to = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
        const counted = months.filter(({ month: name }) => {
          const first = Date.parse(`${name}-01T00:00:00Z`);
          return first >= from && first < to;
        });
        const sum = (key: 'closed' | 'resolved' | 'timely') => counted.reduce((total, one) => total + one[key], 0);
        expect(complaintCounts(months, at)).toEqual({
          closed: sum('closed'),
          resolved: sum('resolved'),
          timely: sum('timely'),
        });
      }),
      RUN,
    );
  });

  test('neither the order of the months nor their division matters', () => {
    fc.assert(
      fc.property(anyMonths, anyTime, (months, at) => {
        const counts = complaintCounts(months, at);
        expect(complaintCounts(months.toReversed(), at)).toEqual(counts);
        const single = months.flatMap(({ month: name, closed, resolved, timely }) =>
          Array.from({ length: closed }, (_, n) => month(name, 1, n < resolved ? 1 : 0, n < timely ? 1 : 0)),
        );
        expect(complaintCounts(single, at)).toEqual(counts);
      }),
      RUN,
    );
  });

  test('the score fits the contract and is recomputed from the answer, whatever its inputs say', () => {
    fc.assert(
      fc.property(anyMonths, anyTime, (complaintsByMonth, at) => {
        for (const one of complaintsByMonth) expect(ComplaintMonth.strict().parse(one)).toEqual(one);
        const computedAt = at.toISOString();
        const score = scoreBroker({ ...facts, complaints: complaintCounts(complaintsByMonth, at) }, computedAt);
        expect(Score.parse(score)).toEqual(score);
        const answer = JSON.parse(JSON.stringify({ ...facts, complaintsByMonth, score })) as PublishedRating;
        expect(JSON.stringify(recomputeScore(answer))).toBe(JSON.stringify(score));
      }),
      RUN,
    );
  });
});
