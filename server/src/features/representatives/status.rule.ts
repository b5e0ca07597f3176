import { DomainError } from '../../platform/domain-error.ts';

/** The states of a person who is to answer for a broker. */
export const REPRESENTATIVE_STATES = ['requested', 'confirmed', 'active', 'ended'] as const;
export type RepresentativeState = (typeof REPRESENTATIVE_STATES)[number];

/** The allowed moves from each state. */
export const REPRESENTATIVE_MOVES: Readonly<Record<RepresentativeState, readonly RepresentativeState[]>> = {
  requested: ['confirmed', 'ended'],
  confirmed: ['active', 'ended'],
  active: ['ended'],
  ended: [],
};

/** @throws DomainError state_conflict */
export const requireRepresentativeMove = (id: string, from: RepresentativeState, to: RepresentativeState): void => {
  if (REPRESENTATIVE_MOVES[from].includes(to)) return;
  throw new DomainError('state_conflict', `Representative ${id} is ${from} and cannot become ${to}.`);
};
