import { claimForSeat, claimNextCase, decideCase, previewStatement, releaseFromSeat, undoLast } from './decide.ts';
import { openCase, readInbox } from './inbox.ts';
import { bind, type Seat } from './seat.ts';

/** Returns what an operator does at the desk. Each action is judged and noted as the command of the same meaning. */
export const createDesk = (seat: Omit<Seat, 'policy'>) => ({
  inbox: bind(seat, readInbox),
  open: bind(seat, openCase),
  next: bind(seat, claimNextCase),
  decide: bind(seat, decideCase),
  preview: bind(seat, previewStatement),
  claim: bind(seat, claimForSeat),
  release: bind(seat, releaseFromSeat),
  undo: bind(seat, undoLast),
});
