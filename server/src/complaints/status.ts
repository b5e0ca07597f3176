import type { ComplaintStatus } from '@broker-transparency/contract';

/** Where a complaint may go from each state. A state with nowhere to go is final. */
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
