import { expect, test } from 'vitest';
import { COMPLAINT_CLOCK } from './policy.rule.ts';
import { type ComplaintTimes, findDuty, listSteps } from './progress.rule.ts';

const DAY = 86_400_000;
const START = new Date('2026-03-01T00:00:00Z');
const addDays = (days: number): Date => new Date(START.getTime() + days * DAY);

const received: ComplaintTimes = { status: 'received', createdAt: START };
const screening: ComplaintTimes = { ...received, status: 'screening', screenedAt: addDays(1) };
const forwarded: ComplaintTimes = { ...screening, status: 'forwarded', forwardedAt: addDays(2) };
const responded: ComplaintTimes = { ...forwarded, status: 'responded', respondedAt: addDays(5) };
const resolved: ComplaintTimes = { ...responded, status: 'resolved', closedAt: addDays(6) };
const rejected: ComplaintTimes = { ...screening, status: 'rejected', closedAt: addDays(3) };

test.each([
  [received, ['received']],
  [screening, ['received', 'screening']],
  [forwarded, ['received', 'screening', 'forwarded']],
  [responded, ['received', 'screening', 'forwarded', 'responded']],
  [resolved, ['received', 'screening', 'forwarded', 'responded', 'resolved']],
  [rejected, ['received', 'screening', 'rejected']],
] as const)('a complaint that is $status has gone through %s', (complaint, states) => {
  const steps = listSteps(complaint);
  expect(steps.map(({ status }) => status)).toEqual(states);
  expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted((a, b) => a.getTime() - b.getTime()));
});

const due = addDays(2 + COMPLAINT_CLOCK.dueDays);
const final = addDays(2 + COMPLAINT_CLOCK.finalDays);

test.each([
  [received, addDays(1), { by: 'operator', isOverdue: false }],
  [screening, addDays(400), { by: 'operator', isOverdue: false }],
  [forwarded, due, { by: 'broker', dueAt: due, finalAt: final, isOverdue: false }],
  [forwarded, new Date(due.getTime() + 1), { by: 'broker', dueAt: due, finalAt: final, isOverdue: true }],
  [responded, addDays(400), { by: 'operator', isOverdue: false }],
  [resolved, addDays(400), { by: 'nobody', isOverdue: false }],
  [rejected, addDays(400), { by: 'nobody', isOverdue: false }],
] as const)('%o has at %s the next step %o', (complaint, at, duty) => {
  expect(findDuty(complaint, at)).toEqual(duty);
});
