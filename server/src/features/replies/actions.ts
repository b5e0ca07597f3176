import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { requireUnclaimedCase } from '../claims/actions.ts';
import { createRandomId, notifyPerson } from '../notices/tell.ts';
import { requireRepresentation } from '../representatives/facts.ts';
import { requireNotOwn } from '../representatives/own-cases.ts';
import { requirePublishedReview, requireReview, setReviewReply } from '../reviews/actions.ts';
import { findReview } from '../reviews/facts.ts';
import { findPublishRefusal } from './facts.ts';
import {
  type DeclineReason,
  findReplyRefusal,
  REPLY_LENGTH,
  REPLY_REFUSALS,
  type ReplyState,
  requireReplyMove,
} from './status.rule.ts';
import * as store from './store.ts';

const toAuditSubject = (id: string) => ({ kind: 'reply', id }) as const;

const conflict = (detail: string): DomainError => new DomainError('state_conflict', detail);

/**
 * Stores a reply to a published review of a broker for which the account answers. It is public once an operator
 * publishes it.
 * @throws DomainError not_found, review_not_found, invalid_input, state_conflict
 */
export const submitReply = (
  context: Context,
  accountId: string,
  slug: string,
  { reviewId, content }: { readonly reviewId: string; readonly content: string },
): Promise<store.ReplyDocument> =>
  inTransaction(context, async (c) => {
    const { representative, broker } = await requireRepresentation(c, accountId, slug);
    const text = content.trim();
    if (text.length < REPLY_LENGTH.min || text.length > REPLY_LENGTH.max)
      throw new DomainError('invalid_input', `A reply has ${REPLY_LENGTH.min} to ${REPLY_LENGTH.max} characters.`);
    const review = await requirePublishedReview(c, reviewId);
    if (!broker.keys.includes(review.broker))
      throw new DomainError(
        'review_not_found',
        `The firm "${slug}" has no published review with the id "${reviewId}".`,
      );
    const { status } = broker;
    const hasReply = review.reply !== undefined;
    const refusal = findReplyRefusal({ status, reviewStatus: review.status, hasReply, maySpeak: true });
    if (refusal) throw conflict(REPLY_REFUSALS[refusal]);
    const reply: store.ReplyDocument = {
      _id: createRandomId('re'),
      reviewId,
      reviewerId: review.accountId,
      broker: review.broker,
      status: 'waiting',
      content: text,
      representative,
      accountId,
      createdAt: c.now,
    };
    await store.insertReply(reply, c.tx).catch((error: unknown) => {
      throw isDuplicateKey(error) ? conflict(REPLY_REFUSALS.has_reply) : error;
    });
    const after = { status: reply.status, broker: review.broker };
    c.audit('reply.submitted', toAuditSubject(reply._id), { before: null, after, reason: 'submitted' });
    return reply;
  });

/** @throws DomainError not_found */
const requireReply = async (c: TxContext, id: string): Promise<store.ReplyDocument> => {
  const reply = await store.findReply(id, c.tx);
  if (reply) return reply;
  throw new DomainError('not_found', `No reply has the id "${id}". See: reply list`);
};

const settle = async (
  c: TxContext,
  reply: store.ReplyDocument,
  status: Exclude<ReplyState, 'waiting'>,
  reason?: DeclineReason,
): Promise<store.ReplyDocument> => {
  requireReplyMove(reply._id, reply.status, status);
  const set = { status, decidedAt: c.now, ...(reason === undefined ? {} : { reason }) };
  await store.settleReply(reply._id, set, c.tx);
  const [before, after] = [{ status: reply.status }, { status }];
  const ended = c.actor.type === 'account' ? 'author_request' : 'operator_command';
  c.audit(`reply.${status}`, toAuditSubject(reply._id), {
    before,
    after,
    reason: reason ?? (status === 'withdrawn' ? ended : 'approved'),
  });
  return { ...reply, ...set };
};

/**
 * Publishes the answer that a firm sent to an operator, or removes the one that a review has. A public reply that a
 * person wrote for the firm is withdrawn.
 * @throws NeedsAnother for whoever takes part in it
 * @throws DomainError as `setReviewReply`
 */
export const replyForFirm = (context: Context, id: string, content: string | undefined): Promise<unknown> =>
  inTransaction(context, async (c) => {
    const { _id, accountId, broker } = await requireReview(c, id);
    await requireNotOwn(c, { what: `review ${id}`, accounts: [accountId], brokers: [broker] });
    const replaced = await store.findPublishedReply(String(_id), c.tx);
    if (replaced) await settle(c, replaced, 'withdrawn');
    await setReviewReply(c, id, content);
  });

export type ReplyVerdict = { readonly kind: 'publish' } | { readonly kind: 'decline'; readonly reason: DeclineReason };

/**
 * Publishes a reply under its review, or declines it. The rules about who may reply hold here again, since the broker,
 * the review and the right of the author may have changed.
 * @throws NeedsAnother for whoever takes part in it
 * @throws DomainError not_found, state_conflict
 */
export const decideReply = (context: Context, id: string, verdict: ReplyVerdict): Promise<store.ReplyDocument> =>
  inTransaction(context, async (c) => {
    const reply = await requireReply(c, id);
    await requireUnclaimedCase(c, 'reply', id);
    const { accountId, reviewerId, broker } = reply;
    await requireNotOwn(c, { what: `reply ${id}`, accounts: [accountId, reviewerId], brokers: [broker] });
    const about = { reference: reply.reviewId, broker: reply.broker };
    requireReplyMove(id, reply.status, verdict.kind === 'publish' ? 'published' : 'declined');
    const refusal = await findPublishRefusal(c.db, reply, c.tx);
    if (verdict.kind === 'decline') {
      const isGone = verdict.reason === 'occasion_gone';
      if (isGone && !refusal) throw conflict(`Reply ${id} can still become public: decline it for what it says.`);
      const declined = await settle(c, reply, 'declined', verdict.reason);
      const outcome = isGone ? 'occasion_gone' : 'declined';
      await notifyPerson(c, reply.accountId, 'reply.decided', { ...about, outcome });
      return declined;
    }
    if (refusal) throw conflict(`${REPLY_REFUSALS[refusal]} Decline it as occasion_gone.`);
    const published = await settle(c, reply, 'published');
    await setReviewReply(c, reply.reviewId, reply.content);
    await notifyPerson(c, reply.accountId, 'reply.decided', { ...about, outcome: 'published' });
    return published;
  });

/**
 * Takes a reply back, also one that is public. Whoever answers for the broker can do so.
 * @throws DomainError not_found, state_conflict
 */
export const withdrawReply = (
  context: Context,
  accountId: string,
  slug: string,
  id: string,
): Promise<store.ReplyDocument> =>
  inTransaction(context, async (c) => {
    const { broker } = await requireRepresentation(c, accountId, slug);
    const reply = await requireReply(c, id);
    if (!broker.keys.includes(reply.broker))
      throw new DomainError('not_found', `The firm "${slug}" has no reply "${id}".`);
    const withdrawn = await settle(c, reply, 'withdrawn');
    const review = reply.status === 'published' ? await findReview(c.db, reply.reviewId, c.tx) : null;
    if (review?.reply) await setReviewReply(c, reply.reviewId, undefined);
    return withdrawn;
  });
