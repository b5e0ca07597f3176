import { COMPLAINT_STATUSES, type ComplaintStatus } from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import { COMPLAINT_MOVES } from './status.ts';

/**
 * received → screening → forwarded → responded → resolved | unresolved; forwarded → unresolved when the final date
 * passes. Rejected: by us, so before it is forwarded. Withdrawn: by its author, as long as it is open. A new state does
 * not compile before it has a line here.
 */
const EXPECTED: Record<ComplaintStatus, ComplaintStatus[]> = {
  received: ['screening', 'rejected', 'withdrawn'],
  screening: ['forwarded', 'rejected', 'withdrawn'],
  forwarded: ['responded', 'unresolved', 'withdrawn'],
  responded: ['resolved', 'unresolved', 'withdrawn'],
  resolved: [],
  unresolved: [],
  rejected: [],
  withdrawn: [],
};

test('every state of the contract has its moves, and nothing else has', () => {
  expect(Object.keys(COMPLAINT_MOVES).sort()).toEqual([...COMPLAINT_STATUSES].sort());
  expect(Object.keys(EXPECTED).sort()).toEqual([...COMPLAINT_STATUSES].sort());
});

describe('a complaint', () => {
  test.each(
    COMPLAINT_STATUSES.flatMap((from) =>
      COMPLAINT_STATUSES.map((to) => ({ from, to, allowed: EXPECTED[from].includes(to) })),
    ),
  )('$from → $to is allowed: $allowed', ({ from, to, allowed }) => {
    expect(COMPLAINT_MOVES[from].includes(to)).toBe(allowed);
  });

  test('comes to every state', () => {
    const reached = new Set<ComplaintStatus>(['received']);
    for (const status of reached) for (const next of COMPLAINT_MOVES[status]) reached.add(next);
    expect([...reached].sort()).toEqual([...COMPLAINT_STATUSES].sort());
  });
});
