import mongoose, { Schema } from 'mongoose';
import type { Tx } from '../platform/mongo.ts';
import { STRICT } from '../platform/schema.ts';

/** Who does something: a person by their account, an operator at the command line, or the service itself. */
export type Actor =
  | { readonly type: 'account'; readonly accountId: string }
  | { readonly type: 'operator'; readonly name: string }
  | { readonly type: 'system'; readonly name: string };

/** States and numbers only: an entry outlives the person it is about. */
type Facts = Readonly<Record<string, string | number | boolean | null>>;

/** One thing that was done. */
export interface AuditEntry {
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string };
  readonly before?: Facts;
  readonly after?: Facts;
  readonly reason?: string;
}

const Audit = mongoose.model(
  'Audit',
  new Schema(
    {
      at: { type: Date, required: true },
      actor: { type: Schema.Types.Mixed, required: true },
      action: { type: String, required: true },
      subject: { kind: { type: String, required: true }, id: { type: String, required: true } },
      before: Schema.Types.Mixed,
      after: Schema.Types.Mixed,
      reason: String,
    },
    STRICT,
  )
    .index({ 'subject.kind': 1, 'subject.id': 1, at: 1 })
    .index({ 'actor.accountId': 1, at: 1 }, { sparse: true }),
  'audit',
);

/** Records what is done, in the transaction that does it. */
export const record = (actor: Actor, at: Date, entry: AuditEntry, tx: Tx): Promise<void> =>
  recordAll(actor, at, [entry], tx);

/** Records many things that are done at once. */
export const recordAll = async (actor: Actor, at: Date, entries: readonly AuditEntry[], tx: Tx): Promise<void> => {
  await Audit.insertMany(
    entries.map((entry) => ({ at, actor, ...entry })),
    { session: tx },
  );
};

/** What these accounts did, and what was done to them and to what is theirs: things of these kinds and ids. */
export const entriesAbout = (accountIds: readonly string[], kinds: readonly string[], ids: readonly string[], tx: Tx) =>
  Audit.find({
    $or: [{ 'actor.accountId': { $in: accountIds } }, { 'subject.kind': { $in: kinds }, 'subject.id': { $in: ids } }],
  })
    .sort({ at: 1, _id: 1 })
    .session(tx)
    .lean<(AuditEntry & { actor: Actor; at: Date })[]>()
    .exec();

/** The last thing that was done to a subject. */
export const lastEntry = (
  kind: string,
  id: string,
  tx: Tx,
): Promise<(Pick<AuditEntry, 'action' | 'after'> & { readonly at: Date }) | null> =>
  Audit.findOne({ 'subject.kind': kind, 'subject.id': id })
    .sort({ at: -1, _id: -1 })
    .session(tx)
    .lean<Pick<AuditEntry, 'action' | 'after'> & { readonly at: Date }>()
    .exec();
