import { claimCase, listClaims, releaseCase } from '../../features/claims/actions.ts';
import { showReview } from '../../features/moderation/queue.ts';
import { decideReply } from '../../features/replies/actions.ts';
import {
  findPublishRefusal,
  findReplyToModerate,
  listRepliesToModerate,
  type ReplyDocument,
} from '../../features/replies/facts.ts';
import { repliesModule } from '../../features/replies/module.ts';
import { type DeclineReason, REPLY_REFUSALS } from '../../features/replies/status.rule.ts';
import { findSpeakingRight } from '../../features/representatives/facts.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { type CaseFacts, computeDue, type DeskKind, type Sight, toParts } from './kind.ts';
import { toAuthorFacts, toReviewTexts, toReviewTimeline } from './reviews.ts';

/** @throws DomainError not_found if it does not wait */
const requireWaiting = async (db: Db, id: string): Promise<ReplyDocument> => {
  const found = await findReplyToModerate(db, id);
  if (found) return found;
  throw new DomainError('not_found', `No reply "${id}" waits.`);
};

const open = async (db: Db, id: string, _sight: Sight, now: Date): Promise<CaseFacts> => {
  const reply = await requireWaiting(db, id);
  const [review, claims, right, refusal] = await Promise.all([
    showReview(db, reply.reviewId),
    listClaims(db, now),
    findSpeakingRight(db, reply.representative),
    findPublishRefusal(db, reply),
  ]);
  return {
    broker: reply.broker,
    title: `Reply of ${reply.broker} to a review`,
    state: reply.status,
    facts: [
      ['State of the review', review.status],
      ['Right of its author to answer for the firm', right.state],
      ...(refusal ? [['Why it cannot be published', REPLY_REFUSALS[refusal]] as const] : []),
      ...toAuthorFacts(review),
    ],
    texts: [{ label: 'Reply', parts: toParts(reply.content ?? '') }, ...toReviewTexts(review)],
    related: [{ kind: 'review', id: review.id, label: 'The review' }],
    timeline: [...toReviewTimeline(review), { at: reply.createdAt, text: 'The firm replied' }],
    claim: claims('reply', id),
    idle: [refusal ? 'publish' : 'drop'],
  };
};

export const replyKind: DeskKind = {
  kind: 'reply',
  plural: 'Replies',
  lists: 'reply list',
  shows: 'reply list',
  claims: 'reply publish',
  list: async (db, now, limit) => {
    const claims = await listClaims(db, now);
    return (await listRepliesToModerate(db, limit)).map(({ _id: id, broker, content = '', createdAt }) => ({
      kind: 'reply',
      id,
      broker,
      title: content,
      since: createdAt,
      dueAt: computeDue(repliesModule.checks.replies, createdAt),
      claim: claims('reply', id),
    }));
  },
  open,
  claim: (context, id) => claimCase(context, 'reply', id),
  release: (context, id) => releaseCase(context, 'reply', id),
  forms: [
    {
      fields: ['decline'],
      actions: [
        {
          action: 'publish',
          command: 'reply publish',
          label: 'Publish',
          key: 'p',
          states: ['waiting'],
          takes: [],
          run: (context, id) => decideReply(context, id, { kind: 'publish' }),
        },
        {
          action: 'decline',
          command: 'reply decline',
          label: 'Decline',
          key: 'r',
          states: ['waiting'],
          takes: ['decline'],
          needs: ['decline'],
          run: (context, id, { decline }) =>
            decideReply(context, id, { kind: 'decline', reason: decline as DeclineReason }),
        },
        {
          action: 'drop',
          command: 'reply decline',
          label: 'Decline: it cannot be published any more',
          states: ['waiting'],
          takes: [],
          run: (context, id) => decideReply(context, id, { kind: 'decline', reason: 'occasion_gone' }),
        },
      ],
    },
  ],
};
