import { COMPLAINT_STATUSES } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ClockFields, computeFinalAt, FIRST_STEP_MS, findDueSteps } from './deadlines.rule.ts';
import { COMPLAINT_CLOCK, REMINDER_DAYS } from './policy.rule.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const FORWARDED = new Date('2026-03-01T08:00:00.000Z');
const day = (days: number, milliseconds = 0): Date => new Date(FORWARDED.getTime() + days * DAY + milliseconds);
const silent = (changes: Partial<ClockFields> = {}): ClockFields => ({
  status: 'forwarded',
  forwardedAt: FORWARDED,
  ...changes,
});
const noted = { overdueNotedAt: day(16) };

describe('a complaint that the broker does not answer', () => {
  test.each<[string, Date, Partial<ClockFields>, object]>([
    ['before the first reminder', day(10, -1), {}, {}],
    ['on day 10', day(10), {}, { remind: 10 }],
    ['on day 10, reminded', day(10), { reminders: [{ day: 10 }] }, {}],
    ['on the due date', day(15), { reminders: [{ day: 10 }] }, { remind: 15 }],
    ['a minute after it', day(15, MINUTE), { reminders: [{ day: 10 }, { day: 15 }] }, {}],
    ['more than a minute after it', day(15, MINUTE + 1), { reminders: [{ day: 15 }] }, { overdue: true }],
    ['overdue and noted', day(30), { ...noted, reminders: [{ day: 15 }] }, {}],
    ['never looked at before day 20', day(20), {}, { overdue: true, remind: 15 }],
    ['on day 45', day(45), { ...noted, reminders: [{ day: 15 }] }, { remind: 45 }],
    ['on day 58, last reminded on day 10', day(58), { ...noted, reminders: [{ day: 10 }] }, { remind: 55 }],
    ['on the final date', day(60), { ...noted, reminders: [{ day: 55 }] }, {}],
    ['after it', day(60, 1), { ...noted, reminders: [{ day: 55 }] }, { ends: true }],
    ['never looked at before day 90', day(90), {}, { ends: true }],
  ])('takes the expected steps %s', (_, at, changes, expected) => {
    expect(findDueSteps(silent(changes), at)).toEqual({ ends: false, overdue: false, ...expected });
  });

  test('takes no steps if its time of forwarding is unknown', () => {
    expect(findDueSteps({ status: 'forwarded' }, day(90))).toEqual({ ends: false, overdue: false });
  });
});

test.each(COMPLAINT_STATUSES.filter((status) => status !== 'forwarded'))(
  'a complaint in state %s takes no steps',
  (status) => {
    for (const days of [10, 16, 50, 70])
      expect(findDueSteps(silent({ status }), day(days))).toEqual({ ends: false, overdue: false });
  },
);

test('each reminder and each step happens at most once, at any interval of checks', () => {
  for (const stride of [0.25, 1, 3, 7, 16, 61]) {
    let complaint = silent();
    const reminded: number[] = [];
    let [overdue, ended] = [0, 0];
    for (let days = 0; days <= 70; days += stride) {
      const steps = findDueSteps(complaint, day(days));
      if (steps.remind !== undefined) reminded.push(steps.remind);
      overdue += Number(steps.overdue);
      ended += Number(steps.ends);
      complaint = {
        ...complaint,
        ...(steps.ends ? { status: 'unresolved' } : {}),
        ...(steps.overdue ? { overdueNotedAt: day(days) } : {}),
        reminders: reminded.map((threshold) => ({ day: threshold })),
      };
      const { ends, overdue: again, remind } = findDueSteps(complaint, day(days));
      expect([ends, again, remind]).toEqual([false, false, undefined]);
    }
    expect(new Set(reminded).size).toBe(reminded.length);
    expect(reminded).toEqual(reminded.toSorted((a, b) => a - b));
    expect([overdue, ended]).toEqual([stride === 61 ? 0 : 1, 1]);
    if (stride <= 1) expect(reminded).toEqual([...REMINDER_DAYS]);
  }
});

test('reminders come before the final date, and nothing happens before FIRST_STEP_MS', () => {
  expect([...REMINDER_DAYS]).toEqual(REMINDER_DAYS.toSorted((a, b) => a - b));
  expect(Math.max(...REMINDER_DAYS)).toBeLessThan(COMPLAINT_CLOCK.finalDays);
  expect(findDueSteps(silent(), new Date(FORWARDED.getTime() + FIRST_STEP_MS - 1))).toEqual({
    ends: false,
    overdue: false,
  });
});

test('clocks that run at any times take each step once, in order, and end the complaint', () => {
  const forwardedAt = new Date('2026-01-01T12:00:00.000Z');
  const days = fc.array(fc.integer({ min: 0, max: 70 * 24 }), { maxLength: 40 });
  fc.assert(
    fc.property(days, (hours) => {
      let complaint: ClockFields = { status: 'forwarded', forwardedAt };
      const reminded: number[] = [];
      let noted = 0;
      for (const hour of [...hours.sort((a, b) => a - b), 61 * 24]) {
        const at = new Date(forwardedAt.getTime() + hour * 3_600_000);
        const { ends, overdue, remind } = findDueSteps(complaint, at);
        expect(ends).toBe(complaint.status === 'forwarded' && (computeFinalAt(complaint) as Date) < at);
        if (ends) complaint = { ...complaint, status: 'unresolved' };
        if (overdue) complaint = { ...complaint, overdueNotedAt: at };
        noted += overdue ? 1 : 0;
        if (remind !== undefined) {
          reminded.push(remind);
          complaint = { ...complaint, reminders: [...(complaint.reminders ?? []), { day: remind }] };
        }
      }
      expect(complaint.status).toBe('unresolved');
      expect(noted).toBeLessThanOrEqual(1);
      expect(reminded).toEqual([...new Set(reminded)].sort((a, b) => a - b));
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});
