import { randomBytes } from 'node:crypto';
import type { Types } from 'mongoose';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Tx } from '../../platform/mongo.ts';
import { hashToHex } from '../../platform/sha256.rule.ts';
import { noteEnded } from '../erasures/ended.ts';
import { removeSender, toSenderId } from '../notices/senders.ts';
import { type CaseNotice, notifyByLink } from '../notices/tell.ts';
import { addMonths, LINK_MONTHS } from './policy.rule.ts';
import * as store from './store.ts';

/** The case that a link names. */
export interface CaseReference {
  readonly about: store.CaseLink['about'];
  readonly caseId: Types.ObjectId;
  readonly reviewId: string;
}

/** Returns the case of an author: the decision about the review. */
export const toDecisionCase = ({ _id, reviewId }: store.DecisionDocument): CaseReference => ({
  about: 'decision',
  caseId: _id,
  reviewId,
});

/** Returns the case of a reporter: the report. */
export const toReportCase = ({ _id, reviewId }: store.ReportDocument): CaseReference => ({
  about: 'report',
  caseId: _id,
  reviewId,
});

/** Returns the case of who appealed. */
export const findAppealCase = async (
  c: TxContext,
  { side, decisionId, reviewId }: store.AppealDocument,
): Promise<CaseReference> => {
  const report = side === 'reporter' ? await store.findReportByDecision(decisionId, c.tx) : null;
  return report ? toReportCase(report) : { about: 'decision', caseId: decisionId, reviewId };
};

/** Makes a link to a case. Returns its secret of 160 bits; only its hash is stored. */
export const issueLink = async (c: TxContext, reference: CaseReference): Promise<string> => {
  const token = randomBytes(20).toString('hex');
  const link = { _id: hashToHex(token), ...reference, createdAt: c.now, endsAt: addMonths(c.now, LINK_MONTHS) };
  await store.insertLink(link, c.tx);
  return token;
};

/** Tells the person of a case, in the caller's transaction: their account, or the address that came with the report. */
export const tellByLink = (
  c: TxContext,
  reference: CaseReference,
  accountId: string | undefined,
  notice: CaseNotice,
): Promise<void> => {
  const senderId = reference.about === 'report' ? toSenderId(String(reference.caseId)) : undefined;
  return notifyByLink(c, { accountId, senderId }, notice, () => issueLink(c, reference));
};

/** Returns the case of a secret; undefined if the link is unknown, ended or withdrawn. */
export const findLink = async (tx: Tx, token: string, now: Date): Promise<store.CaseLink | undefined> => {
  const link = await store.findLink(hashToHex(token), tx);
  return link && link.endsAt > now ? link : undefined;
};

/** The report or the review whose links are withdrawn. */
type LinkSubject = { readonly report: Types.ObjectId } | { readonly review: string };

const noteWithdrawal = (c: TxContext, about: LinkSubject, links: number, reason: string): void =>
  c.audit(
    'case.links_withdrawn',
    'report' in about ? { kind: 'report', id: String(about.report) } : { kind: 'review', id: about.review },
    { before: { links }, after: { links: 0 }, reason },
  );

/** Deletes links, so that no backup brings them back. Returns their number. */
const endLinks = async (c: TxContext, ids: readonly string[]): Promise<number> => {
  await noteEnded(c, ids, 'requested');
  return store.deleteLinksById(ids, c.tx);
};

/** Withdraws every link of the same reader to the case of a link. Returns false if the link shows nothing. */
export const withdrawByLink = (context: Context, token: string): Promise<boolean> =>
  inTransaction(context, async (c) => {
    const link = await findLink(c.tx, token, c.now);
    if (!link) return false;
    const { about, caseId, reviewId } = link;
    const links = await endLinks(c, await store.listCaseLinks(caseId, c.tx));
    noteWithdrawal(c, about === 'report' ? { report: caseId } : { review: reviewId }, links, 'reader_request');
    return true;
  });

/** Withdraws the links to a report, or those of a review's author. Returns their number. */
export const withdrawLinks = (
  context: Context,
  about: { readonly review: string } | { readonly report: string },
): Promise<number> =>
  inTransaction(context, async (c) => {
    const report = 'report' in about ? await store.findReport(about.report, c.tx) : null;
    if ('report' in about && !report)
      throw new DomainError('report_not_found', `No report has the id "${about.report}".`);
    const subject = 'review' in about ? about : { report: (report as store.ReportDocument)._id };
    const ids =
      'review' in subject
        ? await store.listAuthorLinks(subject.review, c.tx)
        : await store.listCaseLinks(subject.report, c.tx);
    const links = await endLinks(c, ids);
    if (links > 0) noteWithdrawal(c, subject, links, 'operator_command');
    return links;
  });

/** Deletes who sent a report without an account: name, address, links and mails. */
export const deleteSender = async (c: TxContext, report: store.ReportDocument): Promise<void> => {
  await store.removeContact(report, c.tx);
  await store.deleteLinks([report._id], c.tx);
  await removeSender(c, String(report._id));
};

/** Forgets who sent a report without an account, so that no backup brings them back. */
export const forgetSender = async (
  c: TxContext,
  report: store.ReportDocument,
  reason: 'operator_command' | 'time_over',
): Promise<void> => {
  await deleteSender(c, report);
  await noteEnded(c, [String(report._id)], reason === 'time_over' ? 'retention_ended' : 'requested');
  c.audit(
    'report.sender_forgotten',
    { kind: 'report', id: String(report._id) },
    { before: { contact: true }, after: { contact: false }, reason },
  );
};

/** Reports of which a transaction forgets the senders. */
const BATCH = 100;

/** Deletes links that have ended, and the names and addresses of reporters some months after the decision. */
export const cleanUpLinks = async (context: Context, signal: AbortSignal) => {
  const now = context.clock();
  const links = await inTransaction(context, (c) => store.deleteEndedLinks(now, c.tx));
  let senders = 0;
  for (;;) {
    signal.throwIfAborted();
    const reports = await store.findOldContacts(context.db, addMonths(now, -LINK_MONTHS), BATCH);
    await inTransaction(context, async (c) => {
      for (const report of reports) await forgetSender(c, report, 'time_over');
    });
    senders += reports.length;
    if (reports.length < BATCH) return { links, senders };
  }
};
