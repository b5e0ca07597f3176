import type { ComplaintStatus } from '@broker-transparency/contract';
import { DomainError } from '../../platform/domain-error.ts';

/** The allowed moves from each state. A state without moves is final. */
export const COMPLAINT_MOVES: Readonly<Record<ComplaintStatus, readonly ComplaintStatus[]>> = {
  received: ['screening', 'rejected', 'withdrawn'],
  screening: ['forwarded', 'rejected', 'withdrawn'],
  forwarded: ['responded', 'unresolved', 'withdrawn'],
  responded: ['resolved', 'unresolved', 'withdrawn'],
  resolved: [],
  unresolved: [],
  rejected: [],
  withdrawn: [],
};

export const isFinal = (status: ComplaintStatus): boolean => COMPLAINT_MOVES[status].length === 0;

/** @throws DomainError state_conflict naming the moves that are possible */
export const requireMove = (reference: string, from: ComplaintStatus, to: ComplaintStatus): void => {
  const possible = COMPLAINT_MOVES[from];
  if (possible.includes(to)) return;
  const rest = isFinal(from) ? 'That state is final.' : `From there it can become ${possible.join(', ')}.`;
  throw new DomainError('state_conflict', `Complaint ${reference} is ${from} and cannot become ${to}. ${rest}`);
};
