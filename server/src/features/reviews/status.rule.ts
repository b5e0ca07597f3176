import type { ReviewStatus } from '@broker-transparency/contract';
import { DomainError } from '../../platform/domain-error.ts';

/** The allowed moves from each state. A state without moves is final. */
export const REVIEW_MOVES: Readonly<Record<ReviewStatus, readonly ReviewStatus[]>> = {
  pending: ['published', 'rejected', 'withdrawn'],
  published: ['removed', 'withdrawn', 'withheld'],
  withheld: ['removed', 'withdrawn'],
  rejected: [],
  withdrawn: [],
  removed: [],
};

/** The moves that restore a rejected or removed review, after an appeal or our error. */
export const REINSTATEMENTS: typeof REVIEW_MOVES = {
  pending: [],
  published: [],
  withheld: ['published'],
  rejected: ['published'],
  withdrawn: [],
  removed: ['published'],
};

/** Returns true for states that prevent the author from writing another review of the same broker. */
export const isLive = (status: ReviewStatus): boolean => ['pending', 'published', 'withheld'].includes(status);

/** The moves that undo a merger of brokers. */
const SPLIT_MOVES: typeof REVIEW_MOVES = {
  ...REINSTATEMENTS,
  rejected: ['pending'],
  removed: ['published', 'withheld'],
};

/** A review taken down by a merger can still be withdrawn, so that a split does not restore it. */
const MERGED_MOVES: typeof REVIEW_MOVES = { ...REVIEW_MOVES, rejected: ['withdrawn'], removed: ['withdrawn'] };

/** The moves by their cause. */
export const MOVES = {
  moderator: REVIEW_MOVES,
  appeal: REINSTATEMENTS,
  split: SPLIT_MOVES,
  merged: MERGED_MOVES,
} as const;

/** @throws DomainError state_conflict naming the moves that are possible */
export const requireMove = (id: string, from: ReviewStatus, to: ReviewStatus, moves = REVIEW_MOVES): void => {
  const possible = moves[from];
  if (possible.includes(to)) return;
  const rest = possible.length === 0 ? 'That state is final.' : `From there it can become ${possible.join(', ')}.`;
  throw new DomainError('state_conflict', `Review ${id} is ${from} and cannot become ${to}. ${rest}`);
};
