import type { ReasonCode } from '@broker-transparency/contract';
import { Types } from 'mongoose';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { withCurrentSlugs } from '../brokers/facts.ts';
import { requireUnclaimedCase } from '../claims/actions.ts';
import { notifyPerson } from '../notices/tell.ts';
import { requirePublishedReview, requireReview } from '../reviews/actions.ts';
import { tallyReport } from '../transparency/tally.ts';
import { carryOutVerdict, closeReport, storeDecision } from './actions.ts';
import * as store from './store.ts';

/** Lists reports in a state, oldest first, with the current slugs of their brokers. */
export const listReports = async (db: Db, status: store.ReportDocument['status'], limit: number) =>
  withCurrentSlugs(db, await store.listReports(db, status, limit));

/** Returns a report with the current slug of its broker. @throws DomainError report_not_found */
export const showReport = async (db: Db, id: string): Promise<store.ReportDocument> => {
  const report = await store.readReport(db, id);
  if (!report) throw new DomainError('report_not_found', `No report has the id "${id}".`);
  return (await withCurrentSlugs(db, [report]))[0] as store.ReportDocument;
};

export interface NewReport {
  readonly reviewId: string;
  readonly reasonCode: ReasonCode;
  readonly text: string;
}

const reportExists = (): DomainError =>
  new DomainError('report_exists', 'Your earlier report about this review waits for a decision.');

/**
 * Stores a report about a published review, in the caller's transaction.
 * @throws DomainError review_not_found, report_exists
 */
export const submitReport = async (
  c: TxContext,
  by: store.CaseParty,
  { reviewId, reasonCode, text }: NewReport,
): Promise<store.ReportDocument> => {
  const { broker } = await requirePublishedReview(c, reviewId);
  const about = { _id: new Types.ObjectId(), reviewId, broker };
  const report: store.ReportDocument = { ...about, ...by, reasonCode, text, status: 'open', createdAt: c.now };
  await store.insertReport(report, c.tx).catch((error: unknown) => {
    throw isDuplicateKey(error) ? reportExists() : error;
  });
  await tallyReport(c, report, undefined, report);
  const change = { before: null, after: { status: report.status }, reason: reasonCode };
  c.audit('report.received', { kind: 'report', id: String(report._id) }, change);
  await notifyPerson(c, by.accountId, 'report.received', { reference: String(report._id), broker });
  return report;
};

/** Stores a report that did not come through an account. */
export const addReport = (context: Context, contact: string, report: NewReport): Promise<store.ReportDocument> =>
  inTransaction(context, (c) => submitReport(c, { contact }, report));

const requireOpenReport = async ({ tx }: TxContext, id: string): Promise<store.ReportDocument> => {
  const report = await store.findReport(id, tx);
  if (!report) throw new DomainError('report_not_found', `No report has the id "${id}".`);
  if (report.status === 'open') return report;
  throw new DomainError('state_conflict', `Report ${id} is decided: the review was ${report.outcome}.`);
};

export type ReportVerdict =
  | { readonly kind: 'keep'; readonly note?: string | undefined }
  | { readonly kind: 'remove'; readonly reasonCode: ReasonCode; readonly note?: string | undefined };

const keepReview = async (
  c: TxContext,
  report: store.ReportDocument,
  verdict: ReportVerdict,
): Promise<store.DecisionDocument> => {
  const review = await requireReview(c, report.reviewId);
  const decision = await storeDecision(c, review, verdict);
  await closeReport(c, report, { outcome: 'kept', decisionId: decision._id, reason: 'no_ground_found' });
  return decision;
};

/**
 * Decides a report. A removal also answers every other open report about the review.
 * @throws DomainError report_not_found, state_conflict
 */
export const decideReport = (context: Context, id: string, verdict: ReportVerdict): Promise<store.DecisionDocument> =>
  inTransaction(context, async (c) => {
    const report = await requireOpenReport(c, id);
    await requireUnclaimedCase(c, 'report', id);
    return verdict.kind === 'remove' ? carryOutVerdict(c, report.reviewId, verdict) : keepReview(c, report, verdict);
  });
