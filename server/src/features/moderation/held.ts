import { actorName } from '../../ledger/audit/store.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { claimReview } from '../reviews/claims.ts';
import { decideReview, type MovingVerdict, requireDecidable } from './actions.ts';
import * as store from './held-store.ts';
import { buildStatement } from './statement.rule.ts';

export type { HeldDecision } from './held-store.ts';

/** Milliseconds for which a decision can be taken back, unless the same moderator makes the next one. */
export const HELD_MS = 60_000;

/** A verdict that can be held. */
export interface HoldableVerdict extends MovingVerdict {
  readonly kind: 'publish' | 'reject';
}

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
  await claimReview(context, reviewId);
  const { actor } = context;
  await inTransaction(context, async (c) => {
    await requireDecidable(c, reviewId);
    if (await store.findHeld(reviewId, c.tx))
      throw new DomainError('state_conflict', `Review ${reviewId} is decided already. Take that back first.`);
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

/** Writes one decision, as the moderator who made it. Returns false if the review cannot be decided any more. */
const writeDecision = async (context: Context, { _id, by, token, kind, reasonCode, note }: store.HeldDecision) => {
  const isTaken = await inTransaction(context, async (c) => (await store.takeHeld(_id, c.tx)) !== null);
  if (!isTaken) return true;
  const actor = { type: 'operator', name: by, ...(token === undefined ? {} : { token }) } as const;
  try {
    await decideReview({ ...context, actor }, _id, { kind, reasonCode, note });
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false; // withdrawn or erased meanwhile, or its author has another one
    throw error;
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

/** Writes the held decisions that can no longer be taken back. */
export const writeOldDecisions = (context: Context) => {
  const before = context.clock().getTime() - HELD_MS;
  return writeDecisions(context, ({ heldAt }) => heldAt.getTime() <= before);
};
