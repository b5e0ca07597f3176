import type {
  ModerationAppeal,
  ModerationDecision,
  OwnReport,
  ReportSubmission,
} from '@broker-transparency/client/account';
import type { DecisionKind } from '@broker-transparency/contract';
import type { Account } from './accounts.ts';
import { CallRefusal } from './policy.ts';
import { toId } from './random.ts';
import type { State } from './state.ts';
import type { ReviewState, StoredReport, StoredReview } from './stored.ts';

const MOVES: Readonly<Record<ReviewState, readonly ReviewState[]>> = {
  pending: ['published', 'rejected', 'withdrawn'],
  published: ['removed', 'withdrawn', 'withheld'],
  withheld: ['published', 'removed', 'withdrawn'],
  rejected: ['published'],
  removed: ['published'],
  withdrawn: [],
};

/** Months in which the author may appeal. */
const APPEAL_MONTHS = 6;

/** Decisions that the author can appeal against. */
const AGAINST_AUTHOR: readonly string[] = ['reject', 'remove', 'withhold'];

const buildDecision = (decision: DecisionKind, at: Date): ModerationDecision => {
  const isRestricted = AGAINST_AUTHOR.includes(decision);
  const until = new Date(at);
  until.setUTCMonth(until.getUTCMonth() + APPEAL_MONTHS);
  return {
    decision,
    statement: {
      facts: 'A moderator of the test server decided so.',
      reasonCode: isRestricted ? 'other_with_text' : null,
      ground: isRestricted ? 'terms' : null,
      automatedMeans: false,
      origin: isRestricted ? 'own_initiative' : null,
      scope: isRestricted ? 'everywhere' : null,
      until: null,
    },
    decidedAt: at.toISOString(),
    appealUntil: isRestricted || decision === 'keep' ? until.toISOString() : null,
    opening: null, // a test server has no record of statements
  };
};

const DECISIONS = { rejected: 'reject', removed: 'remove', withheld: 'withhold' } as const;

const decide = ({ status, decision = null }: StoredReview, to: ReviewState, at: Date): ModerationDecision | null => {
  if (to === 'withdrawn') return decision && { ...decision, appealUntil: null };
  if (to === 'pending') return decision;
  if (to === 'published') return buildDecision(status === 'pending' ? 'publish' : 'restore', at);
  return buildDecision(DECISIONS[to], at);
};

/** Decides an open appeal if its review has moved. */
const closeAppeal = (appeal: ModerationAppeal | null, to: ReviewState, at: Date): ModerationAppeal | null => {
  const outcome = { published: 'reversed', withdrawn: 'withdrawn' }[to as string];
  if (appeal?.status !== 'open' || outcome === undefined) return appeal;
  const facts = outcome === 'withdrawn' ? null : 'A moderator of the test server decided so.';
  return { ...appeal, status: 'decided', outcome, facts, decidedAt: at.toISOString() };
};

/** Decides the open reports of a review that was removed or withdrawn. */
const closeReports = (state: State, reviewId: string, to: ReviewState, decision: ModerationDecision | null): void => {
  if (to !== 'removed' && to !== 'withdrawn') return;
  for (const [index, report] of state.reports.entries())
    if (report.reviewId === reviewId && report.status === 'open')
      state.reports[index] = { ...report, status: 'decided', outcome: to, decision };
};

/**
 * Changes a review's status as a moderator or its author would.
 * @throws TypeError for an unknown review, and for a change that its status does not allow
 */
export const moveReview = (state: State, id: string, to: ReviewState, at: Date): void => {
  const review = state.reviews.find((one) => one.id === id);
  if (review === undefined) throw new TypeError(`there is no review "${id}"`);
  const { publishedAt: _, appeal = null, ...rest } = review;
  if (!MOVES[review.status].includes(to))
    throw new TypeError(
      `a ${review.status} review can become ${MOVES[review.status].join(', ') || 'nothing else'}, not ${to}`,
    );
  const decision = decide(review, to, at);
  const moved = { ...rest, status: to, decision, appeal: closeAppeal(appeal, to, at) };
  state.putReview({ ...moved, ...(to === 'published' ? { publishedAt: at.toISOString() } : {}) }, at);
  closeReports(state, id, to, decision);
};

/**
 * Returns a review by its author.
 * @throws CallRefusal `review_not_found`
 */
export const requireOwnReview = ({ reviews }: State, { token }: Account, id: string): StoredReview => {
  const review = reviews.find((one) => one.id === id && one.token === token);
  if (review === undefined) throw new CallRefusal('review_not_found', `No review of yours has the id "${id}".`);
  return review;
};

/**
 * Withdraws a review on behalf of its author.
 * @throws CallRefusal `review_not_found`, `state_conflict`
 */
export const withdrawReview = (state: State, account: Account, id: string, at: Date): StoredReview => {
  const { status } = requireOwnReview(state, account, id);
  if (!MOVES[status].includes('withdrawn'))
    throw new CallRefusal('state_conflict', `Review ${id} is ${status} and cannot become withdrawn.`);
  moveReview(state, id, 'withdrawn', at);
  return requireOwnReview(state, account, id);
};

const buildAppeal = (state: State, at: Date): ModerationAppeal => ({
  id: toId('appeal', String(state.nextNumber())),
  status: 'open',
  outcome: null,
  facts: null,
  createdAt: at.toISOString(),
  decidedAt: null,
});

/**
 * Requires that there is no appeal against a decision, and that its time is not over.
 * @throws CallRefusal `appeal_exists`, `state_conflict`
 */
const requireAppealable = (
  { appealUntil, decidedAt }: ModerationDecision,
  appeal: ModerationAppeal | null,
  at: Date,
) => {
  if (appeal !== null && appeal.createdAt >= decidedAt)
    throw new CallRefusal('appeal_exists', 'There is an appeal against this decision already.');
  if (appealUntil !== null && appealUntil < at.toISOString())
    throw new CallRefusal('state_conflict', `An appeal against this decision was possible until ${appealUntil}.`);
};

/**
 * Stores an author's appeal.
 * @throws CallRefusal `review_not_found`, `state_conflict`, `appeal_exists`
 */
export const appealReview = (state: State, account: Account, id: string, at: Date): ModerationAppeal => {
  const review = requireOwnReview(state, account, id);
  const { decision = null, appeal: earlier = null, status } = review;
  if (decision === null || !AGAINST_AUTHOR.includes(decision.decision) || status === 'withdrawn')
    throw new CallRefusal(
      'state_conflict',
      `Review ${id} is ${status}: there is no decision that its author can appeal against.`,
    );
  requireAppealable(decision, earlier, at);
  const appeal = buildAppeal(state, at);
  state.putReview({ ...review, appeal }, at);
  return appeal;
};

/** Returns a report as its sender sees it. */
export const toOwnReport = ({ token: _, text: __, ...report }: StoredReport): OwnReport => report;

/**
 * Stores a report about a published review.
 * @throws CallRefusal `review_not_found`, `report_exists`
 */
export const submitReport = (
  state: State,
  { token }: Account,
  { reviewId, reason, text }: ReportSubmission,
  at: Date,
): OwnReport => {
  const review = state.reviews.find(({ id, status }) => id === reviewId && status === 'published');
  if (review === undefined) throw new CallRefusal('review_not_found', `No published review has the id "${reviewId}".`);
  if (state.reports.some((one) => one.reviewId === reviewId && one.token === token && one.status === 'open'))
    throw new CallRefusal('report_exists', 'Your earlier report about this review waits for a decision.');
  const report: StoredReport = {
    id: toId('report', String(state.nextNumber())),
    reviewId,
    brokerSlug: review.brokerSlug,
    reason,
    status: 'open',
    outcome: null,
    createdAt: at.toISOString(),
    decision: null,
    appeal: null,
    text,
    token,
  };
  state.reports.push(report);
  return toOwnReport(report);
};

/**
 * Decides an open report as a moderator would.
 * @throws TypeError for an unknown report, or one that is decided
 */
export const decideReport = (state: State, id: string, outcome: 'kept' | 'removed', at: Date): void => {
  const index = state.reports.findIndex((one) => one.id === id && one.status === 'open');
  const report = state.reports[index];
  if (report === undefined) throw new TypeError(`there is no open report "${id}"`);
  if (outcome === 'removed') moveReview(state, report.reviewId, 'removed', at);
  else state.reports[index] = { ...report, status: 'decided', outcome, decision: buildDecision('keep', at) };
};

/**
 * Stores a reporter's appeal.
 * @throws CallRefusal `report_not_found`, `state_conflict`, `appeal_exists`
 */
export const appealReport = (state: State, { token }: Account, id: string, at: Date): ModerationAppeal => {
  const index = state.reports.findIndex((one) => one.id === id && one.token === token);
  const report = state.reports[index];
  if (report === undefined) throw new CallRefusal('report_not_found', `There is no report with the id "${id}".`);
  const { decision, appeal: earlier, outcome, status } = report;
  if (decision?.decision !== 'keep')
    throw new CallRefusal(
      'state_conflict',
      `Report ${id} is ${outcome ?? status}: only where the review was kept is an appeal possible.`,
    );
  requireAppealable(decision, earlier, at);
  const appeal = buildAppeal(state, at);
  state.reports[index] = { ...report, appeal };
  return appeal;
};
