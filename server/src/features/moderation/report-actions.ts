import type { ReasonCode } from '@broker-transparency/contract';
import { Types } from 'mongoose';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { withCurrentSlugs } from '../brokers/facts.ts';
import { requireUnclaimedCase } from '../claims/actions.ts';
import { hashAddress, hashAsker } from '../notices/address.rule.ts';
import { keepSender } from '../notices/senders.ts';
import { requireNotOwn } from '../representatives/own-cases.ts';
import { requirePublishedReview, requireReview } from '../reviews/actions.ts';
import { tallyReport } from '../transparency/tally.ts';
import { carryOutVerdict, closeReport, storeDecision } from './actions.ts';
import { forgetSender, issueLink, tellByLink, toReportCase } from './links.ts';
import { OPEN_REPORTS } from './policy.rule.ts';
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

/** Returns whether a report says the same as one that was sent about the same review. */
export const hasSameContent = (one: store.ReportDocument, { reasonCode, text }: NewReport): boolean =>
  one.reasonCode === reasonCode && one.text === text;

const reportExists = (): DomainError =>
  new DomainError('report_exists', 'Your earlier report about this review waits for a decision.');

/** Where the sender of a report without an account is told. */
export interface ReportSender {
  readonly contact: store.Contact;
  /** Code of the language in which they are told. */
  readonly language?: string | undefined;
  /** False if the service sends no mail. */
  readonly sendsMail: boolean;
}

/** Returns the contact of a person without an account. */
export const toContact = (name: string | undefined, mail: string | undefined): store.Contact => ({
  ...(name === undefined ? {} : { name }),
  ...(mail === undefined ? {} : { mail, mailHash: hashAddress(mail) }),
});

/**
 * Stores a report about a published review, in the caller's transaction.
 * @throws DomainError review_not_found, report_exists
 */
export const submitReport = async (
  c: TxContext,
  sender: { readonly accountId: string } | ReportSender,
  { reviewId, reasonCode, text }: NewReport,
): Promise<store.ReportDocument> => {
  const by = 'accountId' in sender ? sender : { contact: sender.contact };
  const { broker } = await requirePublishedReview(c, reviewId);
  const about = { _id: new Types.ObjectId(), reviewId, broker };
  const report: store.ReportDocument = { ...about, ...by, reasonCode, text, status: 'open', createdAt: c.now };
  await store.insertReport(report, c.tx).catch((error: unknown) => {
    throw isDuplicateKey(error) ? reportExists() : error;
  });
  await tallyReport(c, report, undefined, report);
  const change = { before: null, after: { status: report.status }, reason: reasonCode };
  c.audit('report.received', { kind: 'report', id: String(report._id) }, change);
  const id = String(report._id);
  if ('contact' in sender && sender.sendsMail && sender.contact.mail !== undefined)
    await keepSender(c, id, { email: sender.contact.mail, language: sender.language });
  const data = { reference: id, broker };
  await tellByLink(c, toReportCase(report), report.accountId, { kind: 'report.received', data });
  return report;
};

/** Stores a report that did not come through an account. */
export const addReport = (context: Context, sender: ReportSender, report: NewReport): Promise<store.ReportDocument> =>
  inTransaction(context, (c) => submitReport(c, sender, report));

/** Counts a report for the network address that sends it. @throws DomainError rate_limited */
const countReport = async (c: TxContext, asker: string): Promise<void> => {
  const { ofAsker, ofAll, withinMs } = OPEN_REPORTS;
  const askedBy = hashAsker(asker);
  const since = new Date(c.now.getTime() - withinMs);
  const isTooMany =
    (await store.countAsked(askedBy, since, c.tx)) >= ofAsker ||
    (await store.countOpenSenders(since, ofAll, c.tx)) >= ofAll;
  if (isTooMany)
    throw new DomainError('rate_limited', 'Too many reports came within an hour. Send yours later.', {
      retryAfter: withinMs / 1000,
    });
  await store.insertAsker({ askedBy, createdAt: c.now }, c.tx);
};

/** The sender of a report without an account, by the form. */
interface FormSender extends ReportSender {
  /** Key of the network address that asks. */
  readonly asker: string;
}

/**
 * Stores a report of somebody without an account, unless the same one is open. Returns the secret of a link to it.
 * @throws DomainError review_not_found; rate_limited if too many came within an hour, from one network address or all
 */
export const sendReport = (context: Context, sender: FormSender, report: NewReport): Promise<string> =>
  inTransaction(context, async (c) => {
    await countReport(c, sender.asker);
    const { mailHash } = sender.contact;
    const same = (await store.findOpenReports(c.db, [report.reviewId], c.tx)).find(
      (one) => one.accountId === undefined && one.contact?.mailHash === mailHash && hasSameContent(one, report),
    );
    return issueLink(c, toReportCase(same ?? (await submitReport(c, sender, report))));
  });

/** Forgets who sent a report without an account. @throws DomainError report_not_found, state_conflict */
export const forgetReporter = (context: Context, id: string): Promise<void> =>
  inTransaction(context, async (c) => {
    const report = await store.findReport(id, c.tx);
    if (!report) throw new DomainError('report_not_found', `No report has the id "${id}".`);
    if (!report.contact) throw new DomainError('state_conflict', `Report ${id} has no name and no address.`);
    await forgetSender(c, report, 'operator_command');
  });

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
 * @throws NeedsAnother for whoever takes part in it
 * @throws DomainError report_not_found, state_conflict
 */
export const decideReport = (context: Context, id: string, verdict: ReportVerdict): Promise<store.DecisionDocument> =>
  inTransaction(context, async (c) => {
    const report = await requireOpenReport(c, id);
    await requireUnclaimedCase(c, 'report', id);
    const { accountId } = await requireReview(c, report.reviewId);
    const accounts = [report.accountId, accountId];
    await requireNotOwn(c, { what: `report ${id}`, accounts, brokers: [report.broker] });
    return verdict.kind === 'remove' ? carryOutVerdict(c, report.reviewId, verdict) : keepReview(c, report, verdict);
  });
