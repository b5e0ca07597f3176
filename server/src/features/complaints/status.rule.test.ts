import { COMPLAINT_STATUSES, type ComplaintStatus } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { COMPLAINT_MOVES, requireMove } from './status.rule.ts';

/**
 * received → screening → forwarded → responded → resolved | unresolved; forwarded → unresolved after the final date. We
 * can reject a complaint until it is forwarded. Its author can withdraw it while it is open. A new state does not
 * compile until it has a row here.
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

test('every state of the contract has its moves', () => {
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

  test('a complaint can reach every state', () => {
    const reached = new Set<ComplaintStatus>(['received']);
    for (const status of reached) for (const next of COMPLAINT_MOVES[status]) reached.add(next);
    expect([...reached].sort()).toEqual([...COMPLAINT_STATUSES].sort());
  });
});

test('any sequence of moves follows the table, is short, and never leaves a final state', () => {
  const states = Object.keys(COMPLAINT_MOVES) as (keyof typeof COMPLAINT_MOVES)[];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...states), { maxLength: 40 }), (wanted) => {
      let state: keyof typeof COMPLAINT_MOVES = 'received';
      let moves = 0;
      for (const to of wanted) {
        const allowed: boolean = COMPLAINT_MOVES[state].includes(to);
        const move = () => requireMove('x', state, to);
        if (!allowed) expect(move).toThrow(DomainError);
        else {
          move();
          state = to;
          moves++;
        }
      }
      expect(moves).toBeLessThan(states.length);
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});
