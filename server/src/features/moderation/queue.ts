import type { ReviewStatus } from '@broker-transparency/contract';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { findAccount, findSamePersonAccounts, findSubject } from '../accounts/facts.ts';
import { requireBroker, resolveSlugs, withCurrentSlugs } from '../brokers/facts.ts';
import {
  type AuthorFilter,
  countPersonReviews,
  countReviews,
  countWritten,
  findReview,
  findSharingTextKeys,
  listReviews,
  type ReviewDocument,
  type ReviewFilter,
} from '../reviews/facts.ts';
import { similarity } from '../reviews/similarity.rule.ts';
import { findHints, type Hint, type HintCode, NEAR } from './hints.rule.ts';
import * as store from './store.ts';

const DAY = 86_400_000;
/** Maximum number of reviews to compare a text with. */
const CANDIDATES = 20;
/** Number of reviews whose hints are computed at once. */
const PAGE = 50;

/** A review as moderators see it. */
export interface QueuedReview extends Omit<ReviewDocument, '_id' | 'textKeys' | 'salts'> {
  readonly id: string;
  readonly hints: readonly Hint[];
  readonly flags: readonly Pick<store.FlagDocument, 'reasonCode' | 'note' | 'by' | 'createdAt'>[];
  readonly openReports: number;
}

/** Returns the current hints about a review. */
const computeHints = async (db: Db, review: ReviewDocument, brokers: readonly string[]): Promise<Hint[]> => {
  const { createdAt } = review;
  const dayBefore = new Date(createdAt.getTime() - DAY);
  const [candidates, lastDay, before] = await Promise.all([
    review.textKeys?.length ? findSharingTextKeys(db, review, CANDIDATES) : [],
    countWritten(db, brokers, dayBefore, createdAt),
    countWritten(db, brokers, new Date(dayBefore.getTime() - 90 * DAY), dayBefore),
  ]);
  const texts = candidates.map(({ _id, content }) => ({ id: String(_id), content }));
  return findHints(review, { candidates: texts, lastDay, before });
};

/** Adds hints, flags and the number of open reports to reviews. */
export const toQueuedReviews = async (db: Db, reviews: readonly ReviewDocument[]): Promise<QueuedReview[]> => {
  const ids = reviews.map(({ _id }) => String(_id));
  const flags = Map.groupBy(await store.listFlags(db, ids), ({ reviewId }) => reviewId);
  const reports = Map.groupBy(await store.findOpenReports(db, ids), ({ reviewId }) => reviewId);
  const find = await resolveSlugs(
    db,
    reviews.map(({ broker }) => broker),
  );
  const queued: QueuedReview[] = [];
  for (const review of reviews) {
    const { _id, textKeys, salts, ...rest } = review;
    const id = String(_id);
    const { slug, keys } = find(review.broker) ?? { slug: review.broker, keys: [review.broker] };
    queued.push({
      id,
      ...rest,
      broker: slug,
      hints: await computeHints(db, review, keys),
      flags: (flags.get(id) ?? []).map(({ reasonCode, note, by, createdAt }) => ({
        reasonCode,
        ...(note === undefined ? {} : { note }),
        by,
        createdAt,
      })),
      openReports: reports.get(id)?.length ?? 0,
    });
  }
  return queued;
};

/** Moderators' filter of a list of reviews. */
export interface QueueFilter {
  readonly status?: ReviewStatus | undefined;
  /** True for flagged reviews in any state. */
  readonly flagged?: boolean | undefined;
  /** Slug of a broker. */
  readonly broker?: string | undefined;
  /** Subject or id of an account, or the name that its reviews show. */
  readonly author?: string | undefined;
  readonly hint?: HintCode | undefined;
}

/**
 * Returns all accounts of the person with this subject or account id; if there are none, the text as a display name.
 */
const findAuthor = async (db: Db, author: string): Promise<AuthorFilter> => {
  const account = (await findSubject(db, author)) ?? (await findAccount(db, author));
  if (!account) return { displayName: author };
  return { accountIds: (await findSamePersonAccounts(db, account)).map(({ _id }) => _id) };
};

/** Returns a filter in terms of stored fields. @throws DomainError broker_not_found */
export const toStoredFilter = async (db: Db, filter: QueueFilter): Promise<ReviewFilter> => ({
  status: filter.flagged ? undefined : filter.status,
  ids: filter.flagged ? await store.listFlaggedReviews(db) : undefined,
  brokers: filter.broker === undefined ? undefined : (await requireBroker(db, filter.broker)).keys,
  author: filter.author === undefined ? undefined : await findAuthor(db, filter.author),
});

/** Yields reviews with this hint, oldest first. Computes the hints of every review, because they are not stored. */
export const iterateHinted = async function* (
  db: Db,
  filter: ReviewFilter,
  hint: HintCode | undefined,
): AsyncGenerator<QueuedReview> {
  let after: string | undefined;
  for (;;) {
    const page = await listReviews(db, filter, PAGE, after);
    for (const review of page) {
      const [queued] = await toQueuedReviews(db, [review]);
      if (queued && (hint === undefined || queued.hints.some(({ code }) => code === hint))) yield queued;
    }
    if (page.length < PAGE) return;
    after = String(page.at(-1)?._id);
  }
};

/** Some reviews of a list, and their total number; `more` if it is unknown, because hints are not stored. */
export interface QueuePage {
  readonly rows: QueuedReview[];
  readonly total: number | 'more';
}

/** Lists reviews, oldest first. @throws DomainError broker_not_found */
export const listQueue = async (db: Db, { hint, ...filter }: QueueFilter, limit: number): Promise<QueuePage> => {
  const stored = await toStoredFilter(db, filter);
  if (hint === undefined)
    return {
      rows: await toQueuedReviews(db, await listReviews(db, stored, limit)),
      total: await countReviews(db, stored),
    };
  const rows: QueuedReview[] = [];
  for await (const review of iterateHinted(db, stored, hint)) {
    if (rows.length === limit) return { rows, total: 'more' };
    rows.push(review);
  }
  return { rows, total: rows.length };
};

/** A review whose text is nearly that of another one. */
export interface SimilarReview extends Pick<ReviewDocument, 'status' | 'title' | 'content' | 'createdAt' | 'author'> {
  readonly id: string;
  readonly broker: string;
  /** Share of common text, 0–1. */
  readonly share: number;
}

/** Lists the reviews whose text is nearly that of a review, the nearest first. */
export const listSimilarReviews = async (db: Db, id: string): Promise<SimilarReview[]> => {
  const review = await findReview(db, id, null);
  if (!review?.textKeys?.length) return [];
  const found = await withCurrentSlugs(db, await findSharingTextKeys(db, review, CANDIDATES));
  return found
    .map(({ _id, broker, status, title, content, createdAt, author }) => {
      const share = similarity(review.content, content);
      return { id: String(_id), broker, status, title, content, createdAt, author, share };
    })
    .filter(({ share }) => share >= NEAR)
    .sort((a, b) => b.share - a.share || a.id.localeCompare(b.id));
};

/** Lists the newest reviews of the person who wrote a review, without that one. */
export const listPersonReviews = async (
  db: Db,
  { id, personKey }: Pick<QueuedReview, 'id' | 'personKey'>,
  limit: number,
) => {
  const found = await listReviews(db, { personKey }, limit + 1);
  return withCurrentSlugs(db, found.filter(({ _id }) => String(_id) !== id).slice(0, limit));
};

/** A review with all decisions about it. */
export interface ShownReview extends QueuedReview {
  readonly decisions: readonly Pick<store.DecisionDocument, 'kind' | 'statement' | 'decidedBy' | 'decidedAt'>[];
  readonly reports: readonly Pick<store.ReportDocument, 'reasonCode' | 'text' | 'createdAt'>[];
  /** Numbers of its author's reviews by state, including this one. */
  readonly ofAuthor: Partial<Record<ReviewStatus, number>>;
}

/** Returns a review in any state as moderators see it. @throws DomainError review_not_found */
export const showReview = async (db: Db, id: string): Promise<ShownReview> => {
  const review = await findReview(db, id, null);
  if (!review) throw new DomainError('review_not_found', `No review has the id "${id}".`);
  const [[queued], decisions, reports, ofAuthor] = await Promise.all([
    toQueuedReviews(db, [review]),
    store.listDecisionsAbout(db, [id]),
    store.findOpenReports(db, [id]),
    countPersonReviews(db, review.personKey),
  ]);
  return {
    ...(queued as QueuedReview),
    decisions: decisions.map(({ kind, statement, decidedBy, decidedAt }) => ({
      kind,
      statement,
      decidedBy,
      decidedAt,
    })),
    reports: reports.map(({ reasonCode, text, createdAt }) => ({ reasonCode, text, createdAt })),
    ofAuthor,
  };
};
