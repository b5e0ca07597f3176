import { REVIEW_STATUSES, type ReviewStatus } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { isLive, REINSTATEMENTS, REVIEW_MOVES, requireMove } from './status.rule.ts';

/** The expected moves, independent of the rule. A new state does not compile until it has a row here. */
const EXPECTED: Record<ReviewStatus, { to: ReviewStatus[]; live: boolean; message: string }> = {
  pending: {
    to: ['published', 'rejected', 'withdrawn'],
    live: true,
    message: 'From there it can become published, rejected, withdrawn.',
  },
  published: {
    to: ['removed', 'withdrawn', 'withheld'],
    live: true,
    message: 'From there it can become removed, withdrawn, withheld.',
  },
  withheld: {
    to: ['removed', 'withdrawn'],
    live: true,
    message: 'From there it can become removed, withdrawn.',
  },
  rejected: { to: [], live: false, message: 'That state is final.' },
  withdrawn: { to: [], live: false, message: 'That state is final.' },
  removed: { to: [], live: false, message: 'That state is final.' },
};

const everyMove = REVIEW_STATUSES.flatMap((from) =>
  REVIEW_STATUSES.map((to) => ({ from, to, allowed: EXPECTED[from].to.includes(to) })),
);

test('every state of the contract has its moves', () => {
  expect(Object.keys(REVIEW_MOVES).sort()).toEqual([...REVIEW_STATUSES].sort());
  expect(Object.keys(EXPECTED).sort()).toEqual([...REVIEW_STATUSES].sort());
});

describe('a review', () => {
  test.each(everyMove)('$from → $to is allowed: $allowed', ({ from, to, allowed }) => {
    expect(REVIEW_MOVES[from].includes(to)).toBe(allowed);
    const move = () => requireMove('r1', from, to);
    if (allowed) expect(move).not.toThrow();
    else
      expect(move).toThrow(
        new DomainError('state_conflict', `Review r1 is ${from} and cannot become ${to}. ${EXPECTED[from].message}`),
      );
  });

  test.each(REVIEW_STATUSES)('a review in state %s is live as expected', (status) => {
    expect(isLive(status)).toBe(EXPECTED[status].live);
  });

  test('refuses a forbidden move of a review with a DomainError', () => {
    expect(() => requireMove('r1', 'removed', 'published')).toThrow(DomainError);
  });
});

describe('a person without a live review', () => {
  test.each(everyMove.filter(({ allowed }) => allowed))(
    'a person without a live review gets none by $from → $to',
    ({ from, to }) => {
      expect(isLive(from) || !isLive(to)).toBe(true);
    },
  );
});

describe('an appeal', () => {
  test.each(everyMove)('allows $from → $to only after something was taken down', ({ from, to }) => {
    const possible = ['rejected', 'removed', 'withheld'].includes(from) && to === 'published';
    const move = () => requireMove('r1', from, to, REINSTATEMENTS);
    if (possible) expect(move).not.toThrow();
    else expect(move).toThrow(DomainError);
  });
});

test('any sequence of moves follows the table, is short, and never leaves a final state', () => {
  const states = Object.keys(REVIEW_MOVES) as (keyof typeof REVIEW_MOVES)[];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...states), { maxLength: 40 }), (wanted) => {
      let state: keyof typeof REVIEW_MOVES = 'pending';
      let moves = 0;
      for (const to of wanted) {
        const allowed: boolean = REVIEW_MOVES[state].includes(to);
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
