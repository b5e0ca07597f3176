import type { ReasonCode } from '@broker-transparency/contract';
import { Types } from 'mongoose';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { withCurrentSlugs } from '../brokers/facts.ts';
import { requireUnclaimedCase } from '../claims/actions.ts';
import { requireAnotherPerson } from '../operators/authorise.ts';
import { requireNotOwn } from '../representatives/own-cases.ts';
import { requireOwnReview, requireReview } from '../reviews/actions.ts';
import { tallyAppeal } from '../transparency/tally.ts';
import { carryOutVerdict, closeAppeal } from './actions.ts';
import { findAppealCase, findLink, tellByLink } from './links.ts';
import { computeAppealEnd, findAppellant, isAppealable } from './statement.rule.ts';
import * as store from './store.ts';

/** Lists appeals in a state, oldest first, with the current slugs of their brokers. */
export const listAppeals = async (db: Db, status: store.AppealDocument['status'], limit: number) =>
  withCurrentSlugs(db, await store.listAppeals(db, status, limit));

const conflict = (detail: string): DomainError => new DomainError('state_conflict', detail);

/**
 * Returns an appeal with the current slug of its broker, and the decision that is appealed.
 * @throws DomainError not_found
 */
export const showAppeal = async (db: Db, id: string) => {
  const found = await store.readAppeal(db, id);
  if (!found) throw new DomainError('not_found', `No appeal has the id "${id}".`);
  const [appeal = found] = await withCurrentSlugs(db, [found]);
  const [decision] = await store.findDecisions(db, [appeal.decisionId]);
  return { appeal, decision };
};

/** Lists the appeals of one side about a review, newest first. */
export const listSideAppeals = (db: Db, reviewId: string, side: store.AppealDocument['side']) =>
  store.listAppealsAbout(db, [reviewId], side);

/** Requires that an appeal about a review is open. @throws DomainError not_found */
export const requireAppealed = async (db: Db, reviewId: string): Promise<void> => {
  if (!(await store.hasOpenAppeal(db, reviewId)))
    throw new DomainError('not_found', `No appeal about review ${reviewId} is open.`);
};

const requireOpenForAppeal = (decision: store.DecisionDocument, now: Date): void => {
  const until = computeAppealEnd(decision.decidedAt);
  if (now > until) throw conflict(`An appeal against this decision was possible until ${until.toISOString()}.`);
};

const appealExists = (): DomainError =>
  new DomainError('appeal_exists', 'There is an appeal against this decision already.');

/** A new appeal. */
interface NewAppeal {
  readonly side: store.AppealDocument['side'];
  readonly by: store.CaseParty;
  readonly text: string;
}

const storeAppeal = async (
  c: TxContext,
  decision: store.DecisionDocument,
  { side, by, text }: NewAppeal,
): Promise<store.AppealDocument> => {
  requireOpenForAppeal(decision, c.now);
  const appeal: store.AppealDocument = {
    _id: new Types.ObjectId(),
    reviewId: decision.reviewId,
    broker: decision.broker,
    decisionId: decision._id,
    side,
    ...by,
    text,
    status: 'open',
    createdAt: c.now,
  };
  await store.insertAppeal(appeal, c.tx).catch((error: unknown) => {
    throw isDuplicateKey(error) ? appealExists() : error;
  });
  await tallyAppeal(c, appeal, undefined, appeal);
  const change = { before: null, after: { status: appeal.status, side }, reason: 'submitted' };
  c.audit('appeal.received', { kind: 'appeal', id: String(appeal._id) }, change);
  const data = { reference: appeal.reviewId, broker: appeal.broker };
  await tellByLink(c, await findAppealCase(c, appeal), appeal.accountId, { kind: 'appeal.received', data });
  return appeal;
};

/**
 * Stores the author's appeal in the caller's transaction. If `accountId` is set, the review must belong to that
 * account.
 */
export const appealReview = async (
  c: TxContext,
  reviewId: string,
  accountId: string | undefined,
  text: string,
): Promise<store.AppealDocument> => {
  const review =
    accountId === undefined ? await requireReview(c, reviewId) : await requireOwnReview(c, reviewId, accountId);
  const [decision] = await store.listDecisionsAbout(c.db, [reviewId], c.tx);
  if (!decision || !isAppealable(decision.kind, { side: 'author', status: review.status }))
    throw conflict(`Review ${reviewId} is ${review.status}: there is no decision that its author can appeal against.`);
  return storeAppeal(c, decision, { side: 'author', by: { accountId: review.accountId }, text });
};

/**
 * Stores the reporter's appeal in the caller's transaction. If `accountId` is set, the report must belong to that
 * account.
 */
export const appealReport = async (
  c: TxContext,
  reportId: string,
  accountId: string | undefined,
  text: string,
): Promise<store.AppealDocument> => {
  const report = await store.findReport(reportId, c.tx);
  if (!report || (accountId !== undefined && report.accountId !== accountId))
    throw new DomainError('report_not_found', `There is no report with the id "${reportId}".`);
  const decision = report.decisionId && (await store.findDecision(report.decisionId, c.tx));
  if (!decision || findAppellant(decision.kind) !== 'reporter')
    throw conflict(
      `Report ${reportId} is ${report.outcome ?? report.status}: only where the review was kept is an appeal possible.`,
    );
  const { accountId: account, contact } = report;
  const by = account === undefined ? (contact === undefined ? {} : { contact }) : { accountId: account };
  return storeAppeal(c, decision, { side: 'reporter', by, text });
};

const noCase = (): DomainError =>
  new DomainError('report_not_found', 'This link shows no case: it is unknown, or has ended, or was withdrawn.');

/**
 * Returns the review whose author appeals by a link. @throws DomainError state_conflict if the decision is not the last
 * one
 */
const requireLastDecision = async (c: TxContext, { caseId, reviewId }: store.CaseLink): Promise<void> => {
  const [last] = await store.listDecisionsAbout(c.db, [reviewId], c.tx);
  if (!last) throw noCase();
  if (!last._id.equals(caseId)) throw conflict('Another decision about this review was made since.');
};

/**
 * Stores the appeal of whoever has the link to a case.
 * @throws DomainError report_not_found if the link shows no case; state_conflict, appeal_exists
 */
export const appealByLink = (context: Context, token: string, text: string): Promise<store.AppealDocument> =>
  inTransaction(context, async (c) => {
    const link = await findLink(c.tx, token, c.now);
    if (!link) throw noCase();
    if (link.about === 'report') return appealReport(c, String(link.caseId), undefined, text);
    await requireLastDecision(c, link);
    return appealReview(c, link.reviewId, undefined, text);
  });

/** Stores an appeal that did not come through an account. */
export const addAppeal = (
  context: Context,
  about: { readonly review: string } | { readonly report: string },
  text: string,
): Promise<store.AppealDocument> =>
  inTransaction(context, (c) =>
    'review' in about ? appealReview(c, about.review, undefined, text) : appealReport(c, about.report, undefined, text),
  );

/** Refuses an appeal decision by anyone who took the earlier decision or was added after it. @throws NeedsAnother */
const requireAnother = (
  c: TxContext,
  { kind, decidedBy, decidedBefore, decidedAt }: store.DecisionDocument,
): Promise<void> =>
  requireAnotherPerson(c, [decidedBy, ...decidedBefore], {
    at: decidedAt,
    what: `the decision to ${kind} that is appealed`,
  });

export type AppealVerdict =
  | { readonly kind: 'confirm'; readonly note: string }
  | { readonly kind: 'reverse'; readonly note: string; readonly reasonCode?: ReasonCode | undefined };

/** Carries out the opposite of the decision. */
const reverse = (
  c: TxContext,
  decision: store.DecisionDocument,
  { note, reasonCode }: Extract<AppealVerdict, { kind: 'reverse' }>,
): Promise<store.DecisionDocument> => {
  const decidedBefore = [...decision.decidedBefore, decision.decidedBy];
  const verdict =
    decision.kind === 'keep' ? ({ kind: 'remove', reasonCode, note } as const) : ({ kind: 'publish', note } as const);
  return carryOutVerdict(c, decision.reviewId, verdict, { decidedBefore });
};

const requireOpenAppeal = async ({ tx }: TxContext, id: string): Promise<store.AppealDocument> => {
  const appeal = await store.findAppeal(id, tx);
  if (!appeal) throw conflict(`No appeal has the id "${id}".`);
  if (appeal.status === 'open') return appeal;
  throw conflict(`Appeal ${id} is decided: ${appeal.outcome}.`);
};

/** Decides an appeal. @throws NeedsAnother if the same person decided before, or takes part in it */
export const decideAppeal = (context: Context, id: string, verdict: AppealVerdict): Promise<store.AppealDocument> =>
  inTransaction(context, async (c) => {
    const appeal = await requireOpenAppeal(c, id);
    await requireUnclaimedCase(c, 'appeal', id);
    const { accountId } = await requireReview(c, appeal.reviewId);
    const accounts = [appeal.accountId, accountId];
    await requireNotOwn(c, { what: `appeal ${id}`, accounts, brokers: [appeal.broker] });
    const decision = await store.findDecision(appeal.decisionId, c.tx);
    if (!decision) throw new Error(`the decision ${appeal.decisionId} is gone`);
    await requireAnother(c, decision);
    const [outcome, reason] =
      verdict.kind === 'reverse'
        ? (['reversed', verdict.reasonCode ?? 'decision_reversed'] as const)
        : (['confirmed', 'decision_confirmed'] as const);
    const decided = await closeAppeal(c, appeal, { outcome, facts: verdict.note, reason });
    if (verdict.kind === 'reverse') await reverse(c, decision, verdict);
    return decided;
  });
