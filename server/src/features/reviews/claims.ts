import { ProblemError } from '../../http/problem/problem.ts';
import { type Actor, record } from '../../platform/audit/store.ts';
import type { Context } from '../../platform/context.ts';
import { type Tx, transaction } from '../../platform/mongo.ts';
import { requireReview } from './actions.ts';
import { ClaimedByAnother, newClaim, requireFree } from './claim.rule.ts';
import * as store from './store.ts';

/** What a moderator is known by. */
const nameOf = (actor: Actor): string => (actor.type === 'account' ? actor.accountId : actor.name);

/** @throws ProblemError state_conflict where somebody else works on the review */
export const requireUnclaimed = ({ actor, clock }: Context, review: store.ReviewDocument): void => {
  try {
    requireFree(String(review._id), review.claim, nameOf(actor), clock());
  } catch (error) {
    throw error instanceof ClaimedByAnother
      ? new ProblemError('state_conflict', error.message, { cause: error })
      : error;
  }
};

/** What the audit trail hears of a claim; who has it is the actor. */
const factsOf = ({ claim }: store.ReviewDocument) => ({ claimedUntil: claim?.until.toISOString() ?? null });

const claim = async (
  { actor, clock }: Context,
  review: store.ReviewDocument,
  tx: Tx,
): Promise<store.ReviewDocument> => {
  const claimed = { ...review, claim: newClaim(nameOf(actor), clock()) };
  await store.setClaim(review._id, claimed.claim, tx);
  const subject = { kind: 'review', id: String(review._id) } as const;
  const states = { before: factsOf(review), after: factsOf(claimed) };
  await record(actor, clock(), { action: 'review.claimed', subject, ...states, reason: 'taken_up' }, tx);
  return claimed;
};

const requirePending = async (id: string, tx: Tx): Promise<store.ReviewDocument> => {
  const review = await requireReview(id, tx);
  if (review.status !== 'pending')
    throw new ProblemError('state_conflict', `Review ${id} is ${review.status}: only a pending one can be claimed.`);
  return review;
};

/** Gives a pending review to a moderator for a quarter of an hour; again, where they hold it already. */
export const claimReview = (context: Context, id: string): Promise<store.ReviewDocument> =>
  transaction(async (tx) => {
    const review = await requirePending(id, tx);
    requireUnclaimed(context, review);
    return claim(context, review, tx);
  });

/** The same for the review the moderator holds, else the oldest that nobody holds. Undefined where there is none. */
export const claimNext = (context: Context): Promise<store.ReviewDocument | undefined> =>
  transaction(async (tx) => {
    const review = await store.nextInQueue(nameOf(context.actor), context.clock(), tx);
    return review ? claim(context, review, tx) : undefined;
  });

/** Gives a review back to the queue. @throws ProblemError state_conflict where another moderator holds it */
export const releaseReview = (context: Context, id: string): Promise<void> =>
  transaction(async (tx) => {
    const review = await requirePending(id, tx);
    requireUnclaimed(context, review);
    await store.setClaim(review._id, undefined, tx);
    const subject = { kind: 'review', id } as const;
    const entry = {
      action: 'review.released',
      subject,
      before: factsOf(review),
      after: { claimedUntil: null },
    } as const;
    await record(context.actor, context.clock(), { ...entry, reason: 'given_back' }, tx);
  });
