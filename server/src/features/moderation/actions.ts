import type { AppealOutcome, ReasonCode, ReportOutcome } from '@broker-transparency/contract';
import { Types } from 'mongoose';
import { actorKey } from '../../ledger/audit/store.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { requireUnclaimedCase } from '../claims/actions.ts';
import { notifyPerson } from '../notices/tell.ts';
import { requireAnotherPerson } from '../operators/authorise.ts';
import { requireNotOwn } from '../representatives/own-cases.ts';
import { moveReview, requireOwnReview, requireReview } from '../reviews/actions.ts';
import { requireUnclaimed } from '../reviews/claims.ts';
import { findWithheldUntil, type ReviewDocument } from '../reviews/facts.ts';
import { isLive } from '../reviews/status.rule.ts';
import { tallyAppeal, tallyReport } from '../transparency/tally.ts';
import { findAppealCase, tellByLink, toDecisionCase, toReportCase } from './links.ts';
import {
  buildStatement,
  computeAppealEnd,
  type DecisionCircumstances,
  isRestriction,
  type ModerationVerdict,
  type WithdrawalReason,
} from './statement.rule.ts';
import { publishStatement } from './statement-entry.ts';
import * as store from './store.ts';

const DAY = 86_400_000;

const DECISION_NOTICES = {
  publish: 'review.published',
  restore: 'review.published',
  reject: 'review.rejected',
  remove: 'review.removed',
  withhold: 'review.withheld',
} as const;

/** Notifies the author of a decision about a review and its reason, unless the review stays as it is. */
const notifyAuthor = async (
  c: TxContext,
  { accountId }: ReviewDocument,
  decision: store.DecisionDocument,
): Promise<void> => {
  const { kind, reviewId: reference, broker, statement, decidedAt } = decision;
  if (kind === 'keep') return;
  if (kind === 'publish' || kind === 'restore')
    return notifyPerson(c, accountId, DECISION_NOTICES[kind], { reference, broker });
  const { facts, reasonCode } = statement;
  const restriction = { facts, reasonCode: String(reasonCode), appealUntil: computeAppealEnd(decidedAt).toISOString() };
  await tellByLink(c, toDecisionCase(decision), accountId, {
    kind: DECISION_NOTICES[kind],
    data: { reference, broker, ...restriction },
  });
};

const STATE_AFTER = {
  publish: 'published',
  restore: 'published',
  reject: 'rejected',
  remove: 'removed',
  withhold: 'withheld',
} as const;

/** The history of a decision. */
interface DecisionHistory {
  readonly decidedBefore?: readonly string[] | undefined;
  readonly isReported?: DecisionCircumstances['isReported'] | undefined;
  readonly until?: DecisionCircumstances['until'];
}

/** Returns the days for which a review waited; undefined if the decision is not the first one about it. */
const countWaitedDays = async (c: TxContext, { _id, createdAt }: ReviewDocument): Promise<number | undefined> => {
  const [earlier] = await store.listDecisionsAbout(c.db, [String(_id)], c.tx);
  return earlier ? undefined : Math.max(0, Math.floor((c.now.getTime() - createdAt.getTime()) / DAY));
};

/**
 * Stores a decision with its statement of reasons, and binds the record to it. @throws DomainError state_conflict if
 * the verdict is incomplete
 */
export const storeDecision = async (
  c: TxContext,
  review: ReviewDocument,
  verdict: ModerationVerdict,
  { decidedBefore = [], isReported, until }: DecisionHistory = {},
): Promise<store.DecisionDocument> => {
  const { broker } = review;
  const { kind } = verdict;
  const reviewId = String(review._id);
  const reported = isReported ?? (await store.findOpenReports(c.db, [reviewId], c.tx)).length > 0;
  const statement = buildStatement(verdict, { isReported: reported, until });
  const isByPerson = !statement.automatedMeans && (kind === 'publish' || kind === 'reject');
  const waitedDays = isByPerson ? await countWaitedDays(c, review) : undefined;
  const opening =
    kind === 'keep' || isRestriction(kind) ? publishStatement(c, { reviewId, broker, kind, statement }) : undefined;
  const decision: store.DecisionDocument = {
    _id: new Types.ObjectId(),
    reviewId,
    broker,
    kind,
    statement,
    decidedBy: actorKey(c.actor),
    decidedAt: c.now,
    decidedBefore,
    ...(waitedDays === undefined ? {} : { waitedDays }),
    ...(opening ? { opening } : {}),
  };
  await store.insertDecision(decision, c.tx);
  await notifyAuthor(c, review, decision);
  return decision;
};

/** The end of a report. */
interface ReportEnd {
  readonly outcome: ReportOutcome;
  /** The decision that answers the report. */
  readonly decisionId?: Types.ObjectId | undefined;
  /** Recorded in the audit trail. */
  readonly reason: string;
}

/** Closes a report with any outcome. */
export const closeReport = async (
  c: TxContext,
  report: store.ReportDocument,
  { outcome, decisionId, reason }: ReportEnd,
): Promise<void> => {
  const after = { status: 'decided', outcome } as const;
  const result = { outcome, decidedAt: c.now, ...(decisionId ? { decisionId } : {}) };
  await store.closeReport(report._id, result, c.tx);
  await tallyReport(c, report, report, after);
  c.audit('report.decided', { kind: 'report', id: String(report._id) }, { before: { status: 'open' }, after, reason });
  await tellByLink(c, toReportCase(report), report.accountId, {
    kind: 'report.decided',
    data: {
      reference: String(report._id),
      broker: report.broker,
      outcome,
      appealUntil: outcome === 'kept' ? computeAppealEnd(c.now).toISOString() : undefined,
    },
  });
};

/** The end of an appeal. */
interface AppealEnd {
  readonly outcome: AppealOutcome;
  /** The reasons, which author and reporter read. */
  readonly facts?: string;
  /** Recorded in the audit trail. */
  readonly reason: string;
}

/** Closes an appeal with any outcome. */
export const closeAppeal = async (
  c: TxContext,
  appeal: store.AppealDocument,
  { reason, ...result }: AppealEnd,
): Promise<store.AppealDocument> => {
  const closed = { ...result, decidedAt: c.now, decidedBy: actorKey(c.actor) };
  const after = { status: 'decided', outcome: result.outcome } as const;
  await store.closeAppeal(appeal._id, closed, c.tx);
  await tallyAppeal(c, appeal, appeal, after);
  c.audit('appeal.decided', { kind: 'appeal', id: String(appeal._id) }, { before: { status: 'open' }, after, reason });
  const about = { reference: appeal.reviewId, broker: appeal.broker };
  await tellByLink(c, await findAppealCase(c, appeal), appeal.accountId, {
    kind: 'appeal.decided',
    data: { ...about, outcome: result.outcome },
  });
  return { ...appeal, ...closed, status: 'decided' };
};

/** The end of all open cases about a review that is taken down. */
interface CasesEnd extends ReportEnd {
  readonly outcome: Exclude<ReportOutcome, 'kept'>;
}

/**
 * Closes all open reports about a review that was taken down; its open appeals end undecided.
 * @throws DomainError state_conflict if another operator works on one of them
 */
const closeOpenCases = async (c: TxContext, reviewId: string, end: CasesEnd): Promise<void> => {
  for (const report of await store.findOpenReports(c.db, [reviewId], c.tx)) {
    await requireUnclaimedCase(c, 'report', String(report._id));
    await closeReport(c, report, end);
  }
  const outcome = end.outcome === 'removed' ? 'ended' : end.outcome;
  for (const appeal of await store.findOpenAppeals(reviewId, c.tx)) {
    await requireUnclaimedCase(c, 'appeal', String(appeal._id));
    await closeAppeal(c, appeal, { outcome, reason: end.reason });
  }
};

/** A verdict that moves the review. */
export interface MovingVerdict extends ModerationVerdict {
  readonly kind: 'publish' | 'reject' | 'remove';
}

/** Requires that no appeal of the author against the withholding is open. @throws DomainError state_conflict */
const requireNoAuthorAppeal = async (c: TxContext, reviewId: string): Promise<void> => {
  const appeal = (await store.findOpenAppeals(reviewId, c.tx)).find(({ side }) => side === 'author');
  if (appeal)
    throw new DomainError(
      'state_conflict',
      `The author of review ${reviewId} appeals against its withholding: decide appeal ${appeal._id} first.`,
    );
};

/**
 * Carries out a decision in the caller's transaction: moves the review, stores the statement of reasons, and closes
 * open cases about the review.
 */
export const carryOutVerdict = async (
  c: TxContext,
  reviewId: string,
  verdict: MovingVerdict,
  appeal?: { readonly decidedBefore: readonly string[] },
): Promise<store.DecisionDocument> => {
  const { kind, reasonCode } = verdict;
  const reinstate = appeal !== undefined && kind === 'publish';
  const reason = reasonCode ?? (reinstate ? 'appeal_reversed' : 'approved');
  const by = reinstate ? 'appeal' : 'moderator';
  if (kind === 'remove') await requireNoAuthorAppeal(c, reviewId);
  const review = await moveReview(c, reviewId, { to: STATE_AFTER[kind], reasonCode, reason, by });
  const isReported = appeal !== undefined && kind === 'remove' ? true : undefined;
  const decision = await storeDecision(c, review, verdict, { decidedBefore: appeal?.decidedBefore, isReported });
  if (kind === 'remove') await closeOpenCases(c, reviewId, { outcome: 'removed', decisionId: decision._id, reason });
  return decision;
};

/**
 * Requires that the operator may decide about a review: nobody else works on it, they did not write it, and they do not
 * answer for its broker.
 * @throws NeedsAnother
 * @throws DomainError review_not_found, state_conflict
 */
export const requireDecidable = async (c: TxContext, reviewId: string): Promise<void> => {
  const review = await requireReview(c, reviewId);
  requireUnclaimed(c, review);
  await requireNotOwn(c, { what: `review ${reviewId}`, accounts: [review.accountId], brokers: [review.broker] });
};

/** Decides about a review as a moderator, in the caller's transaction. @throws DomainError as `decideReview` */
export const decideReviewIn = async (
  c: TxContext,
  reviewId: string,
  { kind, reasonCode, note }: MovingVerdict,
): Promise<store.DecisionDocument> => {
  await requireDecidable(c, reviewId);
  return carryOutVerdict(c, reviewId, { kind, reasonCode, note });
};

/**
 * Decides about a review as a moderator.
 * @throws NeedsAnother for whoever takes part in it
 * @throws DomainError review_not_found, state_conflict
 */
export const decideReview = (
  context: Context,
  reviewId: string,
  verdict: MovingVerdict,
): Promise<store.DecisionDocument> => inTransaction(context, (c) => decideReviewIn(c, reviewId, verdict));

/** The end and the reason of a withholding. */
interface WithholdingOrder {
  readonly reasonCode: ReasonCode;
  readonly note?: string | undefined;
  readonly days: number;
}

/**
 * Withholds a published review while a claim against it is examined: the review is not public and counts nowhere.
 * @throws DomainError review_not_found, state_conflict
 */
export const withholdReview = (
  context: Context,
  reviewId: string,
  { days, ...verdict }: WithholdingOrder,
): Promise<{ readonly decision: store.DecisionDocument; readonly until: Date }> =>
  inTransaction(context, async (c) => {
    await requireDecidable(c, reviewId);
    const until = new Date(c.now.getTime() + days * DAY);
    const { reasonCode } = verdict;
    const move = { to: STATE_AFTER.withhold, reasonCode, withheldUntil: until, reason: reasonCode };
    const review = await moveReview(c, reviewId, move);
    return { decision: await storeDecision(c, review, { kind: 'withhold', ...verdict }, { until }), until };
  });

/** Reasons to restore a review. Only `our_error` is a person's decision. */
export const RESTORATIONS = {
  our_error: 'It was taken down by an error of ours.',
  claim_dismissed: 'The claim for which it was withheld does not hold.',
  withholding_ended: 'The time for which it was withheld is over.',
} as const;
export type Restoration = keyof typeof RESTORATIONS;

/** Requires that another person than the one who decided finds the error. @throws NeedsAnother */
const requireAnotherThanDecided = async (c: TxContext, reviewId: string): Promise<void> => {
  const [decision] = await store.listDecisionsAbout(c.db, [reviewId], c.tx);
  if (!decision) return;
  const { kind, decidedBy, decidedBefore, decidedAt: at } = decision;
  await requireAnotherPerson(c, [decidedBy, ...decidedBefore], {
    at,
    what: `the decision to ${kind} that was an error`,
  });
};

const restoreIn = async (c: TxContext, reviewId: string, reason: Restoration): Promise<store.DecisionDocument> => {
  const isError = reason === 'our_error';
  const { status } = await requireReview(c, reviewId);
  if (isError) await requireAnotherThanDecided(c, reviewId);
  if (!isError && status !== 'withheld')
    throw new DomainError(
      'state_conflict',
      `Review ${reviewId} is ${status}: only one that is withheld is given back so.`,
    );
  const cause = isError ? 'correction' : 'fact';
  const review = await moveReview(c, reviewId, { to: STATE_AFTER.restore, reason, cause, by: 'appeal' });
  for (const appeal of await store.findOpenAppeals(reviewId, c.tx)) {
    if (appeal.side !== 'author') continue;
    await requireUnclaimedCase(c, 'appeal', String(appeal._id));
    await closeAppeal(c, appeal, { outcome: isError ? 'reversed' : 'ended', reason });
  }
  return storeDecision(c, review, { kind: 'restore', note: RESTORATIONS[reason] });
};

/**
 * Restores a withheld review, or one that was rejected or taken down by our error.
 * @throws DomainError review_not_found, state_conflict; NeedsAnother for the person who made the error
 */
export const restoreReview = (
  context: Context,
  reviewId: string,
  reason: Restoration,
): Promise<store.DecisionDocument> =>
  inTransaction(context, async (c) => {
    await requireDecidable(c, reviewId);
    return restoreIn(c, reviewId, reason);
  });

/** Publishes withheld reviews again once their time is over. Returns their number. */
export const endWithholding = async (context: Context, signal?: AbortSignal): Promise<number> => {
  let ended = 0;
  for (const id of await findWithheldUntil(context.db, context.clock())) {
    signal?.throwIfAborted();
    await inTransaction(context, async (c) => {
      const { status, withheldUntil } = await requireReview(c, id);
      if (status !== 'withheld' || withheldUntil === undefined || withheldUntil > c.now) return; // somebody decided meanwhile
      await restoreIn(c, id, 'withholding_ended');
      ended++;
    });
  }
  return ended;
};

/** Withdraws a review in the caller's transaction. If `accountId` is set, the review must belong to that account. */
export const withdrawReview = async (
  c: TxContext,
  reviewId: string,
  { accountId, reason }: { readonly accountId?: string; readonly reason: WithdrawalReason },
): Promise<ReviewDocument> => {
  if (accountId !== undefined) await requireOwnReview(c, reviewId, accountId);
  const review = await moveReview(c, reviewId, { to: 'withdrawn', reason });
  await closeOpenCases(c, reviewId, { outcome: 'withdrawn', reason });
  return review;
};

/** Withdraws a review in its own transaction, for operators. */
export const withdrawForAuthor = (
  context: Context,
  reviewId: string,
  reason: WithdrawalReason,
): Promise<ReviewDocument> =>
  inTransaction(context, async (c) => {
    await requireDecidable(c, reviewId);
    return withdrawReview(c, reviewId, { reason });
  });

/** Flags a review for other moderators. Its state stays. */
export const flagReview = (
  context: Context,
  reviewId: string,
  { reasonCode, note }: { readonly reasonCode: ReasonCode; readonly note?: string | undefined },
): Promise<void> =>
  inTransaction(context, async (c) => {
    const { broker, status } = await requireReview(c, reviewId);
    if (!isLive(status))
      throw new DomainError('state_conflict', `Review ${reviewId} is ${status}: it cannot be flagged.`);
    const flag = {
      _id: new Types.ObjectId(),
      reviewId,
      broker,
      reasonCode,
      by: actorKey(c.actor),
      createdAt: c.now,
      ...(note === undefined ? {} : { note }),
    };
    const flags = await store.countFlags(reviewId, c.tx);
    const added = await store.upsertFlag(flag, c.tx);
    const [before, after] = [{ flags }, { flags: flags + (added ? 1 : 0) }];
    c.audit('review.flagged', { kind: 'review', id: reviewId }, { before, after, reason: reasonCode });
  });

/** Removes all flags of a review. @throws DomainError state_conflict if it has none */
export const unflagReview = (context: Context, reviewId: string): Promise<void> =>
  inTransaction(context, async (c) => {
    const flags = await store.removeFlags(reviewId, c.tx);
    if (flags === 0) throw new DomainError('state_conflict', `Review ${reviewId} has no flag.`);
    const change = { before: { flags }, after: { flags: 0 }, reason: 'operator_command' };
    c.audit('review.unflagged', { kind: 'review', id: reviewId }, change);
  });
