import { COMPLAINT_STATUSES } from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import { type CorrectableComplaint, type Correction, correct } from './correction.rule.ts';

const DAY = 86_400_000;
const SENT = new Date('2026-08-01T00:00:00Z');
const after = (days: number): Date => new Date(SENT.getTime() + days * DAY);
const NOW = after(100);

const complaint = (over: Partial<CorrectableComplaint>): CorrectableComplaint => ({
  _id: 'C-1',
  status: 'unresolved',
  consentToForward: true,
  createdAt: after(-5),
  screenedAt: after(-4),
  forwardedAt: SENT,
  ...over,
});
const found = (days: number): Correction => ({ code: 'answer_found', answeredAt: after(days) });
const outcome = (code: 'explained' | 'no_answer' | 'refunded' | 'rejected_by_broker'): Correction => ({
  code: 'wrong_outcome',
  outcome: code,
});
const MISTAKE: Correction = { code: 'ended_by_mistake' };

describe('a correction', () => {
  test.each<[string, Partial<CorrectableComplaint>, Correction, object]>([
    [
      'of silence by an answer in time waits for a decision again',
      { ending: 'no_answer' },
      found(9),
      {
        set: { status: 'responded', respondedAt: after(9), correctedAt: NOW },
        unset: ['closedAt', 'ending'],
        noted: { timely: true },
      },
    ],
    [
      'of silence by a late answer does so too',
      { ending: 'no_answer' },
      found(40),
      { set: { status: 'responded' }, noted: { timely: false } },
    ],
    [
      'of the time of an answer leaves how it ended',
      { status: 'resolved', ending: 'explained', respondedAt: after(40) },
      found(9),
      { set: { status: 'resolved', respondedAt: after(9) }, unset: [], noted: { timely: true } },
    ],
    [
      'of an outcome keeps the day on which it ended',
      { status: 'unresolved', ending: 'rejected_by_broker', respondedAt: after(9) },
      outcome('explained'),
      { set: { status: 'resolved', ending: 'explained', correctedAt: NOW }, unset: [] },
    ],
    [
      'of a rejection goes back to the examination',
      { status: 'rejected', forwardedAt: undefined } as never,
      MISTAKE,
      { set: { status: 'screening' } },
    ],
    [
      'of a withdrawal goes back to the broker',
      { status: 'withdrawn', ending: 'by_author' },
      MISTAKE,
      { set: { status: 'forwarded' }, unset: ['closedAt', 'ending'] },
    ],
    [
      'of a withdrawal after the answer goes back to it',
      { status: 'withdrawn', respondedAt: after(9) },
      MISTAKE,
      { set: { status: 'responded' } },
    ],
  ])('%s', (_, over, correction, expected) => {
    expect(correct(complaint(over), correction, NOW)).toMatchObject(expected);
  });

  test.each<[string, Partial<CorrectableComplaint>, Correction, string]>([
    ['an answer after the final date', { ending: 'no_answer' }, found(80), 'final date'],
    ['an answer before it was sent', { ending: 'no_answer' }, found(-1), 'was forwarded on'],
    ['an answer to come', { ending: 'no_answer' }, found(101), 'in the future'],
    ['an answer to one that waits for it', { status: 'forwarded' }, found(9), 'complaint answer'],
    ['an answer to one that was rejected', { status: 'rejected' }, found(9), 'has an answer'],
    [
      'silence as an outcome',
      { status: 'resolved', ending: 'explained', respondedAt: after(9) },
      outcome('no_answer'),
      'clocks',
    ],
    ['an outcome without an answer', { ending: 'no_answer' }, outcome('explained'), 'correct that first'],
    [
      'the same outcome',
      { status: 'resolved', ending: 'explained', respondedAt: after(9) },
      outcome('explained'),
      'already',
    ],
    ['an outcome of an open one', { status: 'responded', respondedAt: after(9) }, outcome('explained'), 'that ended'],
    [
      'an open one as ended by mistake',
      { status: 'responded', respondedAt: after(9) },
      MISTAKE,
      'rejected or withdrawn',
    ],
    ['one of an erased person', { status: 'withdrawn', ending: 'person_erased' }, MISTAKE, 'erased'],
  ])('refuses %s', (_, over, correction, message) => {
    expect(() => correct(complaint(over), correction, NOW)).toThrow(message);
  });

  test.each(COMPLAINT_STATUSES.filter((status) => status !== 'rejected' && status !== 'withdrawn'))(
    'opens no complaint again that is %s',
    (status) => {
      expect(() => correct(complaint({ status }), MISTAKE, NOW)).toThrow(status);
    },
  );
});
