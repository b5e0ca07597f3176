import { DomainError } from '../../platform/domain-error.ts';

/** Minutes for which a claim reserves an item. */
const CLAIM_MINUTES = 15;

/** A reservation of an item of work for one operator. */
export interface Claim {
  readonly by: string;
  readonly until: Date;
  /** The terminal that shows the review, since one moderator can have two terminals. */
  readonly terminal?: string;
}

export const createClaim = (by: string, at: Date, terminal?: string): Claim => ({
  by,
  until: new Date(at.getTime() + CLAIM_MINUTES * 60_000),
  ...(terminal === undefined ? {} : { terminal }),
});

/** Returns the operator who holds the claim at a time, or undefined if it has expired. */
export const findHolder = (claim: Claim | undefined, at: Date): string | undefined =>
  claim && claim.until > at ? claim.by : undefined;

/**
 * Returns true if a terminal can claim a review: nobody holds it, or the same moderator does without another terminal.
 */
export const isFreeFor = (claim: Claim | undefined, by: string, terminal: string, at: Date): boolean => {
  const holder = findHolder(claim, at);
  return holder === undefined || (holder === by && (claim?.terminal ?? terminal) === terminal);
};

/**
 * @param item as a message names it: `Review 6b01…`
 * @throws DomainError state_conflict naming the operator who holds the claim, and its end
 */
export const requireFree = (item: string, claim: Claim | undefined, by: string, at: Date): void => {
  const holder = findHolder(claim, at);
  if (claim && holder !== undefined && holder !== by)
    throw new DomainError('state_conflict', `${item} is claimed by ${holder} until ${claim.until.toISOString()}.`);
};
