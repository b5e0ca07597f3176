import mongoose, { Schema } from 'mongoose';
import type { Tx } from '../mongo.ts';
import { STRICT } from '../schema.ts';
import type { AuditAction, SubjectKind } from './actions.ts';

/** Who does something: a person by their account, an operator at the command line, or the service itself. */
export type Actor =
  | { readonly type: 'account'; readonly accountId: string }
  | { readonly type: 'operator'; readonly name: string }
  | { readonly type: 'system'; readonly name: string };

/** One name for one actor, whatever they are. */
export const actorKey = (actor: Actor): string =>
  `${actor.type}:${actor.type === 'account' ? actor.accountId : actor.name}`;

/** States and numbers only: an entry outlives the person it is about. */
type Facts = Readonly<Record<string, string | number | boolean | null>>;

/** One thing that was done. */
export interface AuditEntry {
  readonly action: AuditAction;
  readonly subject: { readonly kind: SubjectKind; readonly id: string };
  /** Null where it was not there. */
  readonly before: Facts | null;
  /** Null where it is not there any more. */
  readonly after: Facts | null;
  /** A code such as `submitted`, or the run it belongs to such as `import:0f3a5c77b1e2`: never a text. */
  readonly reason: string;
}

/** An entry as it is kept. */
export interface StoredEntry extends AuditEntry {
  readonly _id: mongoose.Types.ObjectId;
  readonly at: Date;
  readonly actor: Actor;
}

const REASON = /^[a-z][a-z_]*(:[0-9a-f]+)?$/;

const { Mixed } = Schema.Types;

export const AUDIT_COLLECTION = 'audit';

const Audit = mongoose.model(
  'Audit',
  new Schema<StoredEntry>(
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

/** The entry as it is kept. @throws Error where something is missing that its type demands, or the reason is no code */
export const toStored = (actor: Actor, at: Date, entry: AuditEntry): StoredEntry => {
  const { action, subject, before, after, reason } = entry;
  if (!REASON.test(reason)) throw new Error(`the audit trail takes codes for reasons, not "${reason}"`);
  if (before === undefined || after === undefined)
    throw new Error(`the audit entry of ${action} has to say what changed`);
  return { _id: new mongoose.Types.ObjectId(), at, actor, action, subject, before, after, reason };
};

/** Adds entries to the trail: called by `inTransaction` alone, which knows who acts and when. */
export const record = async (entries: readonly StoredEntry[], tx: Tx): Promise<void> => {
  if (entries.length > 0) await Audit.collection.insertMany([...entries], { session: tx });
};

/** Whether nothing was ever done. */
export const isAuditEmpty = async (): Promise<boolean> => (await Audit.exists({})) === null;

/** Which entries are asked for; all that is given must hold. */
export interface AuditFilter {
  readonly subject?: { readonly kind: SubjectKind; readonly id?: string } | undefined;
  readonly action?: AuditAction | undefined;
  /** Name of an operator or of a part of the service, or id of an account. */
  readonly by?: string | undefined;
  readonly since?: Date | undefined;
  readonly before?: Date | undefined;
}

const queryOf = ({ subject, action, by, since, before }: AuditFilter) => ({
  ...(subject ? { 'subject.kind': subject.kind } : {}),
  ...(subject?.id === undefined ? {} : { 'subject.id': subject.id }),
  ...(action === undefined ? {} : { action }),
  ...(by === undefined ? {} : { $or: [{ 'actor.name': by }, { 'actor.accountId': by }] }),
  ...(since || before ? { at: { ...(since ? { $gte: since } : {}), ...(before ? { $lt: before } : {}) } } : {}),
});

/** Entries, newest first. */
export const listEntries = (filter: AuditFilter, limit: number): Promise<StoredEntry[]> =>
  Audit.find(queryOf(filter)).sort({ at: -1, _id: -1 }).limit(limit).lean<StoredEntry[]>().exec();

const byTime = (a: StoredEntry, b: StoredEntry): number =>
  a.at.getTime() - b.at.getTime() || String(a._id).localeCompare(String(b._id));

/** What these accounts did, and what was done to them and to what is theirs: things of these kinds and ids. */
export const entriesAbout = async (
  accountIds: readonly string[],
  kinds: readonly SubjectKind[],
  ids: readonly string[],
  tx: Tx,
): Promise<StoredEntry[]> => {
  const rows = await Audit.find({
    $or: [{ 'actor.accountId': { $in: accountIds } }, { 'subject.kind': { $in: kinds }, 'subject.id': { $in: ids } }],
  })
    .session(tx)
    .lean<StoredEntry[]>()
    .exec();
  return rows.sort(byTime); // asked to sort, the database may walk all entries of a kind in the order of time
};

/** The last thing that was done to a subject. */
export const lastEntry = (kind: SubjectKind, id: string, tx: Tx): Promise<StoredEntry | null> =>
  Audit.findOne({ 'subject.kind': kind, 'subject.id': id })
    .sort({ at: -1, _id: -1 })
    .session(tx)
    .lean<StoredEntry>()
    .exec();
