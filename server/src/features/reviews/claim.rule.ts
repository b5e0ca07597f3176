/** How long a moderator has a review to themselves. */
const CLAIM_MINUTES = 15;

/** A moderator who works on a review, so that no second one does. */
export interface Claim {
  readonly by: string;
  readonly until: Date;
}

/** Somebody else works on the review. */
export class ClaimedByAnother extends Error {}

export const newClaim = (by: string, at: Date): Claim => ({
  by,
  until: new Date(at.getTime() + CLAIM_MINUTES * 60_000),
});

/** Who works on it at a time; a claim ends by itself. */
export const holderOf = (claim: Claim | undefined, at: Date): string | undefined =>
  claim && claim.until > at ? claim.by : undefined;

/** @throws ClaimedByAnother with who and how long */
export const requireFree = (id: string, claim: Claim | undefined, by: string, at: Date): void => {
  const holder = holderOf(claim, at);
  if (claim && holder !== undefined && holder !== by)
    throw new ClaimedByAnother(`Review ${id} is claimed by ${holder} until ${claim.until.toISOString()}.`);
};
