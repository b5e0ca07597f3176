import type { AppealOutcome, ReasonCode, ReportOutcome, WithdrawalReason } from '@broker-transparency/contract';
import { Types } from 'mongoose';
import { ProblemError } from '../../http/problem/problem.ts';
import { actorKey, record } from '../../platform/audit/store.ts';
import type { Context } from '../../platform/context.ts';
import { type Tx, transaction } from '../../platform/mongo.ts';
import { moveReview, requireOwnReview, requireReview } from '../reviews/actions.ts';
import { requireUnclaimed } from '../reviews/claims.ts';
import type { ReviewDocument } from '../reviews/facts.ts';
import { tallyAppeal, tallyReport } from '../transparency/tally.ts';
import { IncompleteDecision, statementOf, type Verdict } from './statement.rule.ts';
import * as store from './store.ts';

const STATE_AFTER = { publish: 'published', reject: 'rejected', remove: 'removed' } as const;

/** What the decisions of moderators have in common. @throws ProblemError state_conflict where something is missing */
export const storeDecision = async (
  { actor, clock }: Context,
  { _id, broker }: ReviewDocument,
  verdict: Verdict,
  decidedBefore: readonly string[],
  tx: Tx,
): Promise<store.DecisionDocument> => {
  const decision = {
    _id: new Types.ObjectId(),
    reviewId: String(_id),
    broker,
    kind: verdict.kind,
    statement: completeStatement(verdict),
    decidedBy: actorKey(actor),
    decidedAt: clock(),
    decidedBefore,
  };
  await store.insertDecision(decision, tx);
  return decision;
};

const completeStatement = (verdict: Verdict) => {
  try {
    return statementOf(verdict);
  } catch (error) {
    throw error instanceof IncompleteDecision ? new ProblemError('state_conflict', error.message) : error;
  }
};

/** Ends a report, whatever became of it. */
export const closeReport = async (
  { actor, clock }: Context,
  report: store.ReportDocument,
  { outcome, decisionId }: { readonly outcome: ReportOutcome; readonly decisionId?: Types.ObjectId | undefined },
  reason: string,
  tx: Tx,
): Promise<void> => {
  const now = clock();
  const after = { status: 'decided', outcome } as const;
  await store.closeReport(report._id, { outcome, decidedAt: now, ...(decisionId ? { decisionId } : {}) }, tx);
  await tallyReport(report, report, after, tx);
  const subject = { kind: 'report', id: String(report._id) } as const;
  await record(actor, now, { action: 'report.decided', subject, before: { status: 'open' }, after, reason }, tx);
};

/** Ends an appeal, whatever became of it. */
export const closeAppeal = async (
  { actor, clock }: Context,
  appeal: store.AppealDocument,
  result: { readonly outcome: AppealOutcome; readonly facts?: string },
  reason: string,
  tx: Tx,
): Promise<store.AppealDocument> => {
  const now = clock();
  const closed = { ...result, decidedAt: now, decidedBy: actorKey(actor) };
  const after = { status: 'decided', outcome: result.outcome } as const;
  await store.closeAppeal(appeal._id, closed, tx);
  await tallyAppeal(appeal, appeal, after, tx);
  const subject = { kind: 'appeal', id: String(appeal._id) } as const;
  await record(actor, now, { action: 'appeal.decided', subject, before: { status: 'open' }, after, reason }, tx);
  return { ...appeal, ...closed, status: 'decided' };
};

/** Closes whatever is open about a review that is gone. */
const closeOpenCases = async (
  context: Context,
  reviewId: string,
  outcome: Exclude<ReportOutcome, 'kept'>,
  { decisionId, reason }: { readonly decisionId?: Types.ObjectId; readonly reason: string },
  tx: Tx,
): Promise<void> => {
  for (const report of await store.openReports([reviewId], tx))
    await closeReport(context, report, { outcome, decisionId }, reason, tx);
  const appealOutcome = outcome === 'removed' ? 'reversed' : outcome;
  for (const appeal of await store.openAppeals(reviewId, tx))
    await closeAppeal(context, appeal, { outcome: appealOutcome }, reason, tx);
};

/** A verdict that moves the review. */
export interface Move extends Verdict {
  readonly kind: keyof typeof STATE_AFTER;
}

/** Carries out a decision in the caller's transaction: the review's move, the statement of reasons, what was open about it. */
export const carryOut = async (
  context: Context,
  reviewId: string,
  verdict: Move,
  appeal: { readonly decidedBefore: readonly string[] } | undefined,
  tx: Tx,
): Promise<store.DecisionDocument> => {
  const { kind, reasonCode } = verdict;
  const reinstate = appeal !== undefined && kind === 'publish';
  const reason = reasonCode ?? (reinstate ? 'appeal_reversed' : 'approved');
  const review = await moveReview(context, reviewId, { to: STATE_AFTER[kind], reasonCode, reason, reinstate }, tx);
  const decision = await storeDecision(context, review, verdict, appeal?.decidedBefore ?? [], tx);
  if (kind === 'remove') await closeOpenCases(context, reviewId, 'removed', { decisionId: decision._id, reason }, tx);
  return decision;
};

/** A moderator's decision about a review. @throws ProblemError review_not_found, state_conflict */
export const decideReview = (context: Context, reviewId: string, verdict: Move): Promise<store.DecisionDocument> =>
  transaction(async (tx) => {
    requireUnclaimed(context, await requireReview(reviewId, tx));
    return carryOut(context, reviewId, verdict, undefined, tx);
  });

/** Withdraws a review in the caller's transaction; with `accountId`, only one of that account. */
export const withdrawReview = async (
  context: Context,
  reviewId: string,
  { accountId, reason }: { readonly accountId?: string; readonly reason: WithdrawalReason },
  tx: Tx,
): Promise<ReviewDocument> => {
  if (accountId !== undefined) await requireOwnReview(reviewId, accountId, tx);
  const review = await moveReview(context, reviewId, { to: 'withdrawn', reason }, tx);
  await closeOpenCases(context, reviewId, 'withdrawn', { reason }, tx);
  return review;
};

/** The same in a transaction of its own, for the operator. */
export const withdrawForAuthor = (
  context: Context,
  reviewId: string,
  reason: WithdrawalReason,
): Promise<ReviewDocument> => transaction((tx) => withdrawReview(context, reviewId, { reason }, tx));

/** Marks a review for other moderators. Its state stays. */
export const flagReview = (
  context: Context,
  reviewId: string,
  { reasonCode, note }: { readonly reasonCode: ReasonCode; readonly note?: string | undefined },
): Promise<void> =>
  transaction(async (tx) => {
    const { actor, clock } = context;
    const { broker, status } = await requireReview(reviewId, tx);
    if (status !== 'pending' && status !== 'published')
      throw new ProblemError('state_conflict', `Review ${reviewId} is ${status}: there is nothing left to flag.`);
    const flag = { _id: new Types.ObjectId(), reviewId, broker, reasonCode, by: actorKey(actor), createdAt: clock() };
    const flags = await store.countFlags(reviewId, tx);
    const added = await store.upsertFlag({ ...flag, ...(note === undefined ? {} : { note }) }, tx);
    const subject = { kind: 'review', id: reviewId } as const;
    const states = { before: { flags }, after: { flags: flags + (added ? 1 : 0) } };
    await record(actor, clock(), { action: 'review.flagged', subject, ...states, reason: reasonCode }, tx);
  });

/** Takes all marks of a review away. @throws ProblemError state_conflict where it has none */
export const unflagReview = ({ actor, clock }: Context, reviewId: string): Promise<void> =>
  transaction(async (tx) => {
    const flags = await store.removeFlags(reviewId, tx);
    if (flags === 0) throw new ProblemError('state_conflict', `Review ${reviewId} has no flag.`);
    const subject = { kind: 'review', id: reviewId } as const;
    const states = { before: { flags }, after: { flags: 0 } };
    await record(actor, clock(), { action: 'review.unflagged', subject, ...states, reason: 'operator_command' }, tx);
  });
