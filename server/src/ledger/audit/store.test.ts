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

test('stores who did what, when and why, and what changed', () => {
  const { _id, ...stored } = toStored(ACTOR, AT, ENTRY);
  expect(stored).toEqual({ at: AT, actor: ACTOR, ...ENTRY });
});

test('accepts an import run as the reason', () => {
  expect(toStored(ACTOR, AT, { ...ENTRY, reason: 'import:0f3a5c77b1e2' }).reason).toBe('import:0f3a5c77b1e2');
});

test.each(['', 'He was rude', 'submitted!', 'Submitted'])(
  'refuses the reason %j, since free text could be about a person',
  (reason) => {
    expect(() => toStored(ACTOR, AT, { ...ENTRY, reason })).toThrow(/codes for reasons/);
  },
);

test.each(['before', 'after'])('refuses an entry without %s', (part) => {
  expect(() => toStored(ACTOR, AT, { ...ENTRY, [part]: undefined })).toThrow(/has to say what changed/);
});
