import { randomBytes } from 'node:crypto';
import {
  AGREEMENT_VERSION,
  type EnterpriseScope,
  PLANS,
  type PlanName,
} from '@broker-transparency/contract/enterprise';
import { entryKey } from '@broker-transparency/contract/record';
import { computeOverlapEnd, hashToken, mintToken } from '../../features/accounts/token.ts';
import { requireBroker } from '../../features/brokers/facts.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { detectEnvironment, type Environment, KEY_PREFIX } from './environment.rule.ts';
import { describeInterest } from './interest.rule.ts';
import * as store from './store.ts';

export const { listKeys, listOrganisations } = store;

const REASON = 'operator_command';

const toAuditSubject = (id: string) => ({ kind: 'organisation', id }) as const;

const toAuditFacts = ({ plan, agreement, clientIds, interest }: store.Organisation) => ({
  plan,
  agreement: agreement.version,
  ...(agreement.endsAt ? { endsAt: agreement.endsAt.toISOString() } : {}),
  clients: clientIds.length,
  ...(interest ? { broker: interest.broker } : {}),
});

/** @throws DomainError not_found */
const requireOrganisation = async (db: Db, id: string, c?: TxContext): Promise<store.Organisation> => {
  const found = await store.findOrganisation(db, id, c?.tx);
  if (found) return found;
  throw new DomainError('not_found', `There is no organisation "${id}". See: enterprise list`);
};

/** Returns an organisation with its keys. @throws DomainError not_found */
export const showOrganisation = async (db: Db, id: string) => ({
  organisation: await requireOrganisation(db, id),
  keys: await store.listKeys(db, id),
});

/** The access that an operator grants. */
export interface AccessGrant {
  readonly name: string;
  readonly plan: PlanName;
  /** The person who accepted the agreement for the organisation. */
  readonly acceptedBy: string;
  /** Defaults to the current version. */
  readonly version?: string | undefined;
  /** Defaults to now. */
  readonly acceptedAt?: Date | undefined;
  readonly endsAt?: Date | undefined;
  readonly clientIds?: readonly string[] | undefined;
  /**
   * Slug of the broker that it is or belongs to, and true if it is a natural person; null if it has nothing to do with
   * one. Defaults to what was stated before.
   */
  readonly interest?: { readonly broker: string; readonly isPerson: boolean } | null | undefined;
}

/** @throws DomainError broker_not_found */
const resolveInterest = async (
  c: TxContext,
  interest: AccessGrant['interest'],
  before: store.Organisation | null,
): Promise<store.CustomerInterest | undefined> => {
  if (interest === undefined) return before?.interest;
  if (interest === null) return undefined;
  const { key: broker } = await requireBroker(c.db, interest.broker);
  const reference = before?.interest?.reference ?? randomBytes(6).toString('hex');
  // a name that was kept back stays back: the record cannot be erased
  return { reference, broker, isPerson: interest.isPerson || before?.interest?.isPerson === true };
};

/** Adds to the record which broker a customer is or belongs to, or that it belongs to none any more. */
const publishInterest = (c: TxContext, organisation: store.Organisation, before?: store.Organisation | null) => {
  const reference = organisation.interest?.reference ?? before?.interest?.reference;
  if (reference === undefined) return;
  const key = entryKey('customer', reference);
  const value = describeInterest(organisation) ?? null;
  c.publish({ kind: 'customer', key, subject: key, value, cause: 'fact' });
};

/**
 * Gives an organisation access by an agreement, or another plan, agreement or end.
 * @throws DomainError state_conflict if a client of the identity provider acts for another organisation;
 * broker_not_found
 */
export const grantAccess = (context: Context, id: string, grant: AccessGrant): Promise<store.Organisation> =>
  inTransaction(context, async (c) => {
    const before = await store.findOrganisation(c.db, id, c.tx);
    const { name, plan, acceptedBy, version = AGREEMENT_VERSION, acceptedAt = c.now, endsAt } = grant;
    const interest = await resolveInterest(c, grant.interest, before);
    const organisation: store.Organisation = {
      _id: id,
      name,
      plan,
      agreement: { version, acceptedBy, acceptedAt, ...(endsAt ? { endsAt } : {}) },
      firstAcceptedAt: before?.firstAcceptedAt ?? before?.agreement.acceptedAt ?? acceptedAt,
      clientIds: grant.clientIds ?? before?.clientIds ?? [],
      ...(interest ? { interest } : {}),
      createdAt: before?.createdAt ?? c.now,
    };
    await store.saveOrganisation(organisation, c.tx);
    publishInterest(c, organisation, before);
    const change = { before: before && toAuditFacts(before), after: toAuditFacts(organisation), reason: REASON };
    c.audit('organisation.granted', toAuditSubject(id), change);
    return organisation;
  }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
    throw new DomainError('state_conflict', 'One of these clients acts for another organisation already.');
  });

/**
 * Ends the access of an organisation at once, or at a time.
 * @throws DomainError not_found; state_conflict if it is already over, and the new end is later
 */
export const endAccess = (context: Context, id: string, endsAt?: Date): Promise<store.Organisation> =>
  inTransaction(context, async (c) => {
    const before = await requireOrganisation(c.db, id, c);
    const { endsAt: ended } = before.agreement;
    if (ended && ended <= c.now && endsAt && endsAt > c.now)
      throw new DomainError(
        'state_conflict',
        `Its access ended ${ended.toISOString()}. To give it again: enterprise grant`,
      );
    const organisation = { ...before, agreement: { ...before.agreement, endsAt: endsAt ?? c.now } };
    await store.saveOrganisation(organisation, c.tx);
    publishInterest(c, organisation);
    c.audit('organisation.ended', toAuditSubject(id), {
      before: toAuditFacts(before),
      after: toAuditFacts(organisation),
      reason: REASON,
    });
    return organisation;
  });

/** A new key. It is shown only once. */
export interface IssuedKey {
  readonly secret: string;
  readonly id: string;
  readonly expiresAt: Date;
}

/** The properties of a new key. */
export interface KeyDraft {
  readonly name: string;
  readonly expiresAt: Date;
  /** Defaults to every scope of the plan. */
  readonly scopes?: readonly EnterpriseScope[] | undefined;
  readonly addresses?: readonly string[] | undefined;
  /** Defaults to `live`. */
  readonly environment?: Environment | undefined;
}

const toKeyAuditFacts = ({ organisation, scopes, environment, expiresAt, addresses }: store.Key) => ({
  organisation,
  scopes: scopes.join(' '),
  environment,
  expiresAt: expiresAt.toISOString(),
  addresses: addresses.length,
});

const toKeyAuditSubject = (id: string) => ({ kind: 'key', id }) as const;

const storeKey = async (c: TxContext, draft: Omit<store.Key, '_id' | 'id' | 'createdAt'>): Promise<IssuedKey> => {
  const secret = mintToken(KEY_PREFIX[draft.environment]);
  const key: store.Key = {
    ...draft,
    _id: hashToken(secret),
    id: `ek_${randomBytes(6).toString('hex')}`,
    createdAt: c.now,
  };
  await store.insertKey(key, c.tx);
  c.audit('organisation.key_issued', toKeyAuditSubject(key.id), {
    before: null,
    after: toKeyAuditFacts(key),
    reason: REASON,
  });
  return { secret, id: key.id, expiresAt: key.expiresAt };
};

/**
 * Issues a key of an organisation.
 * @throws DomainError not_found; invalid_input if the plan does not have a scope
 */
export const issueKey = (context: Context, id: string, draft: KeyDraft): Promise<IssuedKey> =>
  inTransaction(context, async (c) => {
    const { plan } = await requireOrganisation(c.db, id, c);
    const { name, expiresAt, scopes = PLANS[plan].scopes, addresses = [], environment = 'live' } = draft;
    const foreign = scopes.find((scope) => !PLANS[plan].scopes.includes(scope));
    if (foreign !== undefined)
      throw new DomainError(
        'invalid_input',
        `The plan "${plan}" does not have the scope ${foreign}, only ${PLANS[plan].scopes.join(', ')}.`,
      );
    return storeKey(c, { organisation: id, name, scopes, addresses, expiresAt, environment });
  });

/** Finds a live key by its id or text: of a leaked key, often only the text is known. */
const requireLiveKey = async (c: TxContext, idOrKey: string): Promise<store.Key> => {
  const isKey = detectEnvironment(idOrKey) !== undefined;
  const key = await store.findKeyBy(isKey ? { _id: hashToken(idOrKey) } : { id: idOrKey }, c.tx);
  if (key && !key.revokedAt && key.expiresAt > c.now) return key;
  throw new DomainError(
    'not_found',
    `No live key ${isKey ? 'is this one' : `has the id "${idOrKey}"`}. See: enterprise show`,
  );
};

/** A key that replaces another one. */
export interface RotatedKey extends IssuedKey {
  /** Id of the old key. */
  readonly oldId: string;
  /** End of the old key. */
  readonly oldEndsAt: Date;
}

/**
 * Issues a key like an old one with the same lifetime, and ends the old one after `overlapMs`.
 * @throws DomainError not_found; state_conflict if it was rotated already
 */
export const rotateKey = (context: Context, idOrKey: string, overlapMs: number): Promise<RotatedKey> =>
  inTransaction(context, async (c) => {
    const old = await requireLiveKey(c, idOrKey);
    const oldId = old.id;
    if (old.replacedBy)
      throw new DomainError('state_conflict', `Key ${oldId} was rotated already: ${old.replacedBy} replaces it.`);
    const { organisation, name, scopes, addresses, environment } = old;
    const expiresAt = new Date(c.now.getTime() + old.expiresAt.getTime() - old.createdAt.getTime());
    const oldEndsAt = computeOverlapEnd(old.expiresAt, c.now, overlapMs);
    const issued = await storeKey(c, { organisation, name, scopes, addresses, expiresAt, environment });
    await store.changeKey(oldId, { replacedBy: issued.id, expiresAt: oldEndsAt }, c.tx);
    const [before, after] = [
      toKeyAuditFacts(old),
      { ...toKeyAuditFacts({ ...old, expiresAt: oldEndsAt }), replacedBy: issued.id },
    ];
    c.audit('organisation.key_rotated', toKeyAuditSubject(oldId), { before, after, reason: REASON });
    return { ...issued, oldId, oldEndsAt };
  });

/** Ends a key at once, and returns its id. @param idOrKey its id, or the key itself @throws DomainError not_found */
export const revokeKey = (context: Context, idOrKey: string): Promise<string> =>
  inTransaction(context, async (c) => {
    const key = await requireLiveKey(c, idOrKey);
    await store.changeKey(key.id, { revokedAt: c.now }, c.tx);
    c.audit('organisation.key_revoked', toKeyAuditSubject(key.id), {
      before: toKeyAuditFacts(key),
      after: { ...toKeyAuditFacts(key), revoked: true },
      reason: REASON,
    });
    return key.id;
  });
