import { randomBytes } from 'node:crypto';
import type { PersonSession } from '../../http/auth/person-session.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import type { TypedFields } from './form.rule.ts';
import { DRAFT_KEPT_MS, MOST_DRAFTS, type WrittenKind } from './policy.rule.ts';
import * as store from './store.ts';

export type { Draft } from './store.ts';

/** The person who writes, and the session in which the draft of a complaint lives. */
export type Writer = Pick<PersonSession, 'id' | 'principal' | 'endsAt'>;

const toDraftId = ({ id, principal }: Writer, kind: WrittenKind, broker: string): string =>
  kind === 'review' ? `${principal.accountId} review ${broker}` : `${principal.accountId} complaint ${broker} ${id}`;

/** Returns the draft of a text about a broker, by the broker's key; undefined if there is none. */
export const findDraft = async (
  db: Db,
  writer: Writer,
  kind: WrittenKind,
  broker: string,
): Promise<store.Draft | undefined> => (await store.findDraft(db, toDraftId(writer, kind, broker))) ?? undefined;

/** Keeps a text about a broker until it is sent: that of a complaint only while the session lasts. */
export const saveDraft = (
  context: Context,
  writer: Writer,
  { kind, broker, fields }: { readonly kind: WrittenKind; readonly broker: string; readonly fields: TypedFields },
): Promise<store.Draft> =>
  inTransaction(context, async ({ now, tx, db }) => {
    const { accountId } = writer.principal;
    const isReview = kind === 'review';
    const draft: store.Draft = {
      _id: toDraftId(writer, kind, broker),
      version: randomBytes(18).toString('base64url'),
      accountId,
      kind,
      broker,
      ...(isReview ? {} : { session: writer.id }),
      fields,
      savedAt: now,
      endsAt: isReview ? new Date(now.getTime() + DRAFT_KEPT_MS) : writer.endsAt,
    };
    const others = (await store.listDrafts(db, [accountId], 0, tx)).filter(({ _id }) => _id !== draft._id);
    await store.deleteDrafts(
      others.slice(MOST_DRAFTS - 1).map(({ _id }) => _id),
      tx,
    );
    await store.saveDraft(draft, tx);
    return draft;
  });

/** Deletes the draft of a text about a broker. */
export const discardDraft = (context: Context, writer: Writer, kind: WrittenKind, broker: string): Promise<number> =>
  inTransaction(context, ({ tx }) => store.deleteDrafts([toDraftId(writer, kind, broker)], tx));

/**
 * Takes a draft out, in the transaction that sends it.
 * @throws DomainError state_conflict if it was changed since this version, or sent or deleted
 */
export const takeDraft = async (
  c: TxContext,
  writer: Writer,
  { kind, broker, version }: { readonly kind: WrittenKind; readonly broker: string; readonly version: string },
): Promise<store.Draft> => {
  const draft = await store.findDraft(c.db, toDraftId(writer, kind, broker), c.tx);
  if (draft?.version !== version)
    throw new DomainError('state_conflict', 'The text was changed, sent or deleted since this page was made.');
  await store.deleteDrafts([draft._id], c.tx);
  return draft;
};

/** Lists the drafts that a person can go on with, newest first. */
export const listDrafts = async (db: Db, { id, principal }: Writer, now: Date): Promise<store.Draft[]> =>
  (await store.listDrafts(db, [principal.accountId])).filter(
    ({ session, endsAt }) => endsAt > now && (session === undefined || session === id),
  );

/** Deletes the drafts that exist in a session alone. Called when it ends. */
export const endSessionDrafts = (context: Context, session: string): Promise<number> =>
  inTransaction(context, ({ tx }) => store.deleteSessionDrafts(session, tx));

/** Deletes every draft that exists in a session alone. Called when all sessions end. */
export const endEverySessionDraft = (context: Context): Promise<number> =>
  inTransaction(context, ({ tx }) => store.deleteEverySessionDraft(tx));
