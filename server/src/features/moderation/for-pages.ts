import { GIVEN_REASON_CODES } from '@broker-transparency/contract';
import type { Context } from '../../ledger/context.ts';
import { proveKey } from '../../ledger/log/opened.ts';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type Db, snapshot, type Tx } from '../../platform/mongo.ts';
import { resolveSlugs } from '../brokers/facts.ts';
import { mailAddress } from '../notices/address.rule.ts';
import { findReview } from '../reviews/facts.ts';
import { appealByLink } from './appeal-actions.ts';
import { findLink, withdrawByLink } from './links.ts';
import type { OpenOwnReport } from './own.ts';
import { type NewReport, sendReport, toContact } from './report-actions.ts';
import { isAppealable } from './statement.rule.ts';
import * as store from './store.ts';
import { toAppealView, toDecisionView, toOutcomeView } from './view.ts';

const findBroker = async (db: Db, key: string) => {
  const found = (await resolveSlugs(db, [key]))(key);
  return found && { slug: found.slug, name: found.name };
};

/** The parts of a case that its two sides have in common. */
interface SharedPart {
  readonly broker: { readonly slug: string; readonly name: string };
  readonly endsAt: string;
}

const showAppeal = (appeal: store.AppealDocument | undefined) =>
  appeal ? { ...toAppealView(appeal), text: appeal.text } : null;

const showReport = async (tx: Tx, { caseId }: store.CaseLink, shared: SharedPart) => {
  const report = await store.findReport(String(caseId), tx);
  if (!report) return undefined;
  const decision = report.decisionId ? await store.findDecision(report.decisionId, tx) : null;
  const review = await findReview(tx.db, report.reviewId, tx);
  const appeals = await store.listAppealsAbout(tx.db, [report.reviewId], 'reporter', tx);
  const own = appeals.filter(({ decisionId }) => decision && decisionId.equals(decision._id));
  return {
    ...shared,
    side: 'reporter' as const,
    reference: String(report._id),
    reviewId: report.reviewId,
    review: undefined,
    reported: review?.status === 'published' ? { id: report.reviewId, title: review.title } : undefined,
    report: {
      reason: report.reasonCode,
      text: report.text,
      createdAt: report.createdAt.toISOString(),
      outcome: report.outcome ?? null,
    },
    isReplaced: false,
    ...toOutcomeView({ decision: decision ?? undefined, appeals: own }, { side: 'reporter' }),
    appeal: own[0] ? showAppeal(own[0]) : null,
  };
};

const showDecision = async (tx: Tx, link: store.CaseLink, shared: SharedPart) => {
  const decision = await store.findDecision(link.caseId, tx);
  const review = await findReview(tx.db, link.reviewId, tx);
  if (!decision || !review) return undefined;
  const [last] = await store.listDecisionsAbout(tx.db, [link.reviewId], tx);
  const appeals = await store.listAppealsAbout(tx.db, [link.reviewId], 'author', tx);
  const isReplaced = !last?._id.equals(decision._id);
  const appeal = appeals.find(({ decisionId }) => decisionId.equals(decision._id));
  const canAppeal = !appeal && !isReplaced && isAppealable(decision.kind, { side: 'author', status: review.status });
  const { title, content } = review;
  return {
    ...shared,
    side: 'author' as const,
    reference: link.reviewId,
    reviewId: link.reviewId,
    review: { title, content },
    reported: undefined,
    report: undefined,
    decision: toDecisionView(decision, 'author', canAppeal),
    isReplaced,
    appeal: showAppeal(appeal),
  };
};

const findCase = (db: Db, clock: Clock, token: string) =>
  snapshot(db, async (tx) => {
    const link = await findLink(tx, token, clock());
    if (!link) return undefined;
    const found =
      link.about === 'report'
        ? await store.findReport(String(link.caseId), tx)
        : await store.findDecision(link.caseId, tx);
    const broker = found && (await findBroker(db, found.broker));
    if (!broker) return undefined;
    const shared = { broker, endsAt: link.endsAt.toISOString() };
    return link.about === 'report' ? showReport(tx, link, shared) : showDecision(tx, link, shared);
  });

/** Returns what an action answers in place of an error of this code. */
const answerInstead = async <T, A>(work: Promise<T>, answers: Readonly<Record<string, A>>): Promise<T | A> => {
  try {
    return await work;
  } catch (error) {
    const answer = error instanceof DomainError ? answers[error.code] : undefined;
    if (answer === undefined) throw error;
    return answer;
  }
};

/** A report as its form has it. */
interface SentReport {
  readonly reviewId: string;
  readonly reason: string;
  readonly text: string;
  readonly sender?: { readonly name: string; readonly mail: string };
  /** True if nobody is kept as its sender, also not an account. */
  readonly isAnonymous: boolean;
  /** Code of the language in which its sender is told. */
  readonly language: string;
}

/** Sends a report of somebody who is signed in. Returns the report, or their other one that is open. */
export type SendOwnReport = (report: NewReport) => Promise<OpenOwnReport>;

/** How a service takes reports, and who sends one. */
interface ReportParts {
  readonly sendsMail: boolean;
  /** Key of the network address that asks. */
  readonly asker: string;
  /** Undefined if nobody is signed in. */
  readonly sendOwn: SendOwnReport | undefined;
}

const takeReport = async (context: Context, { sendsMail, asker, sendOwn }: ReportParts, sent: SentReport) => {
  const { reviewId, text, sender, isAnonymous, language } = sent;
  const reasonCode = GIVEN_REASON_CODES.find((code) => code === sent.reason);
  if (reasonCode === undefined) throw new Error(`a review cannot be reported for the reason ${sent.reason}`);
  if (sendOwn && !isAnonymous)
    return answerInstead(sendOwn({ reviewId, reasonCode, text }), { review_not_found: 'no_review' } as const);
  const mail = sender && mailAddress(sender.mail);
  if (sender && mail === undefined) return 'no_address' as const;
  const by = { contact: toContact(sender?.name, mail), language, sendsMail, asker };
  const work = sendReport(context, by, { reviewId, reasonCode, text }).then((token) => ({ token }));
  return answerInstead(work, { review_not_found: 'no_review', rate_limited: 'too_many' } as const);
};

/** Returns the actions by which people report a review, and those without an account read a decision and appeal. */
export const createCaseActions = (db: Db, clock: Clock, parts: ReportParts) => {
  const context: Context = { actor: { type: 'system', name: 'reader' }, clock, db };
  return {
    sendsMail: parts.sendsMail,
    findReview: async (id: string) => {
      const review = await findReview(db, id, null);
      if (review?.status !== 'published') return undefined;
      const broker = await findBroker(db, review.broker);
      return broker && { title: review.title, broker };
    },
    sendReport: (report: SentReport) => takeReport(context, parts, report),
    show: (token: string) => findCase(db, clock, token),
    proveStatement: (key: string) => proveKey(db, key),
    appeal: (token: string, text: string) =>
      answerInstead(
        appealByLink(context, token, text).then(() => 'taken' as const),
        { appeal_exists: 'exists', state_conflict: 'too_late', report_not_found: 'no_case' } as const,
      ),
    withdraw: async (token: string) => {
      await withdrawByLink(context, token);
    },
  };
};
