import { DomainError } from '../../platform/domain-error.ts';

/** Minutes for which a claim reserves a review. */
const CLAIM_MINUTES = 15;

/** A reservation of a review for one moderator. */
export interface ReviewClaim {
  readonly by: string;
  readonly until: Date;
  /** The terminal that shows the review, since one moderator can have two terminals. */
  readonly terminal?: string;
}

export const createClaim = (by: string, at: Date, terminal?: string): ReviewClaim => ({
  by,
  until: new Date(at.getTime() + CLAIM_MINUTES * 60_000),
  ...(terminal === undefined ? {} : { terminal }),
});

/** Returns the moderator who holds the claim at a time, or undefined if it has expired. */
export const findHolder = (claim: ReviewClaim | undefined, at: Date): string | undefined =>
  claim && claim.until > at ? claim.by : undefined;

/**
 * Returns true if a terminal can claim a review: nobody holds it, or the same moderator does without another terminal.
 */
export const isFreeFor = (claim: ReviewClaim | undefined, by: string, terminal: string, at: Date): boolean => {
  const holder = findHolder(claim, at);
  return holder === undefined || (holder === by && (claim?.terminal ?? terminal) === terminal);
};

/** @throws DomainError state_conflict naming the moderator who holds the claim, and its end */
export const requireFree = (id: string, claim: ReviewClaim | undefined, by: string, at: Date): void => {
  const holder = findHolder(claim, at);
  if (claim && holder !== undefined && holder !== by)
    throw new DomainError('state_conflict', `Review ${id} is claimed by ${holder} until ${claim.until.toISOString()}.`);
};
