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

/** The moves by which what was taken down comes back: by an appeal, or since it was our error. */
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

/** The moves that undo what a merger of brokers did. */
const SPLIT_MOVES: typeof REVIEW_MOVES = {
  ...REINSTATEMENTS,
  rejected: ['pending'],
  removed: ['published', 'withheld'],
};

/** What went only since brokers were merged can still be withdrawn, so that a split does not bring it back. */
const MERGED_MOVES: typeof REVIEW_MOVES = { ...REVIEW_MOVES, rejected: ['withdrawn'], removed: ['withdrawn'] };

/** The moves that somebody can make, or that are possible for what a merger took down. */
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
