import type { ReasonCode } from '@broker-transparency/contract';
import { Types } from 'mongoose';
import { record } from '../audit/store.ts';
import type { Context } from '../context.ts';
import { ProblemError } from '../http/problems.ts';
import { isDuplicateKey, type Tx, transaction } from '../platform/mongo.ts';
import { requireReview } from '../reviews/actions.ts';
import { carryOut, storeDecision } from './actions.ts';
import * as store from './store.ts';
import { tallyReport } from './tally.ts';

export { listReports } from './store.ts';

export interface NewReport {
  readonly reviewId: string;
  readonly reasonCode: ReasonCode;
  readonly text: string;
}

const reportExists = (): ProblemError =>
  new ProblemError('report_exists', 'Your earlier report about this review waits for a decision.');

/** Stores a report about a published review, in the caller's transaction. @throws ProblemError review_not_found, report_exists */
export const submitReport = async (
  { actor, clock }: Context,
  by: store.Party,
  { reviewId, reasonCode, text }: NewReport,
  tx: Tx,
): Promise<store.ReportDocument> => {
  const { broker, status } = await requireReview(reviewId, tx);
  if (status !== 'published')
    throw new ProblemError('review_not_found', `No published review has the id "${reviewId}".`);
  const now = clock();
  const about = { _id: new Types.ObjectId(), reviewId, broker };
  const report: store.ReportDocument = { ...about, ...by, reasonCode, text, status: 'open', createdAt: now };
  await store.insertReport(report, tx).catch((error: unknown) => {
    throw isDuplicateKey(error) ? reportExists() : error;
  });
  await tallyReport(report, undefined, report, tx);
  const subject = { kind: 'report', id: String(report._id) };
  await record(actor, now, { action: 'report.received', subject, reason: reasonCode }, tx);
  return report;
};

/** Stores a report that came another way than through an account. */
export const addReport = (context: Context, contact: string, report: NewReport): Promise<store.ReportDocument> =>
  transaction((tx) => submitReport(context, { contact }, report, tx));

const requireOpenReport = async (id: string, tx: Tx): Promise<store.ReportDocument> => {
  const report = await store.findReport(id, tx);
  if (!report) throw new ProblemError('report_not_found', `No report has the id "${id}".`);
  if (report.status === 'open') return report;
  throw new ProblemError('state_conflict', `Report ${id} is decided: the review was ${report.outcome}.`);
};

export type ReportVerdict =
  | { readonly kind: 'keep'; readonly note?: string | undefined }
  | { readonly kind: 'remove'; readonly reasonCode: ReasonCode; readonly note?: string | undefined };

const keepReview = async (
  context: Context,
  report: store.ReportDocument,
  verdict: ReportVerdict,
  tx: Tx,
): Promise<store.DecisionDocument> => {
  const review = await requireReview(report.reviewId, tx);
  const decision = await storeDecision(context, review, verdict, [], tx);
  const result = { outcome: 'kept', decisionId: decision._id, decidedAt: decision.decidedAt } as const;
  await store.closeReport(report._id, result, tx);
  await tallyReport(report, report, { status: 'decided', outcome: 'kept' }, tx);
  return decision;
};

/** Decides a report. A removal answers every open report about the review. @throws ProblemError report_not_found, state_conflict */
export const decideReport = (context: Context, id: string, verdict: ReportVerdict): Promise<store.DecisionDocument> =>
  transaction(async (tx) => {
    const report = await requireOpenReport(id, tx);
    const decision =
      verdict.kind === 'remove'
        ? await carryOut(context, report.reviewId, verdict, undefined, tx)
        : await keepReview(context, report, verdict, tx);
    const entry = {
      action: 'report.decided',
      subject: { kind: 'report', id },
      before: { status: 'open' },
      after: { status: 'decided', decision: verdict.kind },
    };
    const reason = decision.statement.reasonCode;
    await record(context.actor, context.clock(), { ...entry, ...(reason ? { reason } : {}) }, tx);
    return decision;
  });
