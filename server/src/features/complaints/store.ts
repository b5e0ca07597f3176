import {
  COMPLAINT_CATEGORIES,
  COMPLAINT_STATUSES,
  type ComplaintStatus,
  type ComplaintSubmission,
} from '@broker-transparency/contract';
import { Schema } from 'mongoose';
import type * as z from 'zod';
import { type BacklogStats, measureBacklog } from '../../platform/backlog.ts';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import type { ListPosition } from '../../platform/position.ts';
import { STRICT } from '../../platform/schema.ts';
import { CHANNELS, type Channel, ENDINGS, type Ending } from './policy.rule.ts';
import type { ComplaintEvidence } from './record.rule.ts';
import type { CountedComplaint } from './summary.rule.ts';

type SubmittedComplaint = z.output<typeof ComplaintSubmission>;

export interface ComplaintDocument extends Omit<SubmittedComplaint, 'occurredAt'>, CountedComplaint {
  /** The reference. */
  readonly _id: string;
  readonly accountId: string;
  readonly occurredAt?: Date;
  readonly createdAt: Date;
  readonly screenedAt?: Date;
  /** Reason code of the end. */
  readonly ending?: Ending;
  /** The broker's answer. Private. */
  readonly answer?: string;
  readonly evidence?: readonly (ComplaintEvidence & { readonly addedAt: Date })[];
  readonly reminders?: readonly Reminder[];
  /** Time at which the clocks recorded the answer as overdue. */
  readonly overdueNotedAt?: Date;
  /** Actors who recorded its result. */
  readonly decidedBy?: readonly string[];
  /** Time of the last record of its result. */
  readonly decidedAt?: Date;
  /** Time of an operator's last correction. */
  readonly correctedAt?: Date;
  /** Way by which it reached the operator, if it was not sent to the API. */
  readonly channel?: Channel;
  /** The complainant's contact. Private. */
  readonly contact?: string;
  /** Its reference in the system that it was imported from. */
  readonly importedAs?: string;
}

/** A reminder to the broker. The operator sends it and records that. */
interface Reminder {
  /** Days after forwarding. */
  readonly day: number;
  readonly recordedAt: Date;
  readonly sentAt?: Date;
}

/** The fields that an erasure removes. Counted fields stay. */
const PERSONAL = [
  ...(['accountId', 'title', 'content', 'amountInDispute', 'occurredAt', 'desiredResolution'] as const),
  ...(['answer', 'evidence', 'contact'] as const),
];
type PersonalField = (typeof PERSONAL)[number];

/** A complaint as stored. If its author was erased, only the counted fields are left. */
export type StoredComplaint = Omit<ComplaintDocument, PersonalField> &
  Partial<Pick<ComplaintDocument, PersonalField>> & { readonly erasedAt?: Date };

/** Schema of a text that every complaint has until its author is erased. */
const UNTIL_ERASED = {
  type: String,
  required(this: { readonly erasedAt?: Date }): boolean {
    return this.erasedAt === undefined;
  },
};

const Complaints = defineModel(
  'Complaint',
  new Schema<StoredComplaint>(
    {
      _id: String,
      broker: { type: String, required: true },
      accountId: UNTIL_ERASED,
      kycVerified: { type: Boolean, required: true },
      status: { type: String, enum: COMPLAINT_STATUSES, required: true },
      category: { type: String, enum: COMPLAINT_CATEGORIES, required: true },
      title: UNTIL_ERASED,
      content: UNTIL_ERASED,
      amountInDispute: { type: { amount: String, currency: String }, _id: false },
      occurredAt: Date,
      desiredResolution: String,
      consentToForward: { type: Boolean, required: true },
      createdAt: { type: Date, required: true },
      forwardedAt: Date,
      respondedAt: Date,
      closedAt: Date,
      screenedAt: Date,
      ending: { type: String, enum: ENDINGS },
      answer: String,
      evidence: {
        type: [{ kind: String, reference: String, sha256: String, note: String, addedAt: Date, _id: false }],
        default: undefined,
      },
      reminders: { type: [{ day: Number, recordedAt: Date, sentAt: Date, _id: false }], default: undefined },
      overdueNotedAt: Date,
      decidedBy: { type: [String], default: undefined },
      decidedAt: Date,
      correctedAt: Date,
      correctionDue: Boolean,
      channel: { type: String, enum: CHANNELS },
      contact: String,
      importedAs: String,
      erasedAt: Date,
    },
    STRICT,
  )
    .index({ broker: 1 })
    .index({ importedAs: 1 }, { unique: true, sparse: true })
    .index({ status: 1, createdAt: 1 })
    .index({ status: 1, _id: 1 })
    .index({ accountId: 1, createdAt: -1, _id: -1 }),
  'complaints',
);

export const insertComplaints = async (complaints: readonly ComplaintDocument[], tx: Tx): Promise<void> => {
  await Complaints(tx.db).insertMany(complaints, { session: tx });
};

/** Filter of a list of complaints. */
interface ComplaintQuery {
  readonly status: ComplaintStatus | undefined;
  readonly brokers: readonly string[] | undefined;
  readonly accountIds: readonly string[] | undefined;
}

/** Lists complaints, oldest first, and counts all that match. */
export const listComplaints = async (db: Db, { status, brokers, accountIds }: ComplaintQuery, limit: number) => {
  const filter = {
    ...(status === undefined ? {} : { status }),
    ...(brokers === undefined ? {} : { broker: { $in: brokers } }),
    ...(accountIds === undefined ? {} : { accountId: { $in: accountIds } }),
  };
  const rows = Complaints(db).find(filter).sort({ createdAt: 1, _id: 1 }).limit(limit).lean<StoredComplaint[]>().exec();
  return { rows: await rows, total: await Complaints(db).countDocuments(filter).exec() };
};

/** Lists an account's complaints, newest first, one more than `limit`. */
export const listByAccount = (db: Db, accountId: string, limit: number, position: ListPosition | undefined) =>
  Complaints(db)
    .find({
      accountId,
      ...(position
        ? { $or: [{ createdAt: { $lt: position.at } }, { createdAt: position.at, _id: { $lt: position.id } }] }
        : {}),
    })
    .sort({ createdAt: -1, _id: -1 })
    .limit(limit + 1)
    .maxTimeMS(500)
    .lean<ComplaintDocument[]>()
    .exec();

/** Returns the times of an account's complaints since a time, newest first, up to `limit`. */
export const findSentTimes = async (accountId: string, since: Date, limit: number, tx: Tx): Promise<Date[]> => {
  const rows = await Complaints(tx.db)
    .find({ accountId, createdAt: { $gt: since } }, { _id: 0, createdAt: 1 })
    .sort({ createdAt: -1 })
    .limit(limit)
    .session(tx)
    .lean<Pick<ComplaintDocument, 'createdAt'>[]>()
    .exec();
  return rows.map(({ createdAt }) => createdAt);
};

/** Returns the counted fields of all complaints about these brokers. */
export const findCounted = (brokers: readonly string[], tx: Tx) =>
  Complaints(tx.db)
    .find(
      { broker: { $in: brokers } },
      { _id: 0, broker: 1, status: 1, kycVerified: 1, forwardedAt: 1, respondedAt: 1, closedAt: 1, correctionDue: 1 },
    )
    .session(tx)
    .lean<(CountedComplaint & { broker: string })[]>()
    .exec();

export const findComplaint = (db: Db, reference: string, tx?: Tx) =>
  Complaints(db)
    .findById(reference)
    .session(tx ?? null)
    .lean<StoredComplaint>()
    .exec();

/**
 * Lists the complaints that were sent to these brokers and not ended: those without an answer, the earliest one first,
 * then the answered ones, the latest one first.
 */
export const listForwarded = async (db: Db, brokers: readonly string[], limit: number): Promise<StoredComplaint[]> => {
  const list = (status: 'forwarded' | 'responded', order: 1 | -1) =>
    Complaints(db)
      .find({ broker: { $in: brokers }, status, forwardedAt: { $exists: true } })
      .sort({ forwardedAt: order, _id: 1 })
      .limit(limit)
      .lean<StoredComplaint[]>()
      .exec();
  return (await Promise.all([list('forwarded', 1), list('responded', -1)])).flat().slice(0, limit);
};

/** Finds a complaint by its reference if it was sent to one of these brokers and has not ended. */
export const findForwarded = (db: Db, brokers: readonly string[], reference: string) =>
  Complaints(db)
    .findOne({
      _id: reference,
      broker: { $in: brokers },
      status: { $in: ['forwarded', 'responded'] },
      forwardedAt: { $exists: true },
    })
    .lean<StoredComplaint>()
    .exec();

export const findComplaints = (references: readonly string[], tx: Tx) =>
  Complaints(tx.db)
    .find({ _id: { $in: references } })
    .session(tx)
    .lean<StoredComplaint[]>()
    .exec();

/**
 * Returns up to `limit` forwarded complaints without an answer, by reference after `after`, that were forwarded before
 * a time.
 */
export const listNextForwarded = (db: Db, after: string, before: Date, limit: number) =>
  Complaints(db)
    .find({ status: 'forwarded', forwardedAt: { $lte: before }, _id: { $gt: after } })
    .sort({ _id: 1 })
    .limit(limit)
    .lean<StoredComplaint[]>()
    .exec();

/** Finds forwarded complaints without an answer that have an unsent reminder. */
export const findUnsent = (db: Db, limit: number) =>
  Complaints(db)
    .find({ status: 'forwarded', reminders: { $elemMatch: { sentAt: { $exists: false } } } })
    .sort({ forwardedAt: 1, _id: 1 })
    .limit(limit)
    .lean<StoredComplaint[]>()
    .exec();

/** Counts complaints by state. Their age counts from their entry into the state. */
export const waitingComplaints = {
  received: (db: Db): Promise<BacklogStats> =>
    measureBacklog(Complaints(db), { status: 'received' }, { sort: 'createdAt', at: 'createdAt' }),
  screening: (db: Db): Promise<BacklogStats> =>
    measureBacklog(Complaints(db), { status: 'screening' }, { sort: 'createdAt', at: 'screenedAt' }),
  responded: (db: Db): Promise<BacklogStats> =>
    measureBacklog(Complaints(db), { status: 'responded' }, { sort: 'createdAt', at: 'respondedAt' }),
  overdue: (db: Db): Promise<BacklogStats> =>
    measureBacklog(
      Complaints(db),
      { status: 'forwarded', overdueNotedAt: { $exists: true } },
      { sort: 'createdAt', at: 'overdueNotedAt' },
    ),
};

/** A change of a complaint. */
export interface ComplaintChange {
  readonly reference: string;
  readonly set: Partial<Omit<StoredComplaint, '_id'>>;
  /** Fields to remove. */
  readonly unset?: readonly string[];
}

export const changeComplaints = async (changes: readonly ComplaintChange[], tx: Tx): Promise<void> => {
  if (changes.length === 0) return;
  await Complaints(tx.db).bulkWrite(
    changes.map(({ reference, set, unset = [] }) => ({
      updateOne: {
        filter: { _id: reference },
        update: {
          $set: set,
          ...(unset.length === 0 ? {} : { $unset: Object.fromEntries(unset.map((field) => [field, 1])) }),
        },
      },
    })),
    { session: tx },
  );
};

/** Finds the complaints of these accounts, up to `limit` (0: no limit). */
export const findByAccounts = (accountIds: readonly string[], tx: Tx, limit = 0) =>
  Complaints(tx.db)
    .find({ accountId: { $in: accountIds } })
    .sort({ createdAt: 1, _id: 1 })
    .limit(limit)
    .session(tx)
    .lean<StoredComplaint[]>()
    .exec();

/** Marks the corrections of complaints about these brokers as published in the record. */
export const settleCorrections = async (brokers: readonly string[], tx: Tx): Promise<void> => {
  await Complaints(tx.db)
    .updateMany({ broker: { $in: brokers }, correctionDue: true }, { $unset: { correctionDue: 1 } })
    .session(tx);
};

/** Removes all personal fields from complaints. */
export const eraseComplaints = async (changes: readonly ComplaintChange[], at: Date, tx: Tx): Promise<void> => {
  if (changes.length === 0) return;
  const $unset = Object.fromEntries(PERSONAL.map((field) => [field, 1]));
  await Complaints(tx.db).bulkWrite(
    changes.map(({ reference, set }) => ({
      updateOne: { filter: { _id: reference }, update: { $set: { ...set, erasedAt: at }, $unset } },
    })),
    { session: tx },
  );
};

export const findBrokersWithComplaints = (brokers: readonly string[], tx: Tx): Promise<string[]> =>
  Complaints(tx.db)
    .distinct('broker', { broker: { $in: brokers } })
    .session(tx)
    .exec();

/** Returns the key of every broker with a complaint, in order. */
export const listBrokersWithComplaints = async (db: Db): Promise<string[]> =>
  (await Complaints(db).distinct('broker').exec()).sort();

/** Finds imported complaints by their references in the earlier system. */
export const findImported = (references: readonly string[], tx: Tx) =>
  Complaints(tx.db)
    .find({ importedAs: { $in: references } })
    .session(tx)
    .lean<StoredComplaint[]>()
    .exec();

export const deleteComplaints = async (references: readonly string[], tx: Tx): Promise<void> => {
  await Complaints(tx.db)
    .deleteMany({ _id: { $in: references } })
    .session(tx);
};

/** Counts all complaints by state. */
export const countByStatus = async (db: Db): Promise<Readonly<Partial<Record<ComplaintStatus, number>>>> => {
  const rows = await Complaints(db)
    .aggregate<{ _id: ComplaintStatus; count: number }>([{ $group: { _id: '$status', count: { $sum: 1 } } }])
    .option({ maxTimeMS: 1000 })
    .exec();
  return Object.fromEntries(rows.map(({ _id, count }) => [_id, count]));
};
