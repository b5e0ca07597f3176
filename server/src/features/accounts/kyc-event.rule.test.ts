import { describe, expect, test } from 'vitest';
import { isFromFuture, isOvertaken, KycEvent } from './kyc-event.rule.ts';

const data = { subject: 'alice', status: 'verified', provider: 'acme', occurredAt: '2026-11-02T09:30:00.000Z' };
const parse = (over: object) => KycEvent.safeParse({ type: 'kyc.updated', data: { ...data, ...over } });
const NOON = new Date('2026-11-02T12:00:00.000Z');
const at = (ms: number): Date => new Date(NOON.getTime() + ms);

describe('an event', () => {
  test('an event is accepted with and without its optional fields', () => {
    expect(parse({}).data?.data.occurredAt).toEqual(new Date(data.occurredAt));
    const more = { personReference: 'p-1', verifiedAt: '2026-11-01T00:00:00Z', expiresAt: '2027-11-01T00:00:00Z' };
    expect(parse(more).data?.data.expiresAt).toEqual(new Date('2027-11-01T00:00:00Z'));
  });

  test.each<[object, PropertyKey[]]>([
    [{ subject: ' ' }, ['subject']],
    [{ subject: undefined }, ['subject']],
    [{ status: 'approved' }, ['status']],
    [{ provider: '' }, ['provider']],
    [{ occurredAt: '2026-11-02' }, ['occurredAt']],
    [{ occurredAt: undefined }, ['occurredAt']],
    [{ expiresAt: data.occurredAt }, ['expiresAt']],
    [{ verifiedAt: '2027-01-01T00:00:00Z', expiresAt: '2026-12-01T00:00:00Z' }, ['expiresAt']],
    [{ passport: 'X123' }, []],
  ])('an event with %j is refused at that place', (over, path) => {
    expect(parse(over).error?.issues.map((issue) => issue.path)).toEqual([['data', ...path]]);
  });

  test('an event of another type is refused', () => {
    expect(KycEvent.safeParse({ type: 'kyc.deleted', data }).error?.issues.map((issue) => issue.path)).toEqual([
      ['type'],
    ]);
  });
});

test.each([
  [-86_400_000, false],
  [300_000, false],
  [300_001, true],
])('an event %d ms from now is from the future: %s', (ms, future) => {
  expect(isFromFuture(at(ms), NOON)).toBe(future);
});

test.each([
  [-1, true],
  [0, false],
  [1, false],
])('an event %d ms after the last change is overtaken: %s', (ms, overtaken) => {
  expect(isOvertaken({ occurredAt: at(ms) }, { changedAt: NOON })).toBe(overtaken);
  expect(isOvertaken({ occurredAt: at(ms) }, {})).toBe(false);
});
