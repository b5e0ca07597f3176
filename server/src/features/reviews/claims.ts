import { actorName } from '../../ledger/audit/store.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { createClaim, isFreeFor, requireFree } from '../claims/claim.rule.ts';
import { requireReview } from './actions.ts';

import * as store from './store.ts';

/** @throws DomainError state_conflict if another moderator has claimed the review */
export const requireUnclaimed = ({ actor, now }: TxContext, review: store.ReviewDocument): void =>
  requireFree(`Review ${review._id}`, review.claim, actorName(actor), now);

/** Returns the facts of a claim for the audit trail, which names its holder as the actor. */
const toAuditFacts = ({ claim }: store.ReviewDocument) => ({ claimedUntil: claim?.until.toISOString() ?? null });

const saveClaim = async (
  c: TxContext,
  review: store.ReviewDocument,
  terminal?: string,
): Promise<store.ReviewDocument> => {
  const claimed = { ...review, claim: createClaim(actorName(c.actor), c.now, terminal) };
  await store.setClaim(review._id, claimed.claim, c.tx);
  c.audit(
    'review.claimed',
    { kind: 'review', id: String(review._id) },
    { before: toAuditFacts(review), after: toAuditFacts(claimed), reason: 'taken_up' },
  );
  return claimed;
};

const requirePending = async (c: TxContext, id: string): Promise<store.ReviewDocument> => {
  const review = await requireReview(c, id);
  if (review.status !== 'pending')
    throw new DomainError('state_conflict', `Review ${id} is ${review.status}: only a pending one can be claimed.`);
  return review;
};

/** Something that is required or done in the same transaction. */
type Also = (c: TxContext) => Promise<void>;

/** Reserves a pending review for the calling moderator for 15 minutes, or extends their claim. */
export const claimReview = (context: Context, id: string, also?: Also): Promise<store.ReviewDocument> =>
  inTransaction(context, async (c) => {
    const review = await requirePending(c, id);
    requireUnclaimed(c, review);
    await also?.(c);
    return saveClaim(c, review);
  });

/**
 * Claims a review for one terminal. Returns undefined if it is no longer pending, or if another moderator or terminal
 * holds it.
 */
export const claimForTerminal = (
  context: Context,
  id: string,
  terminal: string,
): Promise<store.ReviewDocument | undefined> =>
  inTransaction(context, async (c) => {
    const review = await store.findReview(c.db, id, c.tx);
    if (review?.status !== 'pending') return undefined;
    return isFreeFor(review.claim, actorName(c.actor), terminal, c.now) ? saveClaim(c, review, terminal) : undefined;
  });

/**
 * Claims the review that the moderator already holds, or else the oldest free one. Returns undefined if there is none.
 */
export const claimNext = (context: Context): Promise<store.ReviewDocument | undefined> =>
  inTransaction(context, async (c) => {
    const review = await store.findNextInQueue(actorName(c.actor), c.now, c.tx);
    return review ? saveClaim(c, review) : undefined;
  });

/** Returns a review to the queue. @throws DomainError state_conflict if another moderator holds it */
export const releaseReview = (context: Context, id: string, also?: Also): Promise<void> =>
  inTransaction(context, async (c) => {
    const review = await requirePending(c, id);
    requireUnclaimed(c, review);
    await also?.(c);
    await store.setClaim(review._id, undefined, c.tx);
    const [before, after] = [toAuditFacts(review), { claimedUntil: null }];
    c.audit('review.released', { kind: 'review', id }, { before, after, reason: 'given_back' });
  });
