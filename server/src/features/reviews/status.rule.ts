import type { ReviewStatus } from '@broker-transparency/contract';
import { DomainError } from '../../platform/domain-error.ts';

/** Where a review may go from each state. A state with nowhere to go is final. */
export const REVIEW_MOVES: Readonly<Record<ReviewStatus, readonly ReviewStatus[]>> = {
  pending: ['published', 'rejected', 'withdrawn'],
  published: ['removed', 'withdrawn'],
  rejected: [],
  withdrawn: [],
  removed: [],
};

/** Where an appeal may bring a review back to. Nothing else leaves these states. */
export const REINSTATEMENTS: typeof REVIEW_MOVES = {
  pending: [],
  published: [],
  rejected: ['published'],
  withdrawn: [],
  removed: ['published'],
};

/** A review that is in one of these states keeps its author from writing another one about the same broker. */
export const isLive = (status: ReviewStatus): boolean => status === 'pending' || status === 'published';

/** @throws DomainError state_conflict, with what would be possible */
export const requireMove = (id: string, from: ReviewStatus, to: ReviewStatus, moves = REVIEW_MOVES): void => {
  const possible = moves[from];
  if (possible.includes(to)) return;
  const rest = possible.length === 0 ? 'That state is final.' : `From there it can become ${possible.join(', ')}.`;
  throw new DomainError('state_conflict', `Review ${id} is ${from} and cannot become ${to}. ${rest}`);
};
