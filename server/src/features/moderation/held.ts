import { actorName } from '../../ledger/audit/store.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { claimReview, releaseReview } from '../reviews/claims.ts';
import { decideReviewIn, type MovingVerdict, requireDecidable } from './actions.ts';
import * as store from './held-store.ts';
import { buildStatement } from './statement.rule.ts';

export type { HeldDecision } from './held-store.ts';

/** Milliseconds for which a decision can be taken back, unless the same moderator makes the next one. */
export const HELD_MS = 60_000;

/** A verdict that can be held. */
export interface HoldableVerdict extends MovingVerdict {
  readonly kind: 'publish' | 'reject';
}

/** Milliseconds for which the operator reads that a decision could not be written. */
const REFUSED_SHOWN_MS = 86_400_000;

/** @throws DomainError state_conflict */
const requireNotHeld = async ({ tx }: TxContext, reviewId: string): Promise<void> => {
  if (await store.isHeld(reviewId, tx))
    throw new DomainError('state_conflict', `Review ${reviewId} is decided already. Take that back first.`);
};

/** Reserves a review about which no decision is held. @throws DomainError review_not_found, state_conflict */
export const claimUndecided = (context: Context, id: string) => claimReview(context, id, (c) => requireNotHeld(c, id));

/**
 * Returns a review to the queue about which no decision is held: until it is written, nobody else decides.
 * @throws DomainError review_not_found, state_conflict
 */
export const releaseUndecided = (context: Context, id: string): Promise<void> =>
  releaseReview(context, id, (c) => requireNotHeld(c, id));

/**
 * Holds a decision about a pending review, which the moderator claims: until it is written, they can take it back, and
 * nobody else can decide.
 * @throws NeedsAnother for whoever takes part in it
 * @throws DomainError review_not_found, state_conflict
 */
export const holdDecision = async (
  context: Context,
  reviewId: string,
  { kind, reasonCode, note }: HoldableVerdict,
): Promise<void> => {
  buildStatement({ kind, reasonCode, note }, { isReported: false }); // throws if something is missing
  const { actor } = context;
  await claimReview(context, reviewId, async (c) => {
    await requireDecidable(c, reviewId);
    await requireNotHeld(c, reviewId);
    await store.deleteRefused({ _id: reviewId }, c.tx);
    const held = {
      _id: reviewId,
      by: actorName(actor),
      ...(actor.type === 'operator' && actor.token !== undefined ? { token: actor.token } : {}),
      kind,
      ...(reasonCode === undefined ? {} : { reasonCode }),
      ...(note === undefined ? {} : { note }),
      heldAt: c.now,
    };
    await store.insertHeld(held, c.tx);
  });
};

/** Takes a held decision back. Returns false if it is written, or another moderator's. */
export const takeBackDecision = (context: Context, reviewId: string): Promise<boolean> =>
  inTransaction(context, async (c) => {
    const held = await store.takeHeld(reviewId, c.tx);
    if (!held) return false;
    if (held.by === actorName(c.actor)) return true;
    await store.insertHeld(held, c.tx);
    return false;
  });

/** Lists the decisions that are not written yet. */
export const listHeldDecisions = (db: Db) => store.listHeld(db);

/** Lists the reviews whose decision by an operator could not be written within the last day. */
export const listRefusedDecisions = async (db: Db, by: string): Promise<string[]> =>
  (await store.listRefused(db, by)).map(({ _id }) => _id);

/**
 * Writes one decision, as the moderator who made it: it is taken and written together. Returns false if the review
 * cannot be decided any more, which is audited.
 */
const writeDecision = async (context: Context, { _id, by, token, heldAt }: store.HeldDecision): Promise<boolean> => {
  const actor = { type: 'operator', name: by, ...(token === undefined ? {} : { token }) } as const;
  try {
    await inTransaction({ ...context, actor }, async (c) => {
      const taken = await store.takeHeld(_id, c.tx, heldAt);
      if (taken) await decideReviewIn(c, _id, taken);
    });
    return true;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    await inTransaction({ ...context, actor }, async (c) => {
      if (!(await store.refuseHeld(_id, { at: c.now, heldAt }, c.tx))) return;
      const change = { before: { held: true }, after: { held: false }, reason: 'review_changed' };
      c.audit('review.decision_refused', { kind: 'review', id: _id }, change);
    });
    return false; // withdrawn, erased or decided meanwhile, or its author has another one
  }
};

/**
 * Writes held decisions that satisfy a condition.
 * @returns the ids of reviews that could not be decided any more
 */
export const writeDecisions = async (
  context: Context,
  isDue: (held: store.HeldDecision) => boolean,
): Promise<{ readonly written: number; readonly refused: readonly string[] }> => {
  const refused: string[] = [];
  const due = (await store.listHeld(context.db)).filter(isDue);
  for (const held of due) if (!(await writeDecision(context, held))) refused.push(held._id);
  return { written: due.length - refused.length, refused };
};

/** Writes the held decisions that can no longer be taken back, and forgets old ones that could not be written. */
export const writeOldDecisions = async (context: Context) => {
  const now = context.clock().getTime();
  await inTransaction(context, (c) =>
    store.deleteRefused({ refusedAt: { $lte: new Date(now - REFUSED_SHOWN_MS) } }, c.tx),
  );
  return writeDecisions(context, ({ heldAt }) => heldAt.getTime() <= now - HELD_MS);
};
