import type { ReasonCode } from '@broker-transparency/contract';
import { Types } from 'mongoose';
import { ProblemError } from '../../http/problem/problem.ts';
import { actorKey, record } from '../../platform/audit/store.ts';
import type { Context } from '../../platform/context.ts';
import { type Tx, transaction } from '../../platform/mongo.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { requireOwnReview, requireReview } from '../reviews/actions.ts';
import { tallyAppeal } from '../transparency/tally.ts';
import { carryOut, closeAppeal } from './actions.ts';
import { appealUntil, appellantOf } from './statement.rule.ts';
import * as store from './store.ts';

export { listAppeals } from './store.ts';

const conflict = (detail: string): ProblemError => new ProblemError('state_conflict', detail);

const requireOpenForAppeal = (decision: store.DecisionDocument, now: Date): void => {
  const until = appealUntil(decision.decidedAt);
  if (now > until) throw conflict(`An appeal against this decision was possible until ${until.toISOString()}.`);
};

const appealExists = (): ProblemError =>
  new ProblemError('appeal_exists', 'There is an appeal against this decision already.');

const storeAppeal = async (
  { actor, clock }: Context,
  decision: store.DecisionDocument,
  side: store.AppealDocument['side'],
  by: store.Party,
  text: string,
  tx: Tx,
): Promise<store.AppealDocument> => {
  const now = clock();
  requireOpenForAppeal(decision, now);
  const appeal: store.AppealDocument = {
    _id: new Types.ObjectId(),
    reviewId: decision.reviewId,
    broker: decision.broker,
    decisionId: decision._id,
    side,
    ...by,
    text,
    status: 'open',
    createdAt: now,
  };
  await store.insertAppeal(appeal, tx).catch((error: unknown) => {
    throw isDuplicateKey(error) ? appealExists() : error;
  });
  await tallyAppeal(appeal, undefined, appeal, tx);
  const subject = { kind: 'appeal', id: String(appeal._id) } as const;
  const states = { before: null, after: { status: appeal.status, side } };
  await record(actor, now, { action: 'appeal.received', subject, ...states, reason: 'submitted' }, tx);
  return appeal;
};

/** The author's appeal, in the caller's transaction; with `accountId`, only of that account. */
export const appealReview = async (
  context: Context,
  reviewId: string,
  accountId: string | undefined,
  text: string,
  tx: Tx,
): Promise<store.AppealDocument> => {
  const review =
    accountId === undefined ? await requireReview(reviewId, tx) : await requireOwnReview(reviewId, accountId, tx);
  const [decision] = await store.decisionsAbout([reviewId], tx);
  if (!decision || appellantOf(decision.kind) !== 'author' || !['rejected', 'removed'].includes(review.status))
    throw conflict(`Review ${reviewId} is ${review.status}: there is no decision that its author can appeal against.`);
  return storeAppeal(context, decision, 'author', { accountId: review.accountId }, text, tx);
};

/** The reporter's appeal, in the caller's transaction; with `accountId`, only of that account. */
export const appealReport = async (
  context: Context,
  reportId: string,
  accountId: string | undefined,
  text: string,
  tx: Tx,
): Promise<store.AppealDocument> => {
  const report = await store.findReport(reportId, tx);
  if (!report || (accountId !== undefined && report.accountId !== accountId))
    throw new ProblemError('report_not_found', `There is no report with the id "${reportId}".`);
  const decision = report.decisionId && (await store.findDecision(report.decisionId, tx));
  if (!decision || appellantOf(decision.kind) !== 'reporter')
    throw conflict(
      `Report ${reportId} is ${report.outcome ?? report.status}: only where the review was kept is an appeal possible.`,
    );
  const { accountId: account, contact } = report;
  const by = account === undefined ? (contact === undefined ? {} : { contact }) : { accountId: account };
  return storeAppeal(context, decision, 'reporter', by, text, tx);
};

/** Stores an appeal that came another way than through an account. */
export const addAppeal = (
  context: Context,
  about: { readonly review: string } | { readonly report: string },
  text: string,
): Promise<store.AppealDocument> =>
  transaction((tx) =>
    'review' in about
      ? appealReview(context, about.review, undefined, text, tx)
      : appealReport(context, about.report, undefined, text, tx),
  );

/** Nobody becomes somebody else by a capital letter. */
const sameName = (a: string, b: string): boolean =>
  a.normalize('NFKC').toLowerCase() === b.normalize('NFKC').toLowerCase();

/** Nobody judges their own decision. @throws ProblemError state_conflict */
const requireAnother = (by: string, { kind, decidedBy, decidedBefore }: store.DecisionDocument): void => {
  if ([decidedBy, ...decidedBefore].some((name) => sameName(name, by)))
    throw conflict(`${by} made the decision to ${kind} that is appealed: somebody else has to decide (--actor).`);
};

export type AppealVerdict =
  | { readonly kind: 'confirm'; readonly note: string }
  | { readonly kind: 'reverse'; readonly note: string; readonly reasonCode?: ReasonCode | undefined };

/** Does the opposite of what was decided. */
const reverse = (
  context: Context,
  decision: store.DecisionDocument,
  { note, reasonCode }: Extract<AppealVerdict, { kind: 'reverse' }>,
  tx: Tx,
): Promise<store.DecisionDocument> => {
  const decidedBefore = [...decision.decidedBefore, decision.decidedBy];
  const verdict =
    decision.kind === 'keep' ? ({ kind: 'remove', reasonCode, note } as const) : ({ kind: 'publish', note } as const);
  return carryOut(context, decision.reviewId, verdict, { decidedBefore }, tx);
};

const requireOpenAppeal = async (id: string, tx: Tx): Promise<store.AppealDocument> => {
  const appeal = await store.findAppeal(id, tx);
  if (!appeal) throw conflict(`No appeal has the id "${id}".`);
  if (appeal.status === 'open') return appeal;
  throw conflict(`Appeal ${id} is decided: ${appeal.outcome}.`);
};

/** Decides an appeal. @throws ProblemError state_conflict, where the same actor decided before too */
export const decideAppeal = (context: Context, id: string, verdict: AppealVerdict): Promise<store.AppealDocument> =>
  transaction(async (tx) => {
    const appeal = await requireOpenAppeal(id, tx);
    const decision = await store.findDecision(appeal.decisionId, tx);
    if (!decision) throw new Error(`the decision ${appeal.decisionId} is gone`);
    requireAnother(actorKey(context.actor), decision);
    const [outcome, reason] =
      verdict.kind === 'reverse'
        ? (['reversed', verdict.reasonCode ?? 'decision_reversed'] as const)
        : (['confirmed', 'decision_confirmed'] as const);
    const decided = await closeAppeal(context, appeal, { outcome, facts: verdict.note }, reason, tx);
    if (verdict.kind === 'reverse') await reverse(context, decision, verdict, tx);
    return decided;
  });
