import {
  type ModerationAppeal,
  type ModerationCounts,
  type ModerationDecision,
  type ModerationTransparency,
  type OwnReport,
  type OwnReview,
  REASON_CODES,
  REASONS,
} from '@broker-transparency/contract';
import { type ReviewDocument, replyView, submittedView } from '../reviews/facts.ts';
import { appealUntil, appellantOf } from './statement.rule.ts';
import type { AppealDocument, DecisionDocument, ReportDocument } from './store.ts';

/** Returns a decision as one side sees it, without who made it. */
const decisionView = (
  { kind, statement, decidedAt }: DecisionDocument,
  side: AppealDocument['side'],
  appealed: boolean,
): ModerationDecision => ({
  decision: kind,
  statement,
  decidedAt: decidedAt.toISOString(),
  appealUntil: appellantOf(kind) === side && !appealed ? appealUntil(decidedAt).toISOString() : null,
});

export const appealView = (appeal: AppealDocument): ModerationAppeal => ({
  id: String(appeal._id),
  status: appeal.status,
  outcome: appeal.outcome ?? null,
  facts: appeal.facts ?? null,
  createdAt: appeal.createdAt.toISOString(),
  decidedAt: appeal.decidedAt?.toISOString() ?? null,
});

/** The decision and the appeal about a review or a report. */
export interface Outcome {
  readonly decision: DecisionDocument | undefined;
  readonly appeal: AppealDocument | undefined;
}

const outcomeView = ({ decision, appeal }: Outcome, side: AppealDocument['side']) => ({
  decision: decision ? decisionView(decision, side, String(appeal?.decisionId) === String(decision._id)) : null,
  appeal: appeal ? appealView(appeal) : null,
});

/** Returns a review, which has the current slug of its broker, as its author sees it. */
export const ownReviewView = (review: ReviewDocument, outcome: Outcome): OwnReview => ({
  ...submittedView(review, review.broker),
  publishedAt: review.publishedAt?.toISOString() ?? null,
  ...replyView(review),
  // a review that waits again, after brokers were split, has no decision
  ...outcomeView(review.status === 'pending' ? { ...outcome, decision: undefined } : outcome, 'author'),
});

/** Returns a report, which has the current slug of its broker, as its sender sees it. */
export const ownReportView = (report: ReportDocument, outcome: Outcome): OwnReport => ({
  id: String(report._id),
  reviewId: report.reviewId,
  brokerSlug: report.broker,
  reason: report.reasonCode,
  status: report.status,
  outcome: report.outcome ?? null,
  createdAt: report.createdAt.toISOString(),
  ...outcomeView(outcome, 'reporter'),
});

export const transparencyView = (
  brokerSlug: string,
  counts: ModerationCounts,
  operators: ModerationTransparency['operators'],
): ModerationTransparency => ({
  brokerSlug,
  ...counts,
  operators,
  reasons: REASON_CODES.map((code) => {
    const { description, ground } = REASONS[code];
    return { code, description, ground };
  }),
});
