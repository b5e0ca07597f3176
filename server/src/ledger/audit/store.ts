import mongoose, { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { AuditAction, SubjectKind } from './actions.ts';
import type { PlainValue } from './fields.rule.ts';

/** The actor: a person by their account, an operator at the command line, or the service itself. */
export type Actor =
  | { readonly type: 'account'; readonly accountId: string }
  | {
      readonly type: 'operator';
      readonly name: string;
      /** Id of the token that proves the name; absent if there are no operators, or no person ran the command. */
      readonly token?: string;
    }
  | { readonly type: 'system'; readonly name: string };

/** Returns the name of an operator or of a part of the service, or the id of an account. */
export const actorName = (actor: Actor): string => (actor.type === 'account' ? actor.accountId : actor.name);

/** Returns a unique key of an actor of any type. */
export const actorKey = (actor: Actor): string => `${actor.type}:${actorName(actor)}`;

/**
 * Public facts, states and numbers. Texts that a person wrote are excluded, because an entry outlives that person's
 * data.
 */
type AuditFacts = Readonly<Record<string, PlainValue>>;

/** One action in the audit trail. */
export interface AuditEntry {
  readonly action: AuditAction;
  readonly subject: { readonly kind: SubjectKind; readonly id: string };
  /** Null if the subject did not exist before. */
  readonly before: AuditFacts | null;
  /** Null if the subject no longer exists. */
  readonly after: AuditFacts | null;
  /** A code such as `submitted`, or the import run such as `import:0f3a5c77b1e2`; never free text. */
  readonly reason: string;
}

/** An entry as it is stored. */
export interface StoredAuditEntry extends AuditEntry {
  readonly _id: mongoose.Types.ObjectId;
  readonly at: Date;
  readonly actor: Actor;
}

const REASON = /^[a-z][a-z_]*(:[0-9a-f]+)?$/;

const { Mixed } = Schema.Types;

export const AUDIT_COLLECTION = 'audit';

const Audit = defineModel(
  'Audit',
  new Schema<StoredAuditEntry>(
    {
      at: Date,
      actor: Mixed,
      action: String,
      subject: { kind: String, id: String },
      before: Mixed,
      after: Mixed,
      reason: String,
    },
    STRICT,
  )
    .index({ at: 1, _id: 1 })
    .index({ 'subject.kind': 1, 'subject.id': 1, at: 1, _id: 1 })
    .index({ 'subject.kind': 1, at: 1, _id: 1 })
    .index({ action: 1, at: 1, _id: 1 })
    .index({ 'actor.name': 1, at: 1, _id: 1 })
    .index(
      { 'actor.accountId': 1, at: 1, _id: 1 },
      { partialFilterExpression: { 'actor.accountId': { $exists: true } } },
    ),
  AUDIT_COLLECTION,
);

/**
 * Returns the stored form of an entry.
 * @throws Error if `before` or `after` is undefined, or the reason is not a code
 */
export const toStored = (actor: Actor, at: Date, entry: AuditEntry): StoredAuditEntry => {
  const { action, subject, before, after, reason } = entry;
  if (!REASON.test(reason)) throw new Error(`the audit trail takes codes for reasons, not "${reason}"`);
  if (before === undefined || after === undefined)
    throw new Error(`the audit entry of ${action} has to say what changed`);
  return { _id: new mongoose.Types.ObjectId(), at, actor, action, subject, before, after, reason };
};

/** Inserts entries into the trail. Only `inTransaction` calls it, which knows the actor and the time. */
export const insertAuditEntries = async (entries: readonly StoredAuditEntry[], tx: Tx): Promise<void> => {
  if (entries.length > 0) await Audit(tx.db).collection.insertMany([...entries], { session: tx });
};

/** Returns whether the audit trail has no entries. */
export const isAuditEmpty = async (db: Db): Promise<boolean> => (await Audit(db).exists({})) === null;

/** Returns whether the audit trail has an entry with another reason than this one. */
export const hasOtherReason = async (db: Db, reason: string): Promise<boolean> =>
  (await Audit(db).exists({ reason: { $ne: reason } })) !== null;

/** Selects entries; all given conditions must hold. */
export interface AuditFilter {
  readonly subject?: { readonly kind: SubjectKind; readonly id?: string } | undefined;
  readonly action?: AuditAction | undefined;
  /** Name of an operator or of a part of the service, or the id of an account. */
  readonly by?: string | undefined;
  readonly since?: Date | undefined;
  readonly before?: Date | undefined;
}

const toAuditQuery = ({ subject, action, by, since, before }: AuditFilter) => ({
  ...(subject ? { 'subject.kind': subject.kind } : {}),
  ...(subject?.id === undefined ? {} : { 'subject.id': subject.id }),
  ...(action === undefined ? {} : { action }),
  ...(by === undefined ? {} : { $or: [{ 'actor.name': by }, { 'actor.accountId': by }] }),
  ...(since || before ? { at: { ...(since ? { $gte: since } : {}), ...(before ? { $lt: before } : {}) } } : {}),
});

/** Returns matching entries, newest first. */
export const listEntries = (db: Db, filter: AuditFilter, limit: number): Promise<StoredAuditEntry[]> =>
  Audit(db).find(toAuditQuery(filter)).sort({ at: -1, _id: -1 }).limit(limit).lean<StoredAuditEntry[]>().exec();

const byTime = (a: StoredAuditEntry, b: StoredAuditEntry): number =>
  a.at.getTime() - b.at.getTime() || String(a._id).localeCompare(String(b._id));

/** Returns the entries made by these accounts and the entries about these subjects, oldest first. */
export const findEntriesAbout = async (
  accountIds: readonly string[],
  kinds: readonly SubjectKind[],
  ids: readonly string[],
  tx: Tx,
): Promise<StoredAuditEntry[]> => {
  const rows = await Audit(tx.db)
    .find({
      $or: [{ 'actor.accountId': { $in: accountIds } }, { 'subject.kind': { $in: kinds }, 'subject.id': { $in: ids } }],
    })
    .session(tx)
    .lean<StoredAuditEntry[]>()
    .exec();
  return rows.sort(byTime); // sorted here: for a sort the database might walk all entries of a kind in time order
};

/** Returns the latest entry about a subject, or null if there is none. */
export const findLastEntry = (kind: SubjectKind, id: string, tx: Tx): Promise<StoredAuditEntry | null> =>
  Audit(tx.db)
    .findOne({ 'subject.kind': kind, 'subject.id': id })
    .sort({ at: -1, _id: -1 })
    .session(tx)
    .lean<StoredAuditEntry>()
    .exec();
