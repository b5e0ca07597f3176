import type { SubjectKind } from '../../ledger/audit/actions.ts';
import { actorName } from '../../ledger/audit/store.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import type { Db } from '../../platform/mongo.ts';
import { type Claim, createClaim, requireFree } from './claim.rule.ts';
import * as store from './store.ts';

const toClaimId = (kind: SubjectKind, id: string): string => `${kind}:${id}`;

const describeCase = (kind: SubjectKind, id: string): string => `${kind[0]?.toUpperCase()}${kind.slice(1)} ${id}`;

/**
 * Requires that no other operator works on a case. Actions of the service or of an account need no claim.
 * @throws DomainError state_conflict
 */
export const requireUnclaimedCase = async (c: TxContext, kind: SubjectKind, id: string): Promise<void> => {
  if (c.actor.type !== 'operator') return;
  const claim = await store.findClaim(c.db, toClaimId(kind, id), c.tx);
  requireFree(describeCase(kind, id), claim ?? undefined, actorName(c.actor), c.now);
};

/** Reserves a case for the calling operator, or extends their claim. @throws DomainError state_conflict */
export const claimCase = (context: Context, kind: SubjectKind, id: string): Promise<Claim> =>
  inTransaction(context, async (c) => {
    await requireUnclaimedCase(c, kind, id);
    const claim = createClaim(actorName(c.actor), c.now);
    await store.putClaim({ _id: toClaimId(kind, id), ...claim }, c.now, c.tx);
    const after = { claimedUntil: claim.until.toISOString() };
    c.audit('case.claimed', { kind: 'case', id: toClaimId(kind, id) }, { before: null, after, reason: 'taken_up' });
    return claim;
  });

/** Gives a case back. @throws DomainError state_conflict if another operator holds it */
export const releaseCase = (context: Context, kind: SubjectKind, id: string): Promise<void> =>
  inTransaction(context, async (c) => {
    await requireUnclaimedCase(c, kind, id);
    await store.removeClaim(toClaimId(kind, id), c.tx);
    const change = { before: null, after: { claimedUntil: null }, reason: 'given_back' };
    c.audit('case.released', { kind: 'case', id: toClaimId(kind, id) }, change);
  });

/** Returns the claims that hold now, by kind and id of their case. */
export const listClaims = async (db: Db, now: Date): Promise<(kind: SubjectKind, id: string) => Claim | undefined> => {
  const claims = new Map((await store.listClaims(db, now)).map(({ _id, ...claim }) => [_id, claim]));
  return (kind, id) => claims.get(toClaimId(kind, id));
};
