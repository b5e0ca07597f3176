import { randomBytes } from 'node:crypto';
import type { PersonSession } from '../../http/auth/person-session.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import type { BrokerReference } from '../brokers/facts.ts';
import type { TypedFields } from './form.rule.ts';
import { DRAFT_KEPT_MS, MOST_DRAFTS, type WrittenKind } from './policy.rule.ts';
import * as store from './store.ts';

export type { Draft } from './store.ts';

/** The person who writes, and the session in which the draft of a complaint lives. */
export type Writer = Pick<PersonSession, 'id' | 'principal' | 'endsAt'>;

const toDraftId = ({ id, principal }: Writer, kind: WrittenKind, broker: string): string =>
  kind === 'review' ? `${principal.accountId} review ${broker}` : `${principal.accountId} complaint ${broker} ${id}`;

/** The keys of a broker: its own first, then those of the brokers that were merged into it. */
type BrokerKeys = readonly string[];

const toDraftIds = (writer: Writer, kind: WrittenKind, keys: BrokerKeys): string[] =>
  keys.map((key) => toDraftId(writer, kind, key));

/** Returns the draft of a text about a broker; undefined if there is none. */
export const findDraft = async (
  db: Db,
  writer: Writer,
  kind: WrittenKind,
  keys: BrokerKeys,
): Promise<store.Draft | undefined> => (await store.findDraft(db, toDraftIds(writer, kind, keys))) ?? undefined;

/** Returns true if a person can go on with a draft in a session. */
const isOpen = (draft: store.Draft, session: string, now: Date): boolean =>
  draft.endsAt > now && (draft.session === undefined || draft.session === session);

/**
 * Keeps a text about a broker until it is sent: that of a complaint only while the session lasts. Returns undefined,
 * and keeps nothing, if the person has as many others as anybody may.
 */
export const saveDraft = (
  context: Context,
  writer: Writer,
  {
    kind,
    broker,
    fields,
  }: { readonly kind: WrittenKind; readonly broker: BrokerReference; readonly fields: TypedFields },
): Promise<store.Draft | undefined> =>
  inTransaction(context, async ({ now, tx, db }) => {
    const { accountId } = writer.principal;
    const isReview = kind === 'review';
    const draft: store.Draft = {
      _id: toDraftId(writer, kind, broker.key),
      version: randomBytes(18).toString('base64url'),
      accountId,
      kind,
      broker: broker.key,
      ...(isReview ? {} : { session: writer.id }),
      fields,
      savedAt: now,
      endsAt: isReview ? new Date(now.getTime() + DRAFT_KEPT_MS) : writer.endsAt,
    };
    const drafts = await store.listDrafts(db, [accountId], 0, tx);
    const former = new Set([draft._id, ...toDraftIds(writer, kind, broker.keys)]);
    const others = drafts.filter((other) => !former.has(other._id) && isOpen(other, writer.id, now));
    if (others.length >= MOST_DRAFTS) return undefined;
    await store.deleteDrafts([...former], tx);
    await store.saveDraft(draft, tx);
    return draft;
  });

/** Deletes the draft of a text about a broker. */
export const discardDraft = (context: Context, writer: Writer, kind: WrittenKind, keys: BrokerKeys): Promise<number> =>
  inTransaction(context, ({ tx }) => store.deleteDrafts(toDraftIds(writer, kind, keys), tx));

/**
 * Takes a draft out, in the transaction that sends it.
 * @throws DomainError state_conflict if it was changed since this version, or sent or deleted
 */
export const takeDraft = async (
  c: TxContext,
  writer: Writer,
  { kind, keys, version }: { readonly kind: WrittenKind; readonly keys: BrokerKeys; readonly version: string },
): Promise<store.Draft> => {
  const ids = toDraftIds(writer, kind, keys);
  const draft = await store.findDraft(c.db, ids, c.tx);
  if (draft?.version !== version)
    throw new DomainError('state_conflict', 'The text was changed, sent or deleted since this page was made.');
  await store.deleteDrafts(ids, c.tx);
  return draft;
};

/** Lists the drafts that a person can go on with, newest first. */
export const listDrafts = async (db: Db, { id, principal }: Writer, now: Date): Promise<store.Draft[]> =>
  (await store.listDrafts(db, [principal.accountId])).filter((draft) => isOpen(draft, id, now));

/** Deletes the drafts that exist in a session alone. Called when it ends. */
export const endSessionDrafts = (context: Context, session: string): Promise<number> =>
  inTransaction(context, ({ tx }) => store.deleteSessionDrafts(session, tx));

/** Deletes every draft that exists in a session alone. Called when all sessions end. */
export const endEverySessionDraft = (context: Context): Promise<number> =>
  inTransaction(context, ({ tx }) => store.deleteEverySessionDraft(tx));
