import type { ReasonCode } from '@broker-transparency/contract';
import { Types } from 'mongoose';
import { ProblemError } from '../../http/problem/problem.ts';
import { record } from '../../platform/audit/store.ts';
import type { Context } from '../../platform/context.ts';
import { type Tx, transaction } from '../../platform/mongo.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { requirePublishedReview, requireReview } from '../reviews/actions.ts';
import { tallyReport } from '../transparency/tally.ts';
import { carryOut, closeReport, storeDecision } from './actions.ts';
import * as store from './store.ts';

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
  const { broker } = await requirePublishedReview(reviewId, tx);
  const now = clock();
  const about = { _id: new Types.ObjectId(), reviewId, broker };
  const report: store.ReportDocument = { ...about, ...by, reasonCode, text, status: 'open', createdAt: now };
  await store.insertReport(report, tx).catch((error: unknown) => {
    throw isDuplicateKey(error) ? reportExists() : error;
  });
  await tallyReport(report, undefined, report, tx);
  const subject = { kind: 'report', id: String(report._id) } as const;
  const states = { before: null, after: { status: report.status } };
  await record(actor, now, { action: 'report.received', subject, ...states, reason: reasonCode }, tx);
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
  const result = { outcome: 'kept', decisionId: decision._id } as const;
  await closeReport(context, report, result, 'no_ground_found', tx);
  return decision;
};

/** Decides a report. A removal answers every open report about the review. @throws ProblemError report_not_found, state_conflict */
export const decideReport = (context: Context, id: string, verdict: ReportVerdict): Promise<store.DecisionDocument> =>
  transaction(async (tx) => {
    const report = await requireOpenReport(id, tx);
    return verdict.kind === 'remove'
      ? carryOut(context, report.reviewId, verdict, undefined, tx)
      : keepReview(context, report, verdict, tx);
  });
