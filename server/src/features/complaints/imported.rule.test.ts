import { describe, expect, test } from 'vitest';
import { ComplaintRecord, replayComplaint } from './imported.rule.ts';

const NOW = new Date('2026-11-01T00:00:00Z');
const BASE = {
  reference: '1',
  broker: 'alpha',
  category: 'withdrawal',
  title: 'Withdrawal refused',
  content: 'I asked for my balance and have had no answer.',
  consentToForward: true,
  complainant: { subject: 'person-1' },
  createdAt: '2026-01-01T00:00:00Z',
} as const;
const T = {
  screenedAt: '2026-01-02T00:00:00Z',
  forwardedAt: '2026-01-03T00:00:00Z',
  respondedAt: '2026-01-10T00:00:00Z',
  closedAt: '2026-01-20T00:00:00Z',
} as const;
const replay = (fields: object) => replayComplaint(ComplaintRecord.parse({ ...BASE, ...fields }), NOW);
const { screenedAt, forwardedAt, respondedAt, closedAt } = T;

describe('an imported complaint', () => {
  test.each<[object, object]>([
    [{ status: 'received' }, { status: 'received' }],
    [
      { status: 'screening', screenedAt },
      { status: 'screening', screenedAt: new Date(screenedAt) },
    ],
    [
      { status: 'forwarded', forwardedAt },
      { status: 'forwarded', forwardedAt: new Date(forwardedAt) },
    ],
    [
      { status: 'responded', forwardedAt, respondedAt, answer: 'We paid.' },
      {
        status: 'responded',
        forwardedAt: new Date(forwardedAt),
        respondedAt: new Date(respondedAt),
        answer: 'We paid.',
      },
    ],
    [
      { status: 'resolved', ...T, ending: 'refunded' },
      {
        status: 'resolved',
        ending: 'refunded',
        screenedAt: new Date(screenedAt),
        forwardedAt: new Date(forwardedAt),
        respondedAt: new Date(respondedAt),
        closedAt: new Date(closedAt),
      },
    ],
    [
      { status: 'unresolved', forwardedAt, closedAt: '2026-03-10T00:00:00Z', ending: 'no_answer' },
      {
        status: 'unresolved',
        ending: 'no_answer',
        forwardedAt: new Date(forwardedAt),
        closedAt: new Date('2026-03-04'),
      },
    ],
    [
      { status: 'rejected', closedAt, ending: 'duplicate' },
      { status: 'rejected', ending: 'duplicate', closedAt: new Date(closedAt) },
    ],
    [
      { status: 'withdrawn', forwardedAt, closedAt, ending: 'by_author' },
      { status: 'withdrawn', ending: 'by_author', forwardedAt: new Date(forwardedAt), closedAt: new Date(closedAt) },
    ],
  ])('%j takes the steps of a live one', (fields, set) => {
    expect(replay(fields)).toEqual({ set });
  });

  test.each<[object, string, RegExp]>([
    [{ status: 'forwarded' }, 'forwardedAt', /must be there for a complaint that is forwarded/],
    [{ status: 'received', forwardedAt }, 'forwardedAt', /must be empty for a complaint that is received/],
    [{ status: 'received', createdAt: '2027-01-01T00:00:00Z' }, 'createdAt', /must not be in the future/],
    [{ status: 'forwarded', forwardedAt: '2025-12-31T00:00:00Z' }, 'forwardedAt', /must not be before the step before/],
    [{ status: 'forwarded', forwardedAt: '2027-01-01T00:00:00Z' }, 'forwardedAt', /must not be in the future/],
    [{ status: 'forwarded', forwardedAt, consentToForward: false }, 'forwardedAt', /does not consent/],
    [{ status: 'resolved', ...T, ending: 'duplicate' }, 'ending', /must be one for a complaint that is resolved/],
    [{ status: 'rejected', closedAt, ending: 'refunded' }, 'ending', /must be one for a complaint that is rejected/],
    [{ status: 'withdrawn', closedAt, ending: 'duplicate' }, 'ending', /must be one for a complaint that is withdrawn/],
    [
      { status: 'unresolved', forwardedAt, closedAt: '2026-02-01T00:00:00Z', ending: 'no_answer' },
      'closedAt',
      /waits for the broker until 2026-03-04/,
    ],
    [
      { status: 'responded', forwardedAt, respondedAt: '2026-06-01T00:00:00Z' },
      'respondedAt',
      /its final date was 2026-03-04/,
    ],
    [
      { status: 'received', verification: { provider: 'p', person: 'x', verifiedAt: '2026-02-01T00:00:00Z' } },
      'verification.verifiedAt',
      /must not be after createdAt/,
    ],
  ])('%j is refused in column %s', (fields, column, detail) => {
    expect(replay(fields)).toEqual({ column, detail: expect.stringMatching(detail) });
  });
});
