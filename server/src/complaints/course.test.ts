import { COMPLAINT_STATUSES, type ComplaintStatus } from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import {
  answer,
  conclude,
  endByErasure,
  forward,
  type Movable,
  type Move,
  reject,
  screen,
  withdraw,
} from './course.ts';
import { ENDINGS, OUTCOMES, type Outcome, outcomesOf, REJECTIONS, WITHDRAWALS } from './policy.ts';
import { COMPLAINT_MOVES, ComplaintRefused } from './status.ts';

const DAY = 86_400_000;
const FORWARDED = new Date('2026-03-01T08:00:00.000Z');
const day = (days: number, milliseconds = 0): Date => new Date(FORWARDED.getTime() + days * DAY + milliseconds);
const complaint = (status: ComplaintStatus, changes: Partial<Movable> = {}): Movable => ({
  _id: 'C-7QK2M9XF4T',
  status,
  consentToForward: true,
  createdAt: day(-2),
  ...(['received', 'screening'].includes(status) ? {} : { forwardedAt: FORWARDED }),
  ...changes,
});

const RULES: Record<string, { to: ComplaintStatus; rule: (from: Movable) => Move }> = {
  screen: { to: 'screening', rule: (from) => screen(from, day(20)) },
  forward: { to: 'forwarded', rule: (from) => forward(from, day(20)) },
  answer: { to: 'responded', rule: (from) => answer(from, {}, day(20)) },
  resolve: { to: 'resolved', rule: (from) => conclude(from, 'refunded', day(20)) },
  'close, answered': { to: 'unresolved', rule: (from) => conclude(from, 'rejected_by_broker', day(70)) },
  'close, silent': { to: 'unresolved', rule: (from) => conclude(from, 'no_answer', day(70)) },
  reject: { to: 'rejected', rule: (from) => reject(from, 'duplicate', day(20)) },
  withdraw: { to: 'withdrawn', rule: (from) => withdraw(from, 'by_author', day(20)) },
};
/** Outcomes belong to one state each, which the table of moves does not know. */
const narrower: Readonly<Record<string, ComplaintStatus>> = {
  'close, answered': 'responded',
  'close, silent': 'forwarded',
};

describe.each(Object.entries(RULES))('%s', (name, { to, rule }) => {
  test.each(COMPLAINT_STATUSES)('from %s, as the table of moves has it', (from) => {
    const allowed = COMPLAINT_MOVES[from].includes(to) && (narrower[name] ?? from) === from;
    if (allowed) expect(rule(complaint(from)).set.status).toBe(to);
    else expect(() => rule(complaint(from))).toThrow(ComplaintRefused);
  });
});

test('every move says why', () => {
  const moves = Object.values(RULES).flatMap(({ to, rule }) =>
    COMPLAINT_STATUSES.filter((from) => COMPLAINT_MOVES[from].includes(to)).flatMap((from) => {
      try {
        return [rule(complaint(from))];
      } catch {
        return [];
      }
    }),
  );
  expect(moves.length).toBeGreaterThan(10);
  for (const { reason, set, noted } of moves) {
    expect(reason).toMatch(/^[a-z_]+$/);
    if (set.closedAt) expect(noted).toMatchObject({ ending: set.ending });
  }
});

test('without consent nothing is forwarded', () => {
  expect(() => forward(complaint('screening', { consentToForward: false }), day(0))).toThrow(/does not consent/);
});

describe('an answer', () => {
  test.each([
    [15, 0, true],
    [15, 1, false],
    [60, 0, false],
    [0, 0, true],
  ])('of day %i and %i ms is timely: %s, whenever it is recorded', (days, milliseconds, timely) => {
    const move = answer(complaint('forwarded'), { answeredAt: day(days, milliseconds), text: 'We refund.' }, day(61));
    expect(move.noted).toMatchObject({ timely });
    expect(move.set).toEqual({ status: 'responded', respondedAt: day(days, milliseconds), answer: 'We refund.' });
    expect(JSON.stringify([move.noted, move.reason])).not.toContain('We refund.');
  });

  test.each([
    ['in the future', day(20, 1), /in the future/],
    ['before it was forwarded', day(0, -1), /it was forwarded on/],
  ])('%s is refused', (_, answeredAt, message) => {
    expect(() => answer(complaint('forwarded'), { answeredAt }, day(20))).toThrow(message);
  });

  test('after the final date is refused', () => {
    expect(() => answer(complaint('forwarded'), {}, day(60, 1))).toThrow(/final date was 2026-04-30T08:00:00.000Z/);
  });

  test('to an erased person is recorded without its text', () => {
    const erased = complaint('forwarded', { erasedAt: day(1) });
    expect(() => answer(erased, { text: 'Dear Alice' }, day(2))).toThrow(ComplaintRefused);
    expect(answer(erased, {}, day(2)).set).toEqual({ status: 'responded', respondedAt: day(2) });
  });
});

describe('silence', () => {
  test('ends a complaint on the final date, whenever that is noted', () => {
    expect(conclude(complaint('forwarded'), 'no_answer', day(83)).set.closedAt).toEqual(day(60));
  });
  test('does not end it before', () => {
    expect(() => conclude(complaint('forwarded'), 'no_answer', day(60))).toThrow(
      /waits for the broker until 2026-04-30/,
    );
  });
});

test('every outcome leads somewhere it may go, and every code is known to the store', () => {
  for (const outcome of Object.keys(OUTCOMES) as Outcome[]) {
    const { from, to } = OUTCOMES[outcome];
    expect(COMPLAINT_MOVES[from]).toContain(to);
    expect(outcomesOf(to)).toContain(outcome);
  }
  const codes = [...Object.keys(OUTCOMES), ...Object.keys(REJECTIONS), ...Object.keys(WITHDRAWALS), 'person_erased'];
  expect([...ENDINGS]).toEqual(codes);
  expect(new Set(codes).size).toBe(codes.length);
});

test.each(COMPLAINT_STATUSES)('an erasure ends %s only where the broker does not have it', (status) => {
  const ending = endByErasure(complaint(status), day(1))?.set.ending;
  expect(ending).toBe(['received', 'screening'].includes(status) ? 'person_erased' : undefined);
});
