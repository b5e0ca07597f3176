import { COMPLAINT_STATUSES, type ComplaintStatus, ComplaintSummary } from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import { type CountedComplaint, countComplaints } from './summary.rule.ts';

const DAY = 86_400_000;
const AT = new Date('2026-11-30T12:00:00.000Z');
const daysBefore = (days: number, at = AT): Date => new Date(at.getTime() - days * DAY);
const later = (date: Date, milliseconds: number): Date => new Date(date.getTime() + milliseconds);

const complaint = (changes: Partial<CountedComplaint>): CountedComplaint => ({
  status: 'received',
  kycVerified: true,
  ...changes,
});
const overdue = (changes: Partial<CountedComplaint> = {}) =>
  complaint({ status: 'forwarded', forwardedAt: daysBefore(20), ...changes });
const resolved = (changes: Partial<CountedComplaint> = {}) =>
  complaint({
    status: 'resolved',
    forwardedAt: daysBefore(40),
    respondedAt: daysBefore(30),
    closedAt: daysBefore(25),
    ...changes,
  });
const nothing = { open: 0, overdue: 0, closed: 0, resolvedRate: null, timelyRate: null, medianResponseDays: null };

test('has no rates without complaints', () => {
  expect(countComplaints([], AT)).toEqual({ summary: nothing, scored: { closed: 0, resolved: 0, timely: 0 } });
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
    const { summary, scored } = countComplaints(
      [complaint({ status, forwardedAt: daysBefore(5), closedAt: daysBefore(1) })],
      AT,
    );
    expect(summary).toEqual({ ...nothing, open, closed, resolvedRate, timelyRate: closed === 1 ? 0 : null });
    expect(scored).toEqual({ closed, resolved: resolvedRate ?? 0, timely: 0 });
  });

  test.each(COMPLAINT_STATUSES)('%s is overdue only if it was forwarded and the broker has not answered', (status) => {
    const { summary } = countComplaints([complaint({ status, forwardedAt: daysBefore(20), closedAt: AT })], AT);
    expect(summary.overdue).toBe(status === 'forwarded' ? 1 : 0);
    expect(summary.open).toBe(status === 'forwarded' ? 0 : EXPECTED[status].open);
  });
});

describe('the due date, 15 days after forwarding', () => {
  const forwardedAt = daysBefore(15);

  test.each([
    [-1, 0],
    [0, 0],
    [1, 1],
  ])('%i ms later, %i complaints are overdue', (milliseconds, count) => {
    const { summary, scored } = countComplaints([overdue({ forwardedAt })], later(AT, milliseconds));
    expect(summary).toMatchObject({ open: 1 - count, overdue: count });
    expect(scored).toEqual({ closed: count, resolved: 0, timely: 0 });
  });

  test.each([
    [-1, 1],
    [0, 1],
    [1, 0],
  ])('an answer %i ms later is timely: %i', (milliseconds, timely) => {
    const { summary, scored } = countComplaints(
      [resolved({ forwardedAt: daysBefore(40), respondedAt: later(daysBefore(25), milliseconds) })],
      AT,
    );
    expect(summary.timelyRate).toBe(timely);
    expect(scored).toEqual({ closed: 1, resolved: 1, timely });
  });

  test('a complaint with an unknown time of forwarding is never overdue', () => {
    const { summary } = countComplaints([complaint({ status: 'forwarded' })], AT);
    expect(summary).toMatchObject({ open: 1, overdue: 0 });
  });
});

describe('the window of the score', () => {
  const EDGES = [
    { at: '2026-11-30T12:00:00.000Z', from: '2023-11-30T12:00:00.000Z' },
    { at: '2026-08-31T23:59:59.999Z', from: '2023-08-31T23:59:59.999Z' },
    { at: '2026-01-01T00:00:00.000Z', from: '2023-01-01T00:00:00.000Z' },
    { at: '2026-12-31T23:59:59.999Z', from: '2023-12-31T23:59:59.999Z' },
    { at: '2028-02-29T06:30:00.000Z', from: '2025-02-28T06:30:00.000Z' },
    { at: '2027-02-28T06:30:00.000Z', from: '2024-02-28T06:30:00.000Z' },
    { at: '2027-03-01T00:00:00.000Z', from: '2024-03-01T00:00:00.000Z' },
  ].map(({ at, from }) => ({ at: new Date(at), from: new Date(from) }));

  test.each(EDGES)('at $at begins at $from, for closed complaints', ({ at, from }) => {
    const closedAt = (date: Date) => countComplaints([resolved({ closedAt: date })], at).scored.closed;
    expect(closedAt(from)).toBe(1);
    expect(closedAt(later(from, -1))).toBe(0);
  });

  test.each(EDGES)('at $at begins at $from, for the due date of overdue complaints', ({ at, from }) => {
    const dueAt = (date: Date) => countComplaints([overdue({ forwardedAt: daysBefore(15, date) })], at).scored.closed;
    expect(dueAt(from)).toBe(1);
    expect(dueAt(later(from, -1))).toBe(0);
  });

  test('does not limit the public counts', () => {
    const old = [resolved({ closedAt: new Date('2010-01-01') }), overdue({ forwardedAt: new Date('2010-01-01') })];
    const { summary, scored } = countComplaints(old, AT);
    expect(summary).toMatchObject({ closed: 1, overdue: 1 });
    expect(scored).toEqual({ closed: 0, resolved: 0, timely: 0 });
  });

  test('a closed complaint without a date counts', () => {
    const { closedAt, ...undated } = resolved();
    expect(countComplaints([undated], AT).scored).toEqual({ closed: 1, resolved: 1, timely: 1 });
  });
});

test('only complaints of verified people affect the score, but the public counts include all', () => {
  const all = [resolved(), resolved({ kycVerified: false }), overdue({ kycVerified: false })];
  const { summary, scored } = countComplaints(all, AT);
  expect(summary).toMatchObject({ closed: 2, overdue: 1 });
  expect(scored).toEqual({ closed: 1, resolved: 1, timely: 1 });
});

test('the score counts an overdue complaint as closed, unresolved and late', () => {
  expect(countComplaints([resolved(), overdue()], AT).scored).toEqual({ closed: 2, resolved: 1, timely: 1 });
});

describe('rates', () => {
  test('are rounded to four decimals', () => {
    const unresolved = resolved({ status: 'unresolved' });
    const { summary } = countComplaints([resolved(), unresolved, unresolved], AT);
    expect(summary).toMatchObject({ closed: 3, resolvedRate: 0.3333, timelyRate: 1 });
  });

  test('an unresolved complaint that was answered in time is timely', () => {
    expect(countComplaints([resolved({ status: 'unresolved' })], AT).scored).toEqual({
      closed: 1,
      resolved: 0,
      timely: 1,
    });
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
  ])('of $days is $median', ({ days, median }) => {
    const answered = days.map((count) =>
      complaint({
        status: 'responded',
        forwardedAt: daysBefore(200),
        respondedAt: later(daysBefore(200), count * DAY),
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
    ...maybe({ forwardedAt: daysBefore(random(1500)) }),
    ...maybe({ respondedAt: daysBefore(random(1500)) }),
    ...maybe({ closedAt: daysBefore(random(1500)) }),
  });

  test('is counted the same in any order, with numbers that fit the contract and the score', () => {
    for (let round = 0; round < 200; round++) {
      const all = Array.from({ length: random(30) }, some);
      const counts = countComplaints(all, AT);
      const { summary, scored } = counts;
      const over = all.filter(({ status }) => status === 'rejected' || status === 'withdrawn').length;
      expect(summary.open + summary.overdue + summary.closed + over).toBe(all.length);
      expect(ComplaintSummary.parse(summary)).toEqual(summary);
      expect(Math.min(scored.closed - scored.resolved, scored.closed - scored.timely, scored.closed)).not.toBeLessThan(
        0,
      );
      expect(scored.closed).toBeLessThanOrEqual(summary.closed + summary.overdue);
      expect(countComplaints(all.toReversed(), AT)).toEqual(counts);
    }
  });
});
