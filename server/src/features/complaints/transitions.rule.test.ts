import { COMPLAINT_STATUSES, type ComplaintStatus } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { computeFinalAt } from './deadlines.rule.ts';
import { type ComplaintOutcome, ENDINGS, listOutcomes, OUTCOMES, REJECTIONS, WITHDRAWALS } from './policy.rule.ts';
import { COMPLAINT_MOVES, isFinal } from './status.rule.ts';
import {
  answer,
  type ComplaintMove,
  conclude,
  endByErasure,
  forward,
  type MovableComplaint,
  reject,
  screen,
  withdraw,
} from './transitions.rule.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const FORWARDED = new Date('2026-03-01T08:00:00.000Z');
const day = (days: number, milliseconds = 0): Date => new Date(FORWARDED.getTime() + days * DAY + milliseconds);
const complaint = (status: ComplaintStatus, changes: Partial<MovableComplaint> = {}): MovableComplaint => ({
  _id: 'C-7QK2M9XF4T',
  status,
  consentToForward: true,
  createdAt: day(-2),
  ...(['received', 'screening'].includes(status) ? {} : { forwardedAt: FORWARDED }),
  ...changes,
});

const RULES: Record<string, { to: ComplaintStatus; rule: (from: MovableComplaint) => ComplaintMove }> = {
  screen: { to: 'screening', rule: (from) => screen(from, day(20)) },
  forward: { to: 'forwarded', rule: (from) => forward(from, day(20)) },
  answer: { to: 'responded', rule: (from) => answer(from, {}, day(20)) },
  resolve: { to: 'resolved', rule: (from) => conclude(from, 'refunded', day(20)) },
  'close, answered': { to: 'unresolved', rule: (from) => conclude(from, 'rejected_by_broker', day(70)) },
  'close, silent': { to: 'unresolved', rule: (from) => conclude(from, 'no_answer', day(70)) },
  reject: { to: 'rejected', rule: (from) => reject(from, 'duplicate', day(20)) },
  withdraw: { to: 'withdrawn', rule: (from) => withdraw(from, 'by_author', day(20)) },
};
/** Outcomes that are possible in one state only, which the table of moves does not express. */
const narrower: Readonly<Record<string, ComplaintStatus>> = {
  'close, answered': 'responded',
  'close, silent': 'forwarded',
};

describe.each(Object.entries(RULES))('%s', (name, { to, rule }) => {
  test.each(COMPLAINT_STATUSES)('a move from %s follows the table of moves', (from) => {
    const allowed = COMPLAINT_MOVES[from].includes(to) && (narrower[name] ?? from) === from;
    if (allowed) expect(rule(complaint(from)).set.status).toBe(to);
    else expect(() => rule(complaint(from))).toThrow(DomainError);
  });
});

test('every move has a reason', () => {
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

test("refuses to forward a complaint without its author's consent", () => {
  expect(() => forward(complaint('screening', { consentToForward: false }), day(0))).toThrow(/does not consent/);
});

describe('an answer', () => {
  test.each([
    [15, 0, true],
    [15, 1, false],
    [60, 0, false],
    [0, 0, true],
  ])('an answer of day %i and %i ms is timely (%s), whenever it is recorded', (days, milliseconds, timely) => {
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

  test('an answer after the final date is refused', () => {
    expect(() => answer(complaint('forwarded'), {}, day(60, 1))).toThrow(/final date was 2026-04-30T08:00:00.000Z/);
  });

  test('an answer to an erased person is recorded only without its text', () => {
    const erased = complaint('forwarded', { erasedAt: day(1) });
    expect(() => answer(erased, { text: 'Dear Alice' }, day(2))).toThrow(DomainError);
    expect(answer(erased, {}, day(2)).set).toEqual({ status: 'responded', respondedAt: day(2) });
  });
});

describe('silence', () => {
  test('silence ends a complaint on the final date, whenever that is recorded', () => {
    expect(conclude(complaint('forwarded'), 'no_answer', day(83)).set.closedAt).toEqual(day(60));
  });
  test('silence does not end a complaint before the final date', () => {
    expect(() => conclude(complaint('forwarded'), 'no_answer', day(60))).toThrow(
      /waits for the broker until 2026-04-30/,
    );
  });
});

describe('forwarding', () => {
  const screened = complaint('screening', { createdAt: day(0) });
  test('starts the clocks when it was sent, which the audit trail tells where that is not now', () => {
    expect(forward(screened, day(9))).toMatchObject({ set: { forwardedAt: day(9) } });
    expect(forward(screened, day(9)).noted).toBe(undefined);
    expect(forward(screened, day(9), day(4))).toMatchObject({
      set: { forwardedAt: day(4) },
      noted: { forwardedAt: day(4).toISOString() },
    });
  });
  test.each([
    ['before it was received', day(-1), /it was received on/],
    ['in the future', day(10), /that is in the future/],
  ])('a complaint cannot have been forwarded %s', (_, sentAt, why) => {
    expect(() => forward(screened, day(9), sentAt)).toThrow(why);
  });
});

test('every outcome leads to an allowed state, and the store accepts every code', () => {
  for (const outcome of Object.keys(OUTCOMES) as ComplaintOutcome[]) {
    const { from, to } = OUTCOMES[outcome];
    expect(COMPLAINT_MOVES[from]).toContain(to);
    expect(listOutcomes(to)).toContain(outcome);
  }
  const codes = [...Object.keys(OUTCOMES), ...Object.keys(REJECTIONS), ...Object.keys(WITHDRAWALS), 'person_erased'];
  expect([...ENDINGS]).toEqual(codes);
  expect(new Set(codes).size).toBe(codes.length);
});

test.each(COMPLAINT_STATUSES)('an erasure ends %s only if the complaint was not forwarded', (status) => {
  const ending = endByErasure(complaint(status), day(1))?.set.ending;
  expect(ending).toBe(['received', 'screening'].includes(status) ? 'person_erased' : undefined);
});

const WAYS: readonly ((from: MovableComplaint, at: Date, answeredAt: Date | undefined) => ComplaintMove | undefined)[] =
  [
    screen,
    (from, at, sentAt) => forward(from, at, sentAt),
    (from, at, answeredAt) => answer(from, { answeredAt, text: 'We refund.' }, at),
    (from, at) => conclude(from, 'refunded', at),
    (from, at) => conclude(from, 'insufficient_answer', at),
    (from, at) => conclude(from, 'no_answer', at),
    (from, at) => reject(from, 'duplicate', at),
    (from, at) => withdraw(from, 'by_author', at),
    endByErasure,
  ];
/** Generates moves, most of which lead onwards. */
const way = fc.oneof(fc.constantFrom(...WAYS.slice(0, 3)), fc.constantFrom(...WAYS));
const attempts = fc.array(
  fc.record({
    way,
    hours: fc.nat(40 * 24),
    answeredHoursAgo: fc.option(fc.integer({ min: -24, max: 70 * 24 }), { nil: undefined }),
  }),
  { maxLength: 20 },
);

type Story = MovableComplaint & Partial<Omit<ComplaintMove['set'], 'status'>>;

test('any sequence of attempts leaves a complaint with ordered dates, and an ending only if it ended', () => {
  fc.assert(
    fc.property(attempts, fc.boolean(), (tries, consentToForward) => {
      let story: Story = complaint('received', { consentToForward, createdAt: day(0) });
      let now = day(0);
      for (const { way: go, hours, answeredHoursAgo: ago } of tries) {
        now = new Date(now.getTime() + hours * HOUR);
        try {
          const move = go(story, now, ago === undefined ? undefined : new Date(now.getTime() - ago * HOUR));
          story = { ...story, ...move?.set };
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
        }
        const { status, createdAt, screenedAt, forwardedAt, respondedAt, closedAt, ending } = story;
        // it may be taken up on the books after it was forwarded by mail
        for (const dates of [
          [createdAt, screenedAt, now],
          [createdAt, forwardedAt, respondedAt, closedAt, now],
        ]) {
          const times = dates.filter((time) => time);
          expect(times).toEqual(times.toSorted((a, b) => Number(a) - Number(b)));
        }
        expect([closedAt !== undefined, ending !== undefined]).toEqual([isFinal(status), isFinal(status)]);
        if (forwardedAt) expect(consentToForward).toBe(true);
        if (respondedAt) expect(respondedAt <= (computeFinalAt(story) as Date)).toBe(true);
      }
    }),
    { seed: 20_261_121, numRuns: 500 },
  );
});

test('the time of recording affects neither whether an answer was timely nor when silence ended a complaint', () => {
  const days = fc.integer({ min: 0, max: 100 * 24 }).map((hours) => day(0, hours * HOUR));
  const outcome = (rule: () => ComplaintMove): ComplaintMove | string => {
    try {
      return rule();
    } catch (error) {
      return (error as Error).name;
    }
  };
  fc.assert(
    fc.property(days, days, days, (answeredAt, a, b) => {
      const [early, late] = a < b ? [a, b] : [b, a];
      const open = complaint('forwarded');
      const answered = (at: Date) => outcome(() => answer(open, { answeredAt }, at));
      if (answeredAt <= early) expect(answered(late)).toEqual(answered(early));
      const silent = (at: Date) => outcome(() => conclude(open, 'no_answer', at));
      if (typeof silent(early) !== 'string') expect(silent(late)).toEqual(silent(early));
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});
