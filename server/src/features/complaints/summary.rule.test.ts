import {
  COMPLAINT_STATUSES,
  ComplaintMonth,
  type ComplaintStatus,
  ComplaintSummary,
} from '@broker-transparency/contract';
import { complaintCounts } from '@broker-transparency/contract/score';
import { describe, expect, test } from 'vitest';
import { type CountedComplaint, countComplaints } from './summary.rule.ts';

const DAY = 86_400_000;
const AT = new Date('2026-11-30T12:00:00.000Z');
const subtractDays = (days: number, at = AT): Date => new Date(at.getTime() - days * DAY);
const later = (date: Date, milliseconds: number): Date => new Date(date.getTime() + milliseconds);

const complaint = (changes: Partial<CountedComplaint>): CountedComplaint => ({
  status: 'received',
  kycVerified: true,
  ...changes,
});
const overdue = (changes: Partial<CountedComplaint> = {}) =>
  complaint({ status: 'forwarded', forwardedAt: subtractDays(20), ...changes });
const resolved = (changes: Partial<CountedComplaint> = {}) =>
  complaint({
    status: 'resolved',
    forwardedAt: subtractDays(40),
    respondedAt: subtractDays(30),
    closedAt: subtractDays(25),
    ...changes,
  });
/** Returns what the score counts: the sums over the months of its window. */
const countScored = (complaints: readonly CountedComplaint[], at = AT) =>
  complaintCounts(countComplaints(complaints, at).byMonth, at);
const nothing = { open: 0, overdue: 0, closed: 0, resolvedRate: null, timelyRate: null, medianResponseDays: null };

test('no complaints give no rates and no months', () => {
  expect(countComplaints([], AT)).toEqual({ summary: nothing, byMonth: [], isCorrection: false });
});

/**
 * One complaint per state, with the broker's answer not yet due. A new state does not compile until it has a row here.
 */
const EXPECTED: Record<ComplaintStatus, { open: number; closed: number; resolvedRate: number | null }> = {
  received: { open: 1, closed: 0, resolvedRate: null },
  screening: { open: 1, closed: 0, resolvedRate: null },
  forwarded: { open: 1, closed: 0, resolvedRate: null },
  responded: { open: 1, closed: 0, resolvedRate: null },
  resolved: { open: 0, closed: 1, resolvedRate: 1 },
  unresolved: { open: 0, closed: 1, resolvedRate: 0 },
  rejected: { open: 0, closed: 0, resolvedRate: null },
  withdrawn: { open: 0, closed: 0, resolvedRate: null },
};

describe('a complaint in state', () => {
  test.each(COMPLAINT_STATUSES)('%s counts in the expected places', (status) => {
    const { open, closed, resolvedRate } = EXPECTED[status];
    const one = [complaint({ status, forwardedAt: subtractDays(5), closedAt: subtractDays(1) })];
    const { summary } = countComplaints(one, AT);
    expect(summary).toEqual({ ...nothing, open, closed, resolvedRate, timelyRate: closed === 1 ? 0 : null });
    expect(countScored(one)).toEqual({ closed, resolved: resolvedRate ?? 0, timely: 0 });
  });

  test.each(COMPLAINT_STATUSES)('%s is overdue only if it was forwarded and the broker has not answered', (status) => {
    const { summary } = countComplaints([complaint({ status, forwardedAt: subtractDays(20), closedAt: AT })], AT);
    expect(summary.overdue).toBe(status === 'forwarded' ? 1 : 0);
    expect(summary.open).toBe(status === 'forwarded' ? 0 : EXPECTED[status].open);
  });
});

describe('the due date, 15 days after forwarding', () => {
  const forwardedAt = subtractDays(15);

  test.each([
    [-1, 0],
    [0, 0],
    [1, 1],
  ])('%i ms later, %i complaints are overdue', (milliseconds, count) => {
    const at = later(AT, milliseconds);
    const { summary } = countComplaints([overdue({ forwardedAt })], at);
    expect(summary).toMatchObject({ open: 1 - count, overdue: count });
    expect(countScored([overdue({ forwardedAt })], at)).toEqual({ closed: count, resolved: 0, timely: 0 });
  });

  test.each([
    [-1, 1],
    [0, 1],
    [1, 0],
  ])('an answer %i ms later is timely: %i', (milliseconds, timely) => {
    const one = [resolved({ forwardedAt: subtractDays(40), respondedAt: later(subtractDays(25), milliseconds) })];
    expect(countComplaints(one, AT).summary.timelyRate).toBe(timely);
    expect(countScored(one)).toEqual({ closed: 1, resolved: 1, timely });
  });

  test('a complaint with an unknown time of forwarding is never overdue', () => {
    const { summary } = countComplaints([complaint({ status: 'forwarded' })], AT);
    expect(summary).toMatchObject({ open: 1, overdue: 0 });
  });
});

/** Forwarded 15 days before it is due. */
const createOverdue = (due: string, changes: Partial<CountedComplaint> = {}) =>
  overdue({ forwardedAt: subtractDays(15, new Date(due)), ...changes });
const createResolved = (closed: string, changes: Partial<CountedComplaint> = {}) =>
  resolved({ closedAt: new Date(closed), ...changes });

describe('the months', () => {
  const at = new Date('2028-03-15T00:00:00.000Z');
  const LEAP = ['2028-02-29T23:59:59.999Z', '2028-02'] as const;
  const EDGES = [
    ['2026-10-31T23:59:59.999Z', '2026-10'],
    ['2026-11-01T00:00:00.000Z', '2026-11'],
    ['2026-12-31T23:59:59.999Z', '2026-12'],
    ['2027-01-01T00:00:00.000Z', '2027-01'],
    LEAP,
    ['2028-03-01T00:00:00.000Z', '2028-03'],
    ['2010-01-01T00:00:00.000Z', '2010-01'],
  ] as const;

  test.each(EDGES)('a complaint that was closed at %s counts in %s', (time, month) => {
    expect(countComplaints([createResolved(time)], at).byMonth).toEqual([{ month, closed: 1, resolved: 1, timely: 1 }]);
  });

  test.each(EDGES)('a complaint that is overdue since %s counts in %s, as unresolved and late', (time, month) => {
    expect(countComplaints([createOverdue(time)], at).byMonth).toEqual([{ month, closed: 1, resolved: 0, timely: 0 }]);
  });

  test('a complaint due in the last millisecond of a month counts there, from the next month on', () => {
    const [due, month] = LEAP;
    expect(countComplaints([createOverdue(due)], new Date(due)).byMonth).toEqual([]);
    expect(countComplaints([createOverdue(due)], new Date('2028-03-01T00:00:00.000Z')).byMonth).toEqual([
      { month, closed: 1, resolved: 0, timely: 0 },
    ]);
  });

  test('an overdue complaint counts only in the month in which it is closed, once it is', () => {
    const open = createOverdue('2027-12-20T00:00:00Z');
    const answered = { respondedAt: new Date('2028-01-10T00:00:00Z'), closedAt: new Date('2028-02-02T00:00:00Z') };
    expect(countComplaints([open], at).byMonth.map(({ month }) => month)).toEqual(['2027-12']);
    expect(countComplaints([{ ...open, ...answered, status: 'responded' }], at).byMonth).toEqual([]);
    expect(countComplaints([{ ...open, ...answered, status: 'resolved' }], at).byMonth).toEqual([
      { month: '2028-02', closed: 1, resolved: 1, timely: 0 },
    ]);
    const silent = { status: 'unresolved' as const, closedAt: new Date('2028-02-03T00:00:00Z') };
    expect(countComplaints([{ ...open, ...silent }], at).byMonth).toEqual([
      { month: '2028-02', closed: 1, resolved: 0, timely: 0 },
    ]);
  });

  test('the months come oldest first, each with its sums', () => {
    const all = [
      createResolved('2028-02-02T00:00:00Z'),
      createOverdue('2027-02-02T00:00:00Z'),
      createResolved('2028-02-28T00:00:00Z', { status: 'unresolved' }),
      createResolved('2027-02-01T00:00:00Z', { respondedAt: new Date('2027-01-01T00:00:00Z') }),
      createResolved('2028-02-15T00:00:00Z', { kycVerified: false }),
      createResolved('2028-01-15T00:00:00Z', { status: 'withdrawn' }),
    ];
    expect(countComplaints(all, at).byMonth).toEqual([
      { month: '2027-02', closed: 2, resolved: 1, timely: 0 },
      { month: '2028-02', closed: 2, resolved: 1, timely: 2 },
    ]);
  });

  test('a closed complaint without a date counts in the month of the count', () => {
    const { closedAt, ...undated } = resolved();
    expect(countComplaints([undated], at).byMonth).toEqual([{ month: '2028-03', closed: 1, resolved: 1, timely: 1 }]);
  });
});

describe('the score', () => {
  test.each([
    ['2026-11-30T12:00:00.000Z', '2023-11-01T00:00:00.000Z'],
    ['2026-11-01T00:00:00.000Z', '2023-11-01T00:00:00.000Z'],
    ['2026-10-31T23:59:59.999Z', '2023-10-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', '2023-01-01T00:00:00.000Z'],
    ['2028-02-29T06:30:00.000Z', '2025-02-01T00:00:00.000Z'],
    ['2027-02-28T06:30:00.000Z', '2024-02-01T00:00:00.000Z'],
    ['2027-03-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ])('the score at %s counts complaints that were closed or due from %s on, and none before', (time, from) => {
    const at = new Date(time);
    const before = later(new Date(from), -1).toISOString();
    for (const on of [createResolved, createOverdue]) {
      expect(countScored([on(from)], at).closed).toBe(1);
      expect(countScored([on(before)], at).closed).toBe(0);
      expect(countComplaints([on(before)], at).byMonth).toHaveLength(1);
    }
  });

  test('counts a closed complaint until the end of the month of its time', () => {
    const at = new Date('2026-11-01T00:00:00.000Z');
    expect(countScored([createResolved('2026-11-30T23:59:59.999Z')], at).closed).toBe(1);
    expect(countScored([createResolved('2026-12-01T00:00:00.000Z')], at).closed).toBe(0);
  });

  test('the score has a window, and the public counts have none', () => {
    const old = [createResolved('2010-01-01T00:00:00Z'), createOverdue('2010-01-01T00:00:00Z')];
    expect(countComplaints(old, AT).summary).toMatchObject({ closed: 1, overdue: 1 });
    expect(countScored(old)).toEqual({ closed: 0, resolved: 0, timely: 0 });
  });
});

test('the score counts only complaints of verified people, and the public counts include all', () => {
  const all = [resolved(), resolved({ kycVerified: false }), overdue({ kycVerified: false })];
  expect(countComplaints(all, AT).summary).toMatchObject({ closed: 2, overdue: 1 });
  expect(countScored(all)).toEqual({ closed: 1, resolved: 1, timely: 1 });
});

test('the score counts an overdue complaint as closed, unresolved and late', () => {
  expect(countScored([resolved(), overdue()])).toEqual({ closed: 2, resolved: 1, timely: 1 });
});

describe('rates', () => {
  test('rates are rounded to four decimals', () => {
    const unresolved = resolved({ status: 'unresolved' });
    const { summary } = countComplaints([resolved(), unresolved, unresolved], AT);
    expect(summary).toMatchObject({ closed: 3, resolvedRate: 0.3333, timelyRate: 1 });
  });

  test('an unresolved complaint that was answered in time is timely', () => {
    expect(countScored([resolved({ status: 'unresolved' })])).toEqual({ closed: 1, resolved: 0, timely: 1 });
  });
});

describe('the median of the response days', () => {
  test.each([
    { days: [], median: null },
    { days: [0], median: 0 },
    { days: [7], median: 7 },
    { days: [10, 2], median: 6 },
    { days: [10, 9, 2], median: 9 },
    { days: [100, 1, 3, 2], median: 2.5 },
    { days: [1.04, 1.04], median: 1 },
    { days: [1.06], median: 1.1 },
  ])('the median of $days is $median', ({ days, median }) => {
    const answered = days.map((count) =>
      complaint({
        status: 'responded',
        forwardedAt: subtractDays(200),
        respondedAt: later(subtractDays(200), count * DAY),
      }),
    );
    expect(countComplaints([...answered, overdue(), complaint({})], AT).summary.medianResponseDays).toBe(median);
  });
});

describe('any set of complaints', () => {
  let seed = 11;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const maybe = <T extends object>(value: T): T | object => (random(4) > 0 ? value : {});
  const some = (): CountedComplaint => ({
    status: COMPLAINT_STATUSES[random(COMPLAINT_STATUSES.length)] as ComplaintStatus,
    kycVerified: random(2) === 1,
    ...maybe({ forwardedAt: subtractDays(random(1500)) }),
    ...maybe({ respondedAt: subtractDays(random(1500)) }),
    ...maybe({ closedAt: subtractDays(random(1500)) }),
  });

  const TIMES = [AT, new Date('2026-11-01T00:00:00.000Z'), new Date('2026-10-31T23:59:59.999Z')];
  const random200 = Array.from({ length: 200 }, () => Array.from({ length: random(30) }, some));

  test('any complaints count the same in any order, with numbers that fit the contract and the score', () => {
    for (const all of random200) {
      const counts = countComplaints(all, AT);
      const { summary, byMonth } = counts;
      const scored = complaintCounts(byMonth, AT);
      const over = all.filter(({ status }) => status === 'rejected' || status === 'withdrawn').length;
      expect(summary.open + summary.overdue + summary.closed + over).toBe(all.length);
      expect(ComplaintSummary.parse(summary)).toEqual(summary);
      for (const one of byMonth) expect(ComplaintMonth.strict().parse(one)).toEqual(one);
      const names = byMonth.map(({ month }) => month);
      expect(names).toEqual([...new Set(names)].sort());
      expect(scored.closed).toBeLessThanOrEqual(summary.closed + summary.overdue);
      expect(countComplaints(all.toReversed(), AT)).toEqual(counts);
    }
  });

  /** The time when a complaint of a verified person was closed or became overdue; undefined if neither happened. */
  const findOutcomeTime = (
    { status, kycVerified, forwardedAt, closedAt }: CountedComplaint,
    at: Date,
  ): Date | undefined => {
    if (!kycVerified) return undefined;
    if (status === 'resolved' || status === 'unresolved') return closedAt ?? at;
    if (status !== 'forwarded' || forwardedAt === undefined) return undefined;
    const due = later(forwardedAt, 15 * DAY);
    return due < at ? due : undefined;
  };

  test('the months of any complaints add up to a direct count of those in the window', () => {
    for (const all of random200)
      for (const at of TIMES) {
        const from = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 36, 1));
        const to = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
        const counted = all.filter((one) => {
          const time = findOutcomeTime(one, at);
          return time !== undefined && time >= from && time < to;
        });
        const ended = counted.filter(({ status }) => status !== 'forwarded');
        expect(countScored(all, at)).toEqual({
          closed: counted.length,
          resolved: ended.filter(({ status }) => status === 'resolved').length,
          timely: ended.filter(
            ({ forwardedAt, respondedAt }) => forwardedAt && respondedAt && respondedAt <= later(forwardedAt, 15 * DAY),
          ).length,
        });
        const whole = all.filter((one) => findOutcomeTime(one, at) !== undefined).length;
        expect(countComplaints(all, at).byMonth.reduce((sum, { closed }) => sum + closed, 0)).toBe(whole);
      }
  });

  /** The same day and time 36 months earlier, or the last day of a shorter month. */
  const subtractYears = (at: Date): Date => {
    const [year, month, day] = [at.getUTCFullYear() - 3, at.getUTCMonth(), at.getUTCDate()];
    const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
    return new Date(Date.UTC(year, month, Math.min(day, last)) + (at.getTime() % DAY));
  };

  test('the score counts every complaint of the last 36 months, to the millisecond', () => {
    for (let round = 0; round < 2000; round++) {
      const at = new Date(Date.UTC(2024 + random(9), random(12), 1 + random(31)) + random(DAY));
      const first = subtractYears(at);
      const inside = later(first, round % 4 === 0 ? 0 : random(at.getTime() - first.getTime()));
      for (const on of [createResolved, createOverdue])
        expect(
          countScored([on(inside.toISOString())], at).closed,
          `${inside.toISOString()} at ${at.toISOString()}`,
        ).toBe(1);
    }
  });
});
