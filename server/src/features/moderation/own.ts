import type { ModerationAppeal, OwnReport, OwnReview, OwnReviewProof } from '@broker-transparency/contract';
import { entryKey } from '@broker-transparency/contract/record';
import type { Principal } from '../../http/auth/access.ts';
import type { TxContext } from '../../ledger/context.ts';
import { openEntry } from '../../ledger/log/opened.ts';
import { computeCommitment } from '../../ledger/record/append.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { resolveCurrentSlug, withCurrentSlugs } from '../brokers/facts.ts';
import { saveVerifiedAddress } from '../notices/tell.ts';
import { findReview, listByAccount, type ReviewDocument } from '../reviews/facts.ts';
import { withdrawReview } from './actions.ts';
import { appealReport, appealReview } from './appeal-actions.ts';
import { hasSameContent, type NewReport, submitReport } from './report-actions.ts';
import * as store from './store.ts';
import { toAppealView, toOwnReport, toOwnReview } from './view.ts';

/** Returns reviews with the decision and the appeal about each. */
export const toOwnReviews = async (db: Db, reviews: readonly ReviewDocument[]): Promise<OwnReview[]> => {
  if (reviews.length === 0) return [];
  const ids = reviews.map(({ _id }) => String(_id));
  const [decisions, appeals, named] = await Promise.all([
    store.listDecisionsAbout(db, ids),
    store.listAppealsAbout(db, ids, 'author'),
    withCurrentSlugs(db, reviews),
  ]);
  return named.map((review) => {
    const isAbout = ({ reviewId }: { reviewId: string }): boolean => reviewId === String(review._id);
    return toOwnReview(review, { decision: decisions.find(isAbout), appeals: appeals.filter(isAbout) });
  });
};

export const toOwnReports = async (db: Db, reports: readonly store.ReportDocument[]): Promise<OwnReport[]> => {
  if (reports.length === 0) return [];
  const ids = reports.flatMap(({ decisionId }) => decisionId ?? []);
  const decisions = await store.findDecisions(db, ids);
  const appeals = await store.listAppealsAbout(
    db,
    reports.map(({ reviewId }) => reviewId),
    'reporter',
  );
  return (await withCurrentSlugs(db, reports)).map((report) => {
    const decided = String(report.decisionId);
    return toOwnReport(report, {
      decision: decisions.find(({ _id }) => String(_id) === decided),
      appeals: appeals.filter(({ decisionId }) => String(decisionId) === decided),
    });
  });
};

/** A list of somebody's submissions, newest first. */
export interface OwnPage<T> {
  readonly rows: readonly T[];
  /** True if there are older ones. */
  readonly hasMore: boolean;
}

/** Returns a page of rows, of which one more was read than it has. */
export const cutPage = <T>(rows: readonly T[], limit: number): OwnPage<T> => ({
  rows: rows.slice(0, limit),
  hasMore: rows.length > limit,
});

/** Lists the reviews of an account, newest first. `before`: the id after which the list goes on. */
export const listOwnReviews = async (
  db: Db,
  accountId: string,
  limit: number,
  before: string | undefined,
): Promise<OwnPage<OwnReview>> => {
  const { rows, hasMore } = cutPage(await listByAccount(db, accountId, limit, before), limit);
  return { rows: await toOwnReviews(db, rows), hasMore };
};

/** Returns a review of an account; undefined if the account wrote none with this id. */
export const findOwnReview = async (db: Db, accountId: string, id: string): Promise<OwnReview | undefined> => {
  const review = await findReview(db, id, null);
  return review?.accountId === accountId ? (await toOwnReviews(db, [review]))[0] : undefined;
};

/** Lists the reports of an account, newest first. `before`: the id after which the list goes on. */
export const listOwnReports = async (
  db: Db,
  accountId: string,
  limit: number,
  before: string | undefined,
): Promise<OwnPage<OwnReport>> => {
  const { rows, hasMore } = cutPage(await store.listAccountReports(db, accountId, limit, before), limit);
  return { rows: await toOwnReports(db, rows), hasMore };
};

/** Returns a report of an account; undefined if the account sent none with this id. */
export const findOwnReport = async (db: Db, accountId: string, id: string): Promise<OwnReport | undefined> => {
  const report = await store.findAccountReport(db, accountId, id);
  return report ? (await toOwnReports(db, [report]))[0] : undefined;
};

/**
 * Returns the file that shows in which words a review of an account is published.
 * @throws DomainError review_not_found, state_conflict while the log does not cover it
 */
export const readOwnProof = async (db: Db, accountId: string, id: string): Promise<OwnReviewProof> => {
  const review = await findReview(db, id, null);
  if (review?.accountId !== accountId)
    throw new DomainError('review_not_found', `No review of yours has the id "${id}".`);
  const opened = await openEntry(db, entryKey('review', id));
  if (opened) return { ...opened };
  throw new DomainError(
    'state_conflict',
    'This review has no public text in the log. If it was published just now, ask again in a few seconds.',
  );
};

/** A text of a review that is not published yet, as the record will commit to it. */
export interface TextOpening {
  readonly field: string;
  /** SHA-256 of the salt and the text, in base64. */
  readonly commitment: string;
  /** 32 random bytes in base64. */
  readonly salt: string;
}

/**
 * Returns how the record will commit to the texts of a review of an account that waits: whoever keeps it can check the
 * log by it, without the service. Undefined for one that waits no more.
 */
export const readOwnOpening = async (db: Db, accountId: string, id: string): Promise<TextOpening[] | undefined> => {
  const review = await findReview(db, id, null);
  if (review?.accountId !== accountId || review.status !== 'pending' || !review.salts) return undefined;
  const { salts } = review;
  const texts = { title: review.title, content: review.content, author: review.author.displayName };
  return (['title', 'content', 'author'] as const).map((field) => {
    const salted = { salt: salts[field], text: texts[field] };
    return { field, commitment: computeCommitment(salted), salt: salted.salt };
  });
};

/** Withdraws a review of an account. @throws DomainError review_not_found, state_conflict */
export const withdrawOwnReview = async (c: TxContext, accountId: string, id: string): Promise<OwnReview> => {
  const review = await withdrawReview(c, id, { accountId, reason: 'author_request' });
  const [decision] = await store.listDecisionsAbout(c.db, [id], c.tx);
  const broker = await resolveCurrentSlug(c.db, review.broker, { session: c.tx });
  return toOwnReview({ ...review, broker, status: 'withdrawn' }, { decision, appeals: [] });
};

/** Reports a review for an account, and returns the report. @throws DomainError review_not_found, report_exists */
export const sendOwnReport = async (c: TxContext, reporter: Principal, given: NewReport): Promise<{ id: string }> => {
  await saveVerifiedAddress(c, reporter);
  return { id: String((await submitReport(c, { accountId: reporter.accountId }, given))._id) };
};

/** The open report of an account about a review: the one that is sent again, or an earlier one with other content. */
export type OpenOwnReport = { readonly id: string } | { readonly earlier: string };

/** Returns the open report of an account about the review of a report that it sends. */
export const findOpenOwnReport = async (
  db: Db,
  accountId: string,
  sent: NewReport,
): Promise<OpenOwnReport | undefined> => {
  const found = (await store.findOpenReports(db, [sent.reviewId])).find((one) => one.accountId === accountId);
  const id = String(found?._id);
  return found && (hasSameContent(found, sent) ? { id } : { earlier: id });
};

/** Appeals for an author. @throws DomainError review_not_found, state_conflict, appeal_exists */
export const appealOwnReview = async (
  c: TxContext,
  author: Principal,
  id: string,
  text: string,
): Promise<ModerationAppeal> => {
  await saveVerifiedAddress(c, author);
  return toAppealView(await appealReview(c, id, author.accountId, text));
};

/** Appeals for the sender of a report. @throws DomainError report_not_found, state_conflict, appeal_exists */
export const appealOwnReport = async (
  c: TxContext,
  reporter: Principal,
  id: string,
  text: string,
): Promise<ModerationAppeal> => {
  await saveVerifiedAddress(c, reporter);
  return toAppealView(await appealReport(c, id, reporter.accountId, text));
};
