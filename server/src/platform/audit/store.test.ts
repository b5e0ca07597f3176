import { expect, test } from 'vitest';
import { type AuditEntry, toStored } from './store.ts';

const AT = new Date('2026-01-02T03:04:05Z');
const ACTOR = { type: 'operator', name: 'maria' } as const;
const ENTRY: AuditEntry = {
  action: 'review.submitted',
  subject: { kind: 'review', id: 'r1' },
  before: null,
  after: { status: 'pending' },
  reason: 'submitted',
};

test('an entry says who did what, when, why, and what it changed', () => {
  const { _id, ...stored } = toStored(ACTOR, AT, ENTRY);
  expect(stored).toEqual({ at: AT, actor: ACTOR, ...ENTRY });
});

test('a run may be the reason', () => {
  expect(toStored(ACTOR, AT, { ...ENTRY, reason: 'import:0f3a5c77b1e2' }).reason).toBe('import:0f3a5c77b1e2');
});

test.each(['', 'He was rude', 'submitted!', 'Submitted'])(
  'the reason %j is refused: it could be about a person',
  (reason) => {
    expect(() => toStored(ACTOR, AT, { ...ENTRY, reason })).toThrow(/codes for reasons/);
  },
);

test.each(['before', 'after'])('an entry that leaves out %s is refused', (part) => {
  expect(() => toStored(ACTOR, AT, { ...ENTRY, [part]: undefined })).toThrow(/has to say what changed/);
});
