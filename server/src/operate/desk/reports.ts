import type { ReasonCode } from '@broker-transparency/contract';
import { claimCase, listClaims, releaseCase } from '../../features/claims/actions.ts';
import { addAppeal, listSideAppeals } from '../../features/moderation/appeal-actions.ts';
import { moderationModule } from '../../features/moderation/module.ts';
import { showReview } from '../../features/moderation/queue.ts';
import { decideReport, listReports, showReport } from '../../features/moderation/report-actions.ts';
import type { Db } from '../../platform/mongo.ts';
import { type CaseFacts, computeDue, type DeskKind, type Sight, toParts } from './kind.ts';
import { toAppealForm, toAppealLinks, toAuthorFacts, toReviewTexts, toReviewTimeline } from './reviews.ts';

/** Returns the name and the address of somebody without an account. */
export const formatContact = ({ name, mail }: { readonly name?: string; readonly mail?: string }): string =>
  [name, mail].filter((part) => part !== undefined).join(', ') || 'unknown';

const open = async (db: Db, id: string, { may }: Sight, now: Date): Promise<CaseFacts> => {
  const report = await showReport(db, id);
  const { reviewId, decisionId, reasonCode, contact, accountId, text, createdAt, outcome } = report;
  const [review, claims, appeals] = await Promise.all([
    showReview(db, reviewId),
    listClaims(db, now),
    listSideAppeals(db, reviewId, 'reporter'),
  ]);
  const own = appeals.filter((appeal) => decisionId?.equals(appeal.decisionId));
  const reporter = contact ? formatContact(contact) : accountId === undefined ? 'unknown' : 'an account';
  return {
    broker: report.broker,
    title: `Report about a review of ${report.broker}`,
    state: report.status,
    facts: [
      ['Reported as', reasonCode],
      ...(may('report list') ? ([['Reporter', reporter]] as const) : []),
      ['State of the review', review.status],
      ...toAuthorFacts(review),
    ],
    texts: [{ label: 'Report', parts: toParts(text) }, ...toReviewTexts(review)],
    hints: review.hints,
    related: [{ kind: 'review', id: review.id, label: 'The review' }, ...toAppealLinks(own)],
    timeline: [...toReviewTimeline(review), { at: createdAt, text: 'Reported' }],
    claim: claims('report', id),
    isReported: true,
    idle: outcome === 'kept' && own.length === 0 ? [] : ['appeal'],
  };
};

export const reportKind: DeskKind = {
  kind: 'report',
  plural: 'Reports',
  lists: 'report list',
  shows: 'report list',
  claims: 'report decide',
  list: async (db, now, limit) => {
    const claims = await listClaims(db, now);
    return (await listReports(db, 'open', limit)).map(({ _id, broker, reasonCode, text, createdAt }) => ({
      kind: 'report',
      id: String(_id),
      broker,
      title: `${reasonCode}: ${text}`,
      since: createdAt,
      dueAt: computeDue(moderationModule.checks.reports, createdAt),
      claim: claims('report', String(_id)),
    }));
  },
  open,
  claim: (context, id) => claimCase(context, 'report', id),
  release: (context, id) => releaseCase(context, 'report', id),
  forms: [
    {
      fields: ['reason', 'note'],
      actions: [
        {
          action: 'keep',
          command: 'report decide',
          label: 'Keep the review',
          key: 'k',
          states: ['open'],
          takes: ['note'],
          run: (context, id, { note }) => decideReport(context, id, { kind: 'keep', note }),
          verdict: ({ note }) => ({ kind: 'keep', note }),
        },
        {
          action: 'remove',
          command: 'report decide',
          label: 'Remove the review',
          key: 'r',
          states: ['open'],
          takes: ['reason', 'note'],
          needs: ['reason'],
          run: (context, id, { reason, note }) =>
            decideReport(context, id, { kind: 'remove', reasonCode: reason as ReasonCode, note }),
          verdict: ({ reason, note }) => ({ kind: 'remove', reasonCode: reason as ReasonCode, note }),
        },
      ],
    },
    toAppealForm(['decided'], 'The reporter appeals by mail', (context, id, text) =>
      addAppeal(context, { report: id }, text),
    ),
  ],
};
