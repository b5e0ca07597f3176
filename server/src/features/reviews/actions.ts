import type { ReasonCode, ReviewStatus, ReviewSubmission } from '@broker-transparency/contract';
import { mayReply } from '@broker-transparency/contract/record';
import { Types } from 'mongoose';
import type * as z from 'zod';
import type { Principal } from '../../http/auth/access.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { newSalt } from '../../ledger/record/append.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type Db, snapshot, type Tx } from '../../platform/mongo.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { findPersonAccountIds, findSharedPersons } from '../accounts/actions.ts';
import { markBrokersDirty } from '../brokers/changed.ts';
import { type BrokerReference, findBrokersBehind, listMergedKeys, withCurrentSlugs } from '../brokers/facts.ts';
import { notifyPerson, saveVerifiedAddress } from '../notices/tell.ts';
import { NO_REPLY_OF_CLONE } from '../representatives/rights.rule.ts';
import { tallyLoaded, tallyReview } from '../transparency/tally.ts';
import { findDuplicates } from './duplicates.rule.ts';
import { toReviewEntries } from './entries.rule.ts';
import { textKeys } from './similarity.rule.ts';
import { isLive, MOVES, requireMove } from './status.rule.ts';
import * as store from './store.ts';

export type { ReviewDocument } from './store.ts';

const reviewExists = (): DomainError =>
  new DomainError('review_exists', 'You already have a review of this broker that is pending or published.');

/** The fields of an author by which their other reviews are found. */
type ReviewerKeys = Pick<Principal, 'personKey' | 'personHash'>;

/** @throws DomainError review_exists if this person has a live review of a broker with these keys */
const requireNoLiveReview = async (
  keys: readonly string[],
  { personKey, personHash }: ReviewerKeys,
  tx: Tx,
): Promise<void> => {
  const accountIds = personHash ? await findPersonAccountIds(personHash, tx) : [];
  if (await store.hasLiveReview(keys, { personKey, accountIds }, tx)) throw reviewExists();
};

/** Checks that a person can review a broker, before they write. @throws DomainError review_exists */
export const requireFirstReview = (db: Db, author: ReviewerKeys, { keys }: BrokerReference): Promise<void> =>
  snapshot(db, (tx) => requireNoLiveReview(keys, author, tx));

/** Stores a new review of a broker as pending, in the caller's transaction. @throws DomainError review_exists */
export const submitReview = async (
  c: TxContext,
  author: Principal,
  submission: z.output<typeof ReviewSubmission>,
  broker: BrokerReference,
): Promise<store.ReviewDocument> => {
  const { accountId, personKey, personHash, displayName, country, kycVerified } = author;
  const review: store.ReviewDocument = {
    _id: new Types.ObjectId(),
    ...submission,
    broker: broker.key,
    accountId,
    personKey,
    live: true,
    status: 'pending',
    author: { displayName, ...(country === undefined ? {} : { country }) },
    identityVerified: kycVerified,
    createdAt: c.now,
    textKeys: textKeys(submission.content),
    salts: { title: newSalt(), content: newSalt(), author: newSalt() },
  };
  // Earlier reviews may have another key if the person was recognised only later. The index checks only one broker.
  if (personHash || broker.keys.length > 1) await requireNoLiveReview(broker.keys, author, c.tx);
  await store.insertReview(review, c.tx).catch((error: unknown) => {
    throw isDuplicateKey(error) ? reviewExists() : error;
  });
  await tallyReview(c, review, undefined, review);
  c.audit(
    'review.submitted',
    { kind: 'review', id: String(review._id) },
    { before: null, after: { status: review.status, rating: review.rating }, reason: 'submitted' },
  );
  await saveVerifiedAddress(c, author);
  await notifyPerson(c, accountId, 'review.received', { reference: String(review._id), broker: review.broker });
  return review;
};

/** Returns how a move changes the number of published reviews. */
const computeCountChange = (from: ReviewStatus, to: ReviewStatus): 1 | -1 | 0 => {
  if (to === 'published') return 1;
  return from === 'published' ? -1 : 0;
};

/** @throws DomainError review_not_found */
export const requireReview = async ({ tx, db }: TxContext, id: string): Promise<store.ReviewDocument> => {
  const review = await store.findReview(db, id, tx);
  if (!review) throw new DomainError('review_not_found', `No review has the id "${id}".`);
  return review;
};

/**
 * Returns a review that this account wrote. A missing review and another author's review give the same error, so that
 * callers cannot probe for ids.
 * @throws DomainError review_not_found
 */
export const requireOwnReview = async (
  { tx, db }: TxContext,
  id: string,
  accountId: string,
): Promise<store.ReviewDocument> => {
  const review = await store.findReview(db, id, tx);
  if (review?.accountId !== accountId)
    throw new DomainError('review_not_found', `You have no review with the id "${id}".`);
  return review;
};

/**
 * Returns a published review. A review in any other state counts as missing.
 * @throws DomainError review_not_found
 */
export const requirePublishedReview = async ({ tx, db }: TxContext, id: string): Promise<store.ReviewDocument> => {
  const review = await store.findReview(db, id, tx);
  if (review?.status !== 'published')
    throw new DomainError('review_not_found', `No published review has the id "${id}".`);
  return review;
};

/** A move of a review to another state. */
export interface ReviewMove {
  readonly to: ReviewStatus;
  /** Set for a rejection or removal. */
  readonly reasonCode?: ReasonCode | undefined;
  /** End of the withholding, after which the review is published again. */
  readonly withheldUntil?: Date | undefined;
  /** Recorded in the audit trail. */
  readonly reason: string;
  /** Cause of the entry in the record. */
  readonly cause?: 'fact' | 'correction';
  /** Allows moves that moderators cannot make. */
  readonly by?: keyof typeof MOVES;
}

const otherReviewIsLive = (): DomainError =>
  new DomainError(
    'state_conflict',
    'The author has written another review of this broker since: that one has to go first.',
  );

/**
 * Requires that the author has no other live review of the broker or those merged into it. The index checks only one
 * broker. @throws DomainError state_conflict
 */
const requireOnlyOne = async ({ tx }: TxContext, { broker, personKey }: store.ReviewDocument): Promise<void> => {
  const [{ keys } = { keys: [] }] = (await findBrokersBehind([broker], tx)).values();
  if (keys.length > 1 && (await store.hasLiveReview(keys, { personKey, accountIds: [] }, tx)))
    throw otherReviewIsLive();
};

/**
 * Moves a review to another state, in the caller's transaction, with its counts, audit entry and dirty mark. Returns
 * the review as it was before.
 * @throws DomainError review_not_found, state_conflict
 */
export const moveReview = async (c: TxContext, id: string, move: ReviewMove): Promise<store.ReviewDocument> => {
  const review = await requireReview(c, id);
  requireMove(id, review.status, move.to, MOVES[move.by ?? (review.reasonCode === 'merged' ? 'merged' : 'moderator')]);
  if (isLive(move.to) && !isLive(review.status)) await requireOnlyOne(c, review);
  const { reasonCode, withheldUntil, cause = 'fact' } = move;
  const after = {
    status: move.to,
    ...(reasonCode === undefined ? {} : { reasonCode }),
    ...(withheldUntil === undefined ? {} : { withheldUntil }),
  };
  await store.setStatus(review, after, c.now, c.tx).catch((error: unknown) => {
    throw isDuplicateKey(error) ? otherReviewIsLive() : error;
  });
  const publishedAt = review.publishedAt ?? (move.to === 'published' ? c.now : undefined);
  const moved = { ...review, ...after, ...(publishedAt === undefined ? {} : { publishedAt }) };
  for (const entry of toReviewEntries(moved)) c.publish({ ...entry, cause });
  await tallyReview(c, review, review, after);
  const change = computeCountChange(review.status, move.to);
  if (change !== 0) {
    await store.countInMonth(review, change, c.tx);
    await markBrokersDirty(c, [review.broker]);
  }
  c.audit(
    move.to === 'pending' ? 'review.reopened' : `review.${move.to}`,
    { kind: 'review', id },
    { before: { status: review.status }, after: { status: move.to }, reason: move.reason },
  );
  return review;
};

/** Requires that the broker of a review may speak in public. @throws DomainError state_conflict */
const requireReplying = async ({ tx }: TxContext, { broker }: store.ReviewDocument) => {
  const [{ status } = { status: '' }] = (await findBrokersBehind([broker], tx)).values();
  if (!mayReply({ status })) throw new DomainError('state_conflict', NO_REPLY_OF_CLONE);
};

/**
 * Sets the broker's reply to a published review, or removes it if `content` is undefined, in the caller's transaction.
 * @throws DomainError review_not_found, state_conflict
 */
export const setReviewReply = async (
  c: TxContext,
  id: string,
  content: string | undefined,
): Promise<store.ReviewDocument> => {
  const review = await requireReview(c, id);
  if (content !== undefined && review.status !== 'published')
    throw new DomainError('state_conflict', `Review ${id} is ${review.status}: only a published one has a reply.`);
  if (content !== undefined) await requireReplying(c, review);
  if (content === undefined && !review.reply)
    throw new DomainError('state_conflict', `Review ${id} has no reply to remove.`);
  const reply = content === undefined ? undefined : { content, createdAt: c.now };
  await store.setReply(review._id, reply, c.tx);
  if (review.status === 'published') {
    for (const entry of toReviewEntries({ ...review, reply })) c.publish({ ...entry, cause: 'fact' });
    await markBrokersDirty(c, [review.broker]);
  }
  const [action, reason] =
    content === undefined
      ? (['review.reply_removed', c.actor.type === 'account' ? 'author_request' : 'operator_command'] as const)
      : (['review.replied', 'broker_answered'] as const);
  const [before, after] = [{ reply: review.reply !== undefined }, { reply: content !== undefined }];
  c.audit(action, { kind: 'review', id }, { before, after, reason });
  return review;
};

/**
 * Lists live reviews of one broker by one person. They occur if accounts were linked, or brokers merged, only after the
 * reviews were written.
 */
export const listDuplicates = async (db: Db) => {
  const persons = await findSharedPersons(db);
  const reviews = await store.listLiveReviews(db, persons.flat());
  for (const keys of await listMergedKeys(db)) reviews.push(...(await store.findSeveralLive(db, keys, null)));
  const each = new Map(reviews.map((review) => [String(review._id), review]));
  return findDuplicates(persons, await withCurrentSlugs(db, [...each.values()]));
};

/** Orders published reviews first, then newer ones. */
const compareStanding = (a: store.ReviewDocument, b: store.ReviewDocument): number =>
  Number(b.status === 'published') - Number(a.status === 'published') ||
  Number(b.createdAt) - Number(a.createdAt) ||
  (String(a._id) < String(b._id) ? 1 : -1);

/**
 * Returns the live reviews of each person who has several about brokers with these keys, starting with the one to keep.
 * Linked accounts count as one person.
 */
export const findLiveDoubles = async (keys: readonly string[], tx: Tx): Promise<store.ReviewDocument[][]> => {
  const persons = await findSharedPersons(tx.db);
  const reviews = [
    ...(await store.findSeveralLive(tx.db, keys, tx)),
    ...(await store.listLiveReviews(tx.db, persons.flat(), keys, tx)),
  ];
  const each = new Map(reviews.map((review) => [String(review._id), review]));
  const personByAccount = new Map(
    persons.flatMap((accounts, person) => accounts.map((id) => [id, String(person)] as const)),
  );
  const groups = Map.groupBy(each.values(), ({ accountId, personKey }) => personByAccount.get(accountId) ?? personKey);
  return [...groups.values()].filter((group) => group.length > 1).map((group) => group.sort(compareStanding));
};

/** Returns the reviews whose author has no live review about brokers with these keys. */
export const filterWithoutLive = async (
  reviews: readonly store.ReviewDocument[],
  keys: readonly string[],
  tx: Tx,
): Promise<store.ReviewDocument[]> => {
  const persons = await findSharedPersons(tx.db);
  const free: store.ReviewDocument[] = [];
  for (const review of reviews) {
    const { personKey, accountId } = review;
    const accountIds = persons.find((accounts) => accounts.includes(accountId)) ?? [];
    if (!(await store.hasLiveReview(keys, { personKey, accountIds }, tx))) free.push(review);
  }
  return free;
};

/** Loads many reviews, such as a demo set, in one transaction. */
export const loadReviews = (context: Context, reviews: readonly store.ReviewDocument[]): Promise<void> =>
  inTransaction(context, async (c) => {
    await store.loadReviews(reviews, c.tx);
    for (const entry of reviews.flatMap(toReviewEntries)) c.publish({ ...entry, cause: 'fact', isBulk: true });
    await tallyLoaded(c, reviews);
    await markBrokersDirty(c, [...new Set(reviews.map((review) => review.broker))]);
    const after = { count: reviews.length };
    c.audit('review.loaded', { kind: 'demo', id: 'reviews' }, { before: null, after, reason: 'demo' });
  });
