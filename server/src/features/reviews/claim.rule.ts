import { DomainError } from '../../platform/domain-error.ts';

/** How long a moderator has a review to themselves. */
const CLAIM_MINUTES = 15;

/** A moderator who works on a review, so that no second one does. */
export interface Claim {
  readonly by: string;
  readonly until: Date;
}

export const newClaim = (by: string, at: Date): Claim => ({
  by,
  until: new Date(at.getTime() + CLAIM_MINUTES * 60_000),
});

/** Who works on it at a time; a claim ends by itself. */
export const holderOf = (claim: Claim | undefined, at: Date): string | undefined =>
  claim && claim.until > at ? claim.by : undefined;

/** @throws DomainError state_conflict, with who works on it and how long */
export const requireFree = (id: string, claim: Claim | undefined, by: string, at: Date): void => {
  const holder = holderOf(claim, at);
  if (claim && holder !== undefined && holder !== by)
    throw new DomainError('state_conflict', `Review ${id} is claimed by ${holder} until ${claim.until.toISOString()}.`);
};
