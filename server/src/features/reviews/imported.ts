import { Types } from 'mongoose';
import type { TxContext } from '../../ledger/context.ts';
import type { Tx } from '../../platform/mongo.ts';
import { ensureAccount } from '../accounts/actions.ts';
import { hashPerson, type Kyc, personKey, wasVerifiedAt } from '../accounts/kyc.rule.ts';
import { markBrokersDirty } from '../brokers/changed.ts';
import { resolveSlugs } from '../brokers/facts.ts';
import { tallyReview } from '../transparency/tally.ts';
import { toReviewEntries, toUndoneEntries } from './entries.rule.ts';
import type { ReviewRecord } from './imported.rule.ts';
import { textKeys } from './similarity.rule.ts';
import { isLive } from './status.rule.ts';
import * as store from './store.ts';

/** Reads imported reviews by their ids in the earlier system. */
export const readImportedReviews = async (
  references: readonly string[],
  tx: Tx,
): Promise<ReadonlyMap<string, store.ReviewDocument>> =>
  new Map((await store.findImported(references, tx)).map((review) => [review.importedAs as string, review]));

/** Returns the author's verification: the row's, or the account's if it was valid when the review was written. */
const resolveKyc = ({ verification, createdAt }: ReviewRecord, account: { readonly kyc: Kyc }): Kyc => {
  if (verification) return { status: 'verified', personHash: hashPerson(verification.provider, verification.person) };
  return wasVerifiedAt(account.kyc, new Date(createdAt)) ? account.kyc : { status: 'none' };
};

/**
 * Returns the document of an imported review. Its author is verified only if the row or the account has a verification.
 */
const toDocument = (
  record: ReviewRecord,
  broker: string,
  account: { readonly _id: string; readonly kyc: Kyc },
): store.ReviewDocument => {
  const { rating, title, content, language, author, status, reasonCode, reply } = record;
  const kyc = resolveKyc(record, account);
  const { displayName, country } = author;
  return {
    _id: new Types.ObjectId(),
    broker,
    accountId: account._id,
    personKey: personKey({ _id: account._id, kyc }),
    ...(isLive(status) ? { live: true } : {}),
    status,
    rating,
    title,
    content,
    language,
    author: { displayName, ...(country === undefined ? {} : { country }) },
    identityVerified: kyc.status === 'verified',
    ...(reply ? { reply: { content: reply.content, createdAt: new Date(reply.createdAt) } } : {}),
    createdAt: new Date(record.createdAt),
    ...(record.publishedAt === undefined ? {} : { publishedAt: new Date(record.publishedAt) }),
    ...(reasonCode === undefined ? {} : { reasonCode }),
    textKeys: textKeys(content),
    importedAs: record.reference,
  };
};

const toAuditSubject = ({ _id }: store.ReviewDocument) => ({ kind: 'review', id: String(_id) }) as const;

/** Adds reviews to all counts, or removes them. */
const applyCounts = async (c: TxContext, reviews: readonly store.ReviewDocument[], sign: 1 | -1): Promise<void> => {
  const published = reviews.filter(({ status }) => status === 'published');
  for (const review of published) await store.countInMonth(review, sign, c.tx);
  for (const review of reviews) {
    const [before, after] = sign === 1 ? [undefined, review] : [review, undefined];
    await tallyReview(c, review, before, after);
  }
  await markBrokersDirty(c, [...new Set(published.map(({ broker }) => broker))]);
};

/** Stores reviews of an earlier system with their own times and states. Returns their ids. @throws if one exists */
export const importReviewsIn = async (
  c: TxContext,
  records: readonly ReviewRecord[],
  reason: string,
): Promise<string[]> => {
  const find = await resolveSlugs(c.db, [...new Set(records.map(({ broker }) => broker))], { session: c.tx });
  const reviews: store.ReviewDocument[] = [];
  for (const record of records) {
    const account = await ensureAccount(c, record.author.subject, reason);
    reviews.push(toDocument(record, find(record.broker)?.key ?? record.broker, account));
  }
  await store.insertReviews(reviews, c.tx);
  await applyCounts(c, reviews, 1);
  for (const review of reviews) {
    for (const entry of toReviewEntries(review)) c.publish({ ...entry, cause: 'fact', isBulk: true });
    const { status, rating, identityVerified } = review;
    c.audit('review.imported', toAuditSubject(review), {
      before: null,
      after: { status, rating, identityVerified },
      reason,
    });
  }
  return reviews.map(({ _id }) => String(_id));
};

/** Returns the state that an undo compares. It has no texts or names, because the run keeps it. */
const toUndoState = ({ status, reasonCode, reply, publishedAt }: store.ReviewDocument): object => ({
  status,
  reasonCode: reasonCode ?? null,
  replied: reply?.createdAt.toISOString() ?? null,
  publishedAt: publishedAt?.toISOString() ?? null,
});

/** Reads the states of reviews by id. */
export const readReviewStates = async (ids: readonly string[], tx: Tx): Promise<ReadonlyMap<string, object>> =>
  new Map((await store.readReviews(ids, tx)).map((review) => [String(review._id), toUndoState(review)]));

/** Deletes imported reviews, with their counts. */
export const takeBackReviews = async (c: TxContext, ids: readonly string[], reason: string): Promise<void> => {
  const reviews = await store.readReviews(ids, c.tx);
  await store.deleteReviews(reviews, c.tx);
  await applyCounts(c, reviews, -1);
  for (const review of reviews) {
    for (const entry of toUndoneEntries(review)) c.publish({ ...entry, cause: 'undo' });
    c.audit('review.taken_back', toAuditSubject(review), { before: { status: review.status }, after: null, reason });
  }
};
