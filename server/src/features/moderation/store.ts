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
  type StatementOpening,
} from '@broker-transparency/contract';
import { entryKey } from '@broker-transparency/contract/record';
import { type Model, Schema, Types } from 'mongoose';
import { nameIn } from '../../ledger/record/entry.rule.ts';
import { type BacklogStats, measureBacklog } from '../../platform/backlog.ts';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import { OPEN_REPORTS } from './policy.rule.ts';

interface AboutReview {
  readonly _id: Types.ObjectId;
  readonly reviewId: string;
  readonly broker: string;
}

/** A person without an account. Only those who decide see it. */
export interface Contact {
  readonly name?: string;
  readonly mail?: string;
  /** Hash of the address, by which it is found. */
  readonly mailHash?: string;
}

/** The sender of a report or appeal: an account, or a person without one who left a contact. */
export interface CaseParty {
  readonly accountId?: string;
  readonly contact?: Contact;
}

export interface DecisionDocument extends AboutReview {
  readonly kind: DecisionKind;
  readonly statement: StatementOfReasons;
  readonly decidedBy: string;
  readonly decidedAt: Date;
  /** On an appeal: the actors of the earlier decisions about the case. */
  readonly decidedBefore: readonly string[];
  /** Days for which the review waited for this decision; absent unless it is the first one about it. */
  readonly waitedDays?: number;
  /** Opens the entry of the record about the statement; absent if there is none. */
  readonly opening?: StatementOpening;
}

export interface ReportDocument extends AboutReview, CaseParty {
  readonly reasonCode: ReasonCode;
  readonly text: string;
  readonly status: (typeof REPORT_STATUSES)[number];
  readonly outcome?: ReportOutcome;
  readonly decisionId?: Types.ObjectId;
  readonly createdAt: Date;
  readonly decidedAt?: Date;
}

export interface AppealDocument extends AboutReview, CaseParty {
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
const contact = { type: new Schema<Contact>({ name: String, mail: String, mailHash: String }, { _id: false }) };
const byMail = { partialFilterExpression: { 'contact.mailHash': { $exists: true } } };

const Decisions = defineModel(
  'ModerationDecision',
  new Schema<DecisionDocument>(
    {
      ...aboutReview,
      kind: { type: String, enum: DECISIONS, required: true },
      statement: { type: Schema.Types.Mixed, required: true },
      decidedBy: { type: String, required: true },
      decidedAt: { type: Date, required: true },
      decidedBefore: { type: [String], required: true },
      waitedDays: Number,
      opening: { type: { key: String, salt: String }, _id: false },
    },
    STRICT,
  )
    .index({ reviewId: 1, decidedAt: -1, _id: -1 })
    .index({ 'opening.key': 1 }, { unique: true, partialFilterExpression: { 'opening.key': { $exists: true } } })
    .index({ decidedAt: 1, waitedDays: 1 }, { partialFilterExpression: { waitedDays: { $exists: true } } }),
  'moderationDecisions',
);

const Reports = defineModel(
  'Report',
  new Schema<ReportDocument>(
    {
      ...aboutReview,
      accountId: String,
      contact,
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
    .index({ accountId: 1, _id: -1 })
    .index({ decisionId: 1 }, { partialFilterExpression: { decisionId: { $exists: true } } })
    .index({ createdAt: 1, accountId: 1 })
    .index({ decidedAt: 1 })
    .index({ 'contact.mailHash': 1 }, byMail),
  'reports',
);

const Appeals = defineModel(
  'Appeal',
  new Schema<AppealDocument>(
    {
      ...aboutReview,
      decisionId: { type: Types.ObjectId, required: true },
      side: { type: String, required: true },
      accountId: String,
      contact,
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
    .index({ accountId: 1 })
    .index({ decidedAt: 1 })
    .index({ 'contact.mailHash': 1 }, byMail),
  'appeals',
);

/** A link by which somebody reads one case without an account. */
export interface CaseLink {
  /** Hash of its secret. */
  readonly _id: string;
  /** The case: a decision, for the author of the review, or a report, for who sent it. */
  readonly about: 'decision' | 'report';
  readonly caseId: Types.ObjectId;
  readonly reviewId: string;
  readonly createdAt: Date;
  /** From then on it shows nothing. */
  readonly endsAt: Date;
}

const Links = defineModel(
  'CaseLink',
  new Schema<CaseLink>(
    {
      _id: String,
      about: { type: String, required: true },
      caseId: { type: Types.ObjectId, required: true },
      reviewId: { type: String, required: true },
      createdAt: { type: Date, required: true },
      endsAt: { type: Date, required: true },
    },
    STRICT,
  )
    .index({ caseId: 1 })
    .index({ reviewId: 1, about: 1 })
    .index({ endsAt: 1 }),
  'caseLinks',
);

const Flags = defineModel(
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

/** A report without an account, as it counts for the network address that sent it. Nothing in it names the report. */
interface ReportAsker {
  readonly askedBy: string;
  readonly createdAt: Date;
}

const Askers = defineModel(
  'ReportAsker',
  new Schema<ReportAsker>(
    { askedBy: { type: String, required: true }, createdAt: { type: Date, required: true } },
    STRICT,
  )
    .index({ askedBy: 1, createdAt: 1 })
    .index({ createdAt: 1 }, { expireAfterSeconds: OPEN_REPORTS.withinMs / 1000 }),
  'reportAskers',
);

const isId = (id: string): boolean => Types.ObjectId.isValid(id) && id.length === 24;

export const insertDecision = async (decision: DecisionDocument, tx: Tx): Promise<void> => {
  await Decisions(tx.db).create([decision], { session: tx });
};

export const findDecision = (id: Types.ObjectId, tx: Tx) =>
  Decisions(tx.db).findById(id).session(tx).lean<DecisionDocument>().exec();

export const findDecisions = (db: Db, ids: readonly Types.ObjectId[]) =>
  Decisions(db)
    .find({ _id: { $in: ids } })
    .maxTimeMS(500)
    .lean<DecisionDocument[]>()
    .exec();

/** Returns the decisions whose statements have these keys in the record. */
export const findOpened = (keys: readonly string[], tx: Tx) =>
  Decisions(tx.db)
    .find({ 'opening.key': { $in: keys } })
    .session(tx)
    .lean<DecisionDocument[]>()
    .exec();

/** Returns up to `limit` names of statements in the record after this one, in order. */
export const nextOpened = async (db: Db, after: string, limit: number): Promise<string[]> =>
  (
    await Decisions(db)
      .find({ 'opening.key': { $gt: entryKey('statement', after) } }, { 'opening.key': 1 })
      .sort({ 'opening.key': 1 })
      .limit(limit)
      .lean<{ opening: StatementOpening }[]>()
      .exec()
  ).map(({ opening }) => nameIn(opening.key));

/**
 * Returns decisions about reviews, newest first, without those that only answer a report. Sorted by time, because ids
 * are ordered only within a process.
 */
export const listDecisionsAbout = (db: Db, reviewIds: readonly string[], tx?: Tx) =>
  Decisions(db)
    .find({ reviewId: { $in: reviewIds }, kind: { $ne: 'keep' } })
    .sort({ decidedAt: -1, _id: -1 })
    .session(tx ?? null)
    .lean<DecisionDocument[]>()
    .exec();

export const insertReport = async (report: ReportDocument, tx: Tx): Promise<void> => {
  await Reports(tx.db).create([report], { session: tx });
};

export const findReport = (id: string, tx: Tx) =>
  isId(id) ? Reports(tx.db).findById(id).session(tx).lean<ReportDocument>().exec() : Promise.resolve(null);

/** Returns a report of an account. */
export const findAccountReport = (db: Db, accountId: string, id: string) =>
  isId(id)
    ? Reports(db).findOne({ _id: id, accountId }).maxTimeMS(500).lean<ReportDocument>().exec()
    : Promise.resolve(null);
/** Finds a report or an appeal outside of a transaction. */
export const readReport = (db: Db, id: string) =>
  isId(id) ? Reports(db).findById(id).lean<ReportDocument>().exec() : Promise.resolve(null);
export const readAppeal = (db: Db, id: string) =>
  isId(id) ? Appeals(db).findById(id).lean<AppealDocument>().exec() : Promise.resolve(null);

export const findOpenReports = (db: Db, reviewIds: readonly string[], tx?: Tx) =>
  Reports(db)
    .find({ reviewId: { $in: reviewIds }, status: 'open' })
    .session(tx ?? null)
    .lean<ReportDocument[]>()
    .exec();

export const closeReport = async (
  id: Types.ObjectId,
  result: Pick<ReportDocument, 'outcome' | 'decisionId' | 'decidedAt'>,
  tx: Tx,
): Promise<void> => {
  await Reports(tx.db)
    .updateOne({ _id: id, status: 'open' }, { $set: { status: 'decided', ...result } })
    .session(tx);
};

/** Returns the report that a decision answered by keeping its review. */
export const findReportByDecision = (decisionId: Types.ObjectId, tx: Tx) =>
  Reports(tx.db).findOne({ decisionId }).session(tx).lean<ReportDocument>().exec();

/** Counts the reports without an account since a time, up to `limit`. */
export const countOpenSenders = (since: Date, limit: number, tx: Tx): Promise<number> =>
  Reports(tx.db)
    .countDocuments({ createdAt: { $gt: since }, accountId: { $exists: false } })
    .limit(limit)
    .session(tx)
    .exec();

/** Counts the reports without an account that a network address sent since a time. */
export const countAsked = (askedBy: string, since: Date, tx: Tx): Promise<number> =>
  Askers(tx.db)
    .countDocuments({ askedBy, createdAt: { $gt: since } })
    .session(tx)
    .exec();

export const insertAsker = async (asker: ReportAsker, tx: Tx): Promise<void> => {
  await Askers(tx.db).create([asker], { session: tx });
};

/** Returns the reports with these ids whose senders, without an account, are not forgotten. */
export const findSenders = (ids: readonly string[], tx: Tx) =>
  Reports(tx.db)
    .find({ _id: { $in: ids.filter(isId) }, contact: { $exists: true } })
    .session(tx)
    .lean<ReportDocument[]>()
    .exec();

/** Returns up to `limit` reports of persons without an account that were decided before a time. */
export const findOldContacts = (db: Db, before: Date, limit: number) =>
  Reports(db)
    .find({ 'contact.mailHash': { $exists: true }, decidedAt: { $lt: before } })
    .limit(limit)
    .lean<ReportDocument[]>()
    .exec();

/** Removes the contact from a report, and from the appeal against its decision. */
export const removeContact = async ({ _id, decisionId }: ReportDocument, tx: Tx): Promise<void> => {
  await Reports(tx.db)
    .updateOne({ _id }, { $unset: { contact: 1 } })
    .session(tx);
  if (decisionId)
    await Appeals(tx.db)
      .updateMany({ decisionId, side: 'reporter' }, { $unset: { contact: 1 } })
      .session(tx);
};

export const insertLink = async (link: CaseLink, tx: Tx): Promise<void> => {
  await Links(tx.db).create([link], { session: tx });
};

export const findLink = (id: string, tx: Tx) => Links(tx.db).findById(id).session(tx).lean<CaseLink>().exec();

/** Returns the ids of the links that a filter finds. */
const listLinkIds = async (filter: object, tx: Tx): Promise<string[]> =>
  (await Links(tx.db).find(filter, { _id: 1 }).session(tx).lean<{ _id: string }[]>().exec()).map(({ _id }) => _id);

/** Returns the ids of the links to a case. */
export const listCaseLinks = (caseId: Types.ObjectId, tx: Tx) => listLinkIds({ caseId }, tx);

/** Returns the ids of the links of the author to the decisions about a review. */
export const listAuthorLinks = (reviewId: string, tx: Tx) => listLinkIds({ reviewId, about: 'decision' }, tx);

/** Deletes these links. Returns their number. */
export const deleteLinksById = async (ids: readonly string[], tx: Tx): Promise<number> =>
  (
    await Links(tx.db)
      .deleteMany({ _id: { $in: ids } })
      .session(tx)
  ).deletedCount;

/** Deletes the links to these cases. Returns their number. */
export const deleteLinks = async (caseIds: readonly Types.ObjectId[], tx: Tx): Promise<number> =>
  (
    await Links(tx.db)
      .deleteMany({ caseId: { $in: caseIds } })
      .session(tx)
  ).deletedCount;

/** Deletes the links that have ended. Returns their number. */
export const deleteEndedLinks = async (now: Date, tx: Tx): Promise<number> =>
  (
    await Links(tx.db)
      .deleteMany({ endsAt: { $lte: now } })
      .session(tx)
  ).deletedCount;

/** Lists reports, oldest first. */
export const listReports = (db: Db, status: ReportDocument['status'], limit: number) =>
  Reports(db).find({ status }).sort({ _id: 1 }).limit(limit).lean<ReportDocument[]>().exec();

/** Counts the open reports. */
export const countWaitingReports = (db: Db): Promise<BacklogStats> => measureBacklog(Reports(db), { status: 'open' });

/** Counts the open appeals. */
export const countWaitingAppeals = (db: Db): Promise<BacklogStats> => measureBacklog(Appeals(db), { status: 'open' });

/** Lists the reports of an account, newest first, one more than `limit`. */
export const listAccountReports = (db: Db, accountId: string, limit: number, before: string | undefined) =>
  Reports(db)
    .find({ accountId, ...(before !== undefined && isId(before) ? { _id: { $lt: before } } : {}) })
    .sort({ _id: -1 })
    .limit(limit + 1)
    .maxTimeMS(500)
    .lean<ReportDocument[]>()
    .exec();

export const insertAppeal = async (appeal: AppealDocument, tx: Tx): Promise<void> => {
  await Appeals(tx.db).create([appeal], { session: tx });
};

export const findAppeal = (id: string, tx: Tx) =>
  isId(id) ? Appeals(tx.db).findById(id).session(tx).lean<AppealDocument>().exec() : Promise.resolve(null);

/** Returns one side's appeals about these reviews, newest first. */
export const listAppealsAbout = (db: Db, reviewIds: readonly string[], side: AppealDocument['side'], tx?: Tx) =>
  Appeals(db)
    .find({ reviewId: { $in: reviewIds }, side })
    .sort({ createdAt: -1, _id: -1 })
    .session(tx ?? null)
    .lean<AppealDocument[]>()
    .exec();

export const findOpenAppeals = (reviewId: string, tx: Tx) =>
  Appeals(tx.db).find({ reviewId, status: 'open' }).session(tx).lean<AppealDocument[]>().exec();

export const hasOpenAppeal = async (db: Db, reviewId: string): Promise<boolean> =>
  (await Appeals(db).exists({ reviewId, status: 'open' })) !== null;

export const closeAppeal = async (
  id: Types.ObjectId,
  result: Pick<AppealDocument, 'outcome' | 'facts' | 'decidedAt' | 'decidedBy'>,
  tx: Tx,
): Promise<void> => {
  await Appeals(tx.db)
    .updateOne({ _id: id, status: 'open' }, { $set: { status: 'decided', ...result } })
    .session(tx);
};

export const listAppeals = (db: Db, status: AppealDocument['status'], limit: number) =>
  Appeals(db).find({ status }).sort({ _id: 1 }).limit(limit).lean<AppealDocument[]>().exec();

/** Inserts or replaces a flag. Returns false if the review already had it. */
export const upsertFlag = async ({ _id, reviewId, reasonCode, ...flag }: FlagDocument, tx: Tx): Promise<boolean> => {
  const change = { $set: flag, $setOnInsert: { _id } };
  const { upsertedCount } = await Flags(tx.db)
    .updateOne({ reviewId, reasonCode }, change, { upsert: true })
    .session(tx);
  return upsertedCount === 1;
};

export const countFlags = (reviewId: string, tx: Tx): Promise<number> =>
  Flags(tx.db).countDocuments({ reviewId }).session(tx).exec();

/** Removes all flags. Returns their number. */
export const removeFlags = async (reviewId: string, tx: Tx): Promise<number> =>
  (await Flags(tx.db).deleteMany({ reviewId }).session(tx)).deletedCount;

export const listFlags = (db: Db, reviewIds: readonly string[]) =>
  Flags(db)
    .find({ reviewId: { $in: reviewIds } })
    .lean<FlagDocument[]>()
    .exec();

export const listFlaggedReviews = (db: Db): Promise<string[]> => Flags(db).distinct('reviewId').exec();

interface CaseCount<Outcome> {
  readonly broker: string;
  readonly status: 'open' | 'decided';
  readonly outcome?: Outcome;
  readonly count: number;
}

const countCases = async <Outcome>(
  { collection }: Pick<Model<unknown>, 'collection'>,
  broker: string | undefined,
  tx: Tx,
): Promise<CaseCount<Outcome>[]> => {
  const rows = await collection
    .aggregate<{ _id: Omit<CaseCount<Outcome>, 'count'>; count: number }>(
      [
        { $match: broker === undefined ? {} : { broker } },
        { $group: { _id: { broker: '$broker', status: '$status', outcome: '$outcome' }, count: { $sum: 1 } } },
      ],
      { session: tx },
    )
    .toArray();
  return rows.map(({ _id, count }) => ({ ..._id, count }));
};

export const countReports = (broker: string | undefined, tx: Tx) =>
  countCases<ReportOutcome>(Reports(tx.db), broker, tx);
export const countAppeals = (broker: string | undefined, tx: Tx) =>
  countCases<AppealOutcome>(Appeals(tx.db), broker, tx);

/** Days between two times of a record. */
const DAYS_WAITED = {
  $toInt: { $floor: { $divide: [{ $subtract: ['$decidedAt', '$createdAt'] }, 86_400_000] } },
};

/** Counts the cases that people decided since a time, by the whole days that they waited. */
export const countDelays = async (
  db: Db,
  what: 'reviews' | 'reports' | 'appeals',
  since: Date,
): Promise<{ readonly days: number; readonly count: number }[]> => {
  const decided = { decidedAt: { $gt: since } };
  const byPerson = { ...decided, decidedBy: /^operator:/ };
  const [model, match, days] = {
    reviews: [Decisions(db), { ...byPerson, waitedDays: { $exists: true } }, '$waitedDays'],
    reports: [Reports(db), { ...decided, outcome: { $in: ['removed', 'kept'] } }, DAYS_WAITED],
    appeals: [Appeals(db), { ...byPerson, outcome: { $in: ['confirmed', 'reversed'] } }, DAYS_WAITED],
  }[what] as [Pick<Model<unknown>, 'collection'>, object, object | string];
  const rows = await model.collection
    .aggregate<{ _id: number; count: number }>([{ $match: match }, { $group: { _id: days, count: { $sum: 1 } } }], {
      maxTimeMS: 1000,
    })
    .toArray();
  return rows.map(({ _id, count }) => ({ days: _id, count }));
};

/** All moderation records about these accounts and these reviews. */
export interface ModerationCases {
  readonly reports: readonly ReportDocument[];
  readonly appeals: readonly AppealDocument[];
  readonly decisions: readonly DecisionDocument[];
  readonly flags: readonly FlagDocument[];
}

/** A person, as moderation knows them. */
export interface CasePerson {
  readonly accountIds: readonly string[];
  readonly mailHashes: readonly string[];
  readonly reviewIds: readonly string[];
}

/**
 * Finds reports and appeals by a person, and everything about their reviews: up to `limit` of each kind (0: no limit).
 */
export const findCases = async (
  { accountIds, mailHashes, reviewIds }: CasePerson,
  tx: Tx,
  limit = 0,
): Promise<ModerationCases> => {
  const about = { reviewId: { $in: reviewIds } };
  const byOrAbout = {
    $or: [{ accountId: { $in: accountIds } }, { 'contact.mailHash': { $in: mailHashes } }, about],
  };
  return {
    reports: await Reports(tx.db).find(byOrAbout).limit(limit).session(tx).lean<ReportDocument[]>().exec(),
    appeals: await Appeals(tx.db).find(byOrAbout).limit(limit).session(tx).lean<AppealDocument[]>().exec(),
    decisions: await Decisions(tx.db).find(about).limit(limit).session(tx).lean<DecisionDocument[]>().exec(),
    flags: await Flags(tx.db).find(about).limit(limit).session(tx).lean<FlagDocument[]>().exec(),
  };
};

export const deleteCases = async ({ reports, appeals, decisions, flags }: ModerationCases, tx: Tx): Promise<void> => {
  const these = (rows: readonly AboutReview[]) => ({ _id: { $in: rows.map(({ _id }) => _id) } });
  await Reports(tx.db).deleteMany(these(reports)).session(tx);
  await Appeals(tx.db).deleteMany(these(appeals)).session(tx);
  await Decisions(tx.db).deleteMany(these(decisions)).session(tx);
  await Flags(tx.db).deleteMany(these(flags)).session(tx);
  await deleteLinks(
    [...reports, ...decisions].map(({ _id }) => _id),
    tx,
  );
};
