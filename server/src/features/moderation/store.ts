import {
  APPEAL_OUTCOMES,
  APPEAL_STATUSES,
  type AppealOutcome,
  DECISIONS,
  type DecisionKind,
  REASON_CODES,
  REPORT_OUTCOMES,
  REPORT_STATUSES,
  type ReasonCode,
  type ReportOutcome,
  type StatementOfReasons,
} from '@broker-transparency/contract';
import mongoose, { Schema, Types } from 'mongoose';
import { type Waiting, waitingIn } from '../../platform/backlog.ts';
import type { Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';

interface AboutReview {
  readonly _id: Types.ObjectId;
  readonly reviewId: string;
  readonly broker: string;
}

/** Who reports or appeals: an account, or a person without one who left a contact. */
export interface Party {
  readonly accountId?: string;
  readonly contact?: string;
}

export interface DecisionDocument extends AboutReview {
  readonly kind: DecisionKind;
  readonly statement: StatementOfReasons;
  readonly decidedBy: string;
  readonly decidedAt: Date;
  /** On an appeal: the actors of the earlier decisions about the case. */
  readonly decidedBefore: readonly string[];
}

export interface ReportDocument extends AboutReview, Party {
  readonly reasonCode: ReasonCode;
  readonly text: string;
  readonly status: (typeof REPORT_STATUSES)[number];
  readonly outcome?: ReportOutcome;
  readonly decisionId?: Types.ObjectId;
  readonly createdAt: Date;
  readonly decidedAt?: Date;
}

export interface AppealDocument extends AboutReview, Party {
  readonly decisionId: Types.ObjectId;
  readonly side: 'author' | 'reporter';
  readonly text: string;
  readonly status: (typeof APPEAL_STATUSES)[number];
  readonly outcome?: AppealOutcome;
  /** The reasons for the decision. */
  readonly facts?: string;
  readonly createdAt: Date;
  readonly decidedAt?: Date;
  readonly decidedBy?: string;
}

/** A moderator's mark on a review, independent of its state. */
export interface FlagDocument extends AboutReview {
  readonly reasonCode: ReasonCode;
  readonly note?: string;
  readonly by: string;
  readonly createdAt: Date;
}

const aboutReview = { reviewId: { type: String, required: true }, broker: { type: String, required: true } };
const reasonCode = { type: String, enum: REASON_CODES };

const Decisions = mongoose.model(
  'ModerationDecision',
  new Schema<DecisionDocument>(
    {
      ...aboutReview,
      kind: { type: String, enum: DECISIONS, required: true },
      statement: { type: Schema.Types.Mixed, required: true },
      decidedBy: { type: String, required: true },
      decidedAt: { type: Date, required: true },
      decidedBefore: { type: [String], required: true },
    },
    STRICT,
  ).index({ reviewId: 1, decidedAt: -1, _id: -1 }),
  'moderationDecisions',
);

const Reports = mongoose.model(
  'Report',
  new Schema<ReportDocument>(
    {
      ...aboutReview,
      accountId: String,
      contact: String,
      reasonCode: { ...reasonCode, required: true },
      text: { type: String, required: true },
      status: { type: String, enum: REPORT_STATUSES, required: true },
      outcome: { type: String, enum: REPORT_OUTCOMES },
      decisionId: Types.ObjectId,
      createdAt: { type: Date, required: true },
      decidedAt: Date,
    },
    STRICT,
  )
    .index(
      { reviewId: 1, accountId: 1 },
      { unique: true, partialFilterExpression: { status: 'open', accountId: { $exists: true } } },
    )
    .index({ reviewId: 1, status: 1 })
    .index({ status: 1, _id: 1 })
    .index({ accountId: 1, _id: -1 }),
  'reports',
);

const Appeals = mongoose.model(
  'Appeal',
  new Schema<AppealDocument>(
    {
      ...aboutReview,
      decisionId: { type: Types.ObjectId, required: true },
      side: { type: String, required: true },
      accountId: String,
      contact: String,
      text: { type: String, required: true },
      status: { type: String, enum: APPEAL_STATUSES, required: true },
      outcome: { type: String, enum: APPEAL_OUTCOMES },
      facts: String,
      createdAt: { type: Date, required: true },
      decidedAt: Date,
      decidedBy: String,
    },
    STRICT,
  )
    .index({ decisionId: 1 }, { unique: true })
    .index({ reviewId: 1, side: 1, createdAt: -1, _id: -1 })
    .index({ reviewId: 1, status: 1 })
    .index({ status: 1, _id: 1 })
    .index({ accountId: 1 }),
  'appeals',
);

const Flags = mongoose.model(
  'ReviewFlag',
  new Schema<FlagDocument>(
    {
      ...aboutReview,
      reasonCode: { ...reasonCode, required: true },
      note: String,
      by: { type: String, required: true },
      createdAt: { type: Date, required: true },
    },
    STRICT,
  ).index({ reviewId: 1, reasonCode: 1 }, { unique: true }),
  'reviewFlags',
);

const isId = (id: string): boolean => Types.ObjectId.isValid(id) && id.length === 24;

export const insertDecision = async (decision: DecisionDocument, tx: Tx): Promise<void> => {
  await Decisions.create([decision], { session: tx });
};

export const findDecision = (id: Types.ObjectId, tx: Tx) =>
  Decisions.findById(id).session(tx).lean<DecisionDocument>().exec();

export const findDecisions = (ids: readonly Types.ObjectId[]) =>
  Decisions.find({ _id: { $in: ids } })
    .maxTimeMS(500)
    .lean<DecisionDocument[]>()
    .exec();

/**
 * Returns decisions about reviews, newest first, without those that only answer a report. Sorted by time, because ids
 * are ordered only within a process.
 */
export const decisionsAbout = (reviewIds: readonly string[], tx?: Tx) =>
  Decisions.find({ reviewId: { $in: reviewIds }, kind: { $ne: 'keep' } })
    .sort({ decidedAt: -1, _id: -1 })
    .session(tx ?? null)
    .lean<DecisionDocument[]>()
    .exec();

export const insertReport = async (report: ReportDocument, tx: Tx): Promise<void> => {
  await Reports.create([report], { session: tx });
};

export const findReport = (id: string, tx: Tx) =>
  isId(id) ? Reports.findById(id).session(tx).lean<ReportDocument>().exec() : Promise.resolve(null);

export const openReports = (reviewIds: readonly string[], tx?: Tx) =>
  Reports.find({ reviewId: { $in: reviewIds }, status: 'open' })
    .session(tx ?? null)
    .lean<ReportDocument[]>()
    .exec();

export const closeReport = async (
  id: Types.ObjectId,
  result: Pick<ReportDocument, 'outcome' | 'decisionId' | 'decidedAt'>,
  tx: Tx,
): Promise<void> => {
  await Reports.updateOne({ _id: id, status: 'open' }, { $set: { status: 'decided', ...result } }).session(tx);
};

/** Lists reports, oldest first. */
export const listReports = (status: ReportDocument['status'], limit: number) =>
  Reports.find({ status }).sort({ _id: 1 }).limit(limit).lean<ReportDocument[]>().exec();

/** Lists the reports of an account, newest first, one more than `limit`. */
/** Counts the open reports. */
export const waitingReports = (): Promise<Waiting> => waitingIn(Reports, { status: 'open' });

/** Counts the open appeals. */
export const waitingAppeals = (): Promise<Waiting> => waitingIn(Appeals, { status: 'open' });

export const reportsOfAccount = (accountId: string, limit: number, before: string | undefined) =>
  Reports.find({ accountId, ...(before !== undefined && isId(before) ? { _id: { $lt: before } } : {}) })
    .sort({ _id: -1 })
    .limit(limit + 1)
    .maxTimeMS(500)
    .lean<ReportDocument[]>()
    .exec();

export const insertAppeal = async (appeal: AppealDocument, tx: Tx): Promise<void> => {
  await Appeals.create([appeal], { session: tx });
};

export const findAppeal = (id: string, tx: Tx) =>
  isId(id) ? Appeals.findById(id).session(tx).lean<AppealDocument>().exec() : Promise.resolve(null);

/** Returns one side's appeals about these reviews, newest first. */
export const appealsAbout = (reviewIds: readonly string[], side: AppealDocument['side'], tx?: Tx) =>
  Appeals.find({ reviewId: { $in: reviewIds }, side })
    .sort({ createdAt: -1, _id: -1 })
    .session(tx ?? null)
    .lean<AppealDocument[]>()
    .exec();

export const openAppeals = (reviewId: string, tx: Tx) =>
  Appeals.find({ reviewId, status: 'open' }).session(tx).lean<AppealDocument[]>().exec();

export const closeAppeal = async (
  id: Types.ObjectId,
  result: Pick<AppealDocument, 'outcome' | 'facts' | 'decidedAt' | 'decidedBy'>,
  tx: Tx,
): Promise<void> => {
  await Appeals.updateOne({ _id: id, status: 'open' }, { $set: { status: 'decided', ...result } }).session(tx);
};

export const listAppeals = (status: AppealDocument['status'], limit: number) =>
  Appeals.find({ status }).sort({ _id: 1 }).limit(limit).lean<AppealDocument[]>().exec();

/** Inserts or replaces a flag. Returns false if the review already had it. */
export const upsertFlag = async ({ _id, reviewId, reasonCode, ...flag }: FlagDocument, tx: Tx): Promise<boolean> => {
  const change = { $set: flag, $setOnInsert: { _id } };
  const { upsertedCount } = await Flags.updateOne({ reviewId, reasonCode }, change, { upsert: true }).session(tx);
  return upsertedCount === 1;
};

export const countFlags = (reviewId: string, tx: Tx): Promise<number> =>
  Flags.countDocuments({ reviewId }).session(tx).exec();

/** Removes all flags. Returns their number. */
export const removeFlags = async (reviewId: string, tx: Tx): Promise<number> =>
  (await Flags.deleteMany({ reviewId }).session(tx)).deletedCount;

export const flagsOf = (reviewIds: readonly string[]) =>
  Flags.find({ reviewId: { $in: reviewIds } })
    .lean<FlagDocument[]>()
    .exec();

export const flaggedReviews = (): Promise<string[]> => Flags.distinct('reviewId').exec();

interface CaseCount<Outcome> {
  readonly broker: string;
  readonly status: 'open' | 'decided';
  readonly outcome?: Outcome;
  readonly count: number;
}

const countCases = async <Outcome>(
  model: typeof Reports | typeof Appeals,
  broker: string | undefined,
  tx: Tx,
): Promise<CaseCount<Outcome>[]> => {
  const rows = await mongoose
    .model(model.modelName)
    .aggregate<{ _id: Omit<CaseCount<Outcome>, 'count'>; count: number }>([
      { $match: broker === undefined ? {} : { broker } },
      { $group: { _id: { broker: '$broker', status: '$status', outcome: '$outcome' }, count: { $sum: 1 } } },
    ])
    .session(tx);
  return rows.map(({ _id, count }) => ({ ..._id, count }));
};

export const countReports = (broker: string | undefined, tx: Tx) => countCases<ReportOutcome>(Reports, broker, tx);
export const countAppeals = (broker: string | undefined, tx: Tx) => countCases<AppealOutcome>(Appeals, broker, tx);

/** All moderation records about these accounts and these reviews. */
export interface Cases {
  readonly reports: readonly ReportDocument[];
  readonly appeals: readonly AppealDocument[];
  readonly decisions: readonly DecisionDocument[];
  readonly flags: readonly FlagDocument[];
}

/**
 * Finds reports and appeals by these accounts, and everything about these reviews: up to `limit` of each kind (0: no
 * limit).
 */
export const findCases = async (
  accountIds: readonly string[],
  reviewIds: readonly string[],
  tx: Tx,
  limit = 0,
): Promise<Cases> => {
  const about = { reviewId: { $in: reviewIds } };
  const byOrAbout = { $or: [{ accountId: { $in: accountIds } }, about] };
  return {
    reports: await Reports.find(byOrAbout).limit(limit).session(tx).lean<ReportDocument[]>().exec(),
    appeals: await Appeals.find(byOrAbout).limit(limit).session(tx).lean<AppealDocument[]>().exec(),
    decisions: await Decisions.find(about).limit(limit).session(tx).lean<DecisionDocument[]>().exec(),
    flags: await Flags.find(about).limit(limit).session(tx).lean<FlagDocument[]>().exec(),
  };
};

export const deleteCases = async ({ reports, appeals, decisions, flags }: Cases, tx: Tx): Promise<void> => {
  const these = (rows: readonly AboutReview[]) => ({ _id: { $in: rows.map(({ _id }) => _id) } });
  await Reports.deleteMany(these(reports)).session(tx);
  await Appeals.deleteMany(these(appeals)).session(tx);
  await Decisions.deleteMany(these(decisions)).session(tx);
  await Flags.deleteMany(these(flags)).session(tx);
};
