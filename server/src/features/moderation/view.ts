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
import { type ReviewDocument, toReplyView, toSubmittedView } from '../reviews/facts.ts';
import { computeAppealEnd, findAppellant, isAppealable, type Reader } from './statement.rule.ts';
import type { AppealDocument, DecisionDocument, ReportDocument } from './store.ts';

/** Returns a decision as one side sees it, without the decider. `canAppeal`: apart from the time. */
export const toDecisionView = (
  { kind, statement, decidedAt, opening }: DecisionDocument,
  side: AppealDocument['side'],
  canAppeal: boolean,
): ModerationDecision => ({
  decision: kind,
  statement,
  decidedAt: decidedAt.toISOString(),
  appealUntil: canAppeal ? computeAppealEnd(decidedAt).toISOString() : null,
  opening: findAppellant(kind) === side ? (opening ?? null) : null,
});

export const toAppealView = (appeal: AppealDocument): ModerationAppeal => ({
  id: String(appeal._id),
  status: appeal.status,
  outcome: appeal.outcome ?? null,
  facts: appeal.facts ?? null,
  createdAt: appeal.createdAt.toISOString(),
  decidedAt: appeal.decidedAt?.toISOString() ?? null,
});

/** The decision about a review or a report, and the appeals of the reader about the review, newest first. */
export interface CaseOutcome {
  readonly decision: DecisionDocument | undefined;
  readonly appeals: readonly AppealDocument[];
}

/**
 * Returns a decision and the appeal about it, as one side sees them. A decision that this side cannot appeal shows the
 * last appeal: it may have come of it.
 */
export const toOutcomeView = ({ decision, appeals }: CaseOutcome, reader: Reader) => {
  const own = decision && appeals.find(({ decisionId }) => String(decisionId) === String(decision._id));
  const appeal = own ?? (decision && findAppellant(decision.kind) === reader.side ? undefined : appeals[0]);
  const canAppeal = decision !== undefined && !own && isAppealable(decision.kind, reader);
  return {
    decision: decision ? toDecisionView(decision, reader.side, canAppeal) : null,
    appeal: appeal ? toAppealView(appeal) : null,
  };
};

/** Returns a review, which has the current slug of its broker, as its author sees it. */
export const toOwnReview = (review: ReviewDocument, outcome: CaseOutcome): OwnReview => ({
  ...toSubmittedView(review, review.broker),
  publishedAt: review.publishedAt?.toISOString() ?? null,
  ...toReplyView(review),
  // a review that is pending again after a split has no decision
  ...toOutcomeView(review.status === 'pending' ? { ...outcome, decision: undefined } : outcome, {
    side: 'author',
    status: review.status,
  }),
});

/** Returns a report, which has the current slug of its broker, as its sender sees it. */
export const toOwnReport = (report: ReportDocument, outcome: CaseOutcome): OwnReport => ({
  id: String(report._id),
  reviewId: report.reviewId,
  brokerSlug: report.broker,
  reason: report.reasonCode,
  status: report.status,
  outcome: report.outcome ?? null,
  createdAt: report.createdAt.toISOString(),
  ...toOutcomeView(outcome, { side: 'reporter' }),
});

export const toTransparencyView = (
  brokerSlug: string,
  counts: ModerationCounts,
  { operators, delays }: Pick<ModerationTransparency, 'operators' | 'delays'>,
): ModerationTransparency => ({
  brokerSlug,
  ...counts,
  operators,
  delays,
  reasons: REASON_CODES.map((code) => {
    const { description, ground } = REASONS[code];
    return { code, description, ground };
  }),
});
