import type { ReasonCode } from '@broker-transparency/contract';
import { claimCase, listClaims, releaseCase } from '../../features/claims/actions.ts';
import { decideAppeal, listAppeals, showAppeal } from '../../features/moderation/appeal-actions.ts';
import { moderationModule } from '../../features/moderation/module.ts';
import { showReview } from '../../features/moderation/queue.ts';
import type { Db } from '../../platform/mongo.ts';
import { type CaseFacts, computeDue, type DeskKind, type Sight, toParts } from './kind.ts';
import { formatContact } from './reports.ts';
import { toAuthorFacts, toReviewTexts, toReviewTimeline } from './reviews.ts';

const open = async (db: Db, id: string, { may }: Sight, now: Date): Promise<CaseFacts> => {
  const { appeal, decision } = await showAppeal(db, id);
  const [review, claims] = await Promise.all([showReview(db, appeal.reviewId), listClaims(db, now)]);
  const appealed = decision
    ? `${decision.kind}${decision.statement.reasonCode === null ? '' : `, ${decision.statement.reasonCode}`}`
    : 'unknown';
  return {
    broker: appeal.broker,
    title: `Appeal of the ${appeal.side} about a review of ${appeal.broker}`,
    state: appeal.status,
    facts: [
      ['Appealed decision', appealed],
      ['Decided by', decision?.decidedBy ?? 'unknown'],
      ...(appeal.contact !== undefined && may('report list')
        ? ([['Reporter', formatContact(appeal.contact)]] as const)
        : []),
      ['State of the review', review.status],
      ...toAuthorFacts(review),
    ],
    texts: [
      { label: 'Appeal', parts: toParts(appeal.text) },
      ...(decision ? [{ label: 'Statement of reasons', parts: toParts(decision.statement.facts) }] : []),
      ...toReviewTexts(review),
    ],
    related: [{ kind: 'review', id: review.id, label: 'The review' }],
    timeline: [...toReviewTimeline(review), { at: appeal.createdAt, text: 'Appealed' }],
    claim: claims('appeal', id),
  };
};

export const appealKind: DeskKind = {
  kind: 'appeal',
  plural: 'Appeals',
  lists: 'appeal list',
  shows: 'appeal list',
  claims: 'appeal decide',
  list: async (db, now, limit) => {
    const claims = await listClaims(db, now);
    return (await listAppeals(db, 'open', limit)).map(({ _id, broker, side, text, createdAt }) => ({
      kind: 'appeal',
      id: String(_id),
      broker,
      title: `${side}: ${text}`,
      since: createdAt,
      dueAt: computeDue(moderationModule.checks.appeals, createdAt),
      claim: claims('appeal', String(_id)),
    }));
  },
  open,
  claim: (context, id) => claimCase(context, 'appeal', id),
  release: (context, id) => releaseCase(context, 'appeal', id),
  forms: [
    {
      fields: ['note', 'reason'],
      actions: [
        {
          action: 'confirm',
          command: 'appeal decide',
          label: 'Confirm the decision',
          key: 'c',
          states: ['open'],
          takes: ['note'],
          needs: ['note'],
          run: (context, id, { note = '' }) => decideAppeal(context, id, { kind: 'confirm', note }),
        },
        {
          action: 'reverse',
          command: 'appeal decide',
          label: 'Reverse the decision',
          key: 'r',
          states: ['open'],
          takes: ['note', 'reason'],
          needs: ['note'],
          run: (context, id, { note = '', reason }) =>
            decideAppeal(context, id, { kind: 'reverse', note, reasonCode: reason as ReasonCode | undefined }),
        },
      ],
    },
  ],
};
