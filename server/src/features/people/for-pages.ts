import { setTimeout as sleep } from 'node:timers/promises';
import { accountContract } from '@broker-transparency/contract';
import type { PersonSession } from '../../http/auth/person-session.ts';
import type { Attempt } from '../../http/problem/outcome.ts';
import type { RunOnce } from '../../http/request/idempotency.ts';
import type { parseSubmission } from '../../http/request/submission.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { runDetached } from '../../platform/waiting.ts';
import { findOwnComplaint, listOwnComplaints, type OwnComplaint } from '../complaints/own.ts';
import { endAccountFollow, listAccountFollows } from '../follow/actions.ts';
import {
  appealOwnReport,
  appealOwnReview,
  cutPage,
  findOwnReport,
  findOwnReview,
  listOwnReports,
  listOwnReviews,
  readOwnOpening,
  readOwnProof,
  withdrawOwnReview,
} from '../moderation/own.ts';
import { confirmMail, requestMail, showOwnMail, stopMail } from '../notices/own-mail.ts';
import { beginOwnErasure, carryOutErasures, exportOwnAccount, takeBackIfErased } from './actions.ts';

/** The parts of personal pages that the composition brings along. */
export interface PersonalParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly runOnce: RunOnce;
  readonly attempt: Attempt;
  readonly parse: typeof parseSubmission;
  /** File with the list of erasures. */
  readonly erasureList: string;
  /** False if the service sends no mail. */
  readonly sendsMail: boolean;
}

/** Time in milliseconds that a person waits for the end of an erasure. */
const ERASURE_MS = 5000;

/** Submissions on one page. */
const LIMIT = 20;

/** A place in a list of complaints: the last one that was shown. */
interface ComplaintPlace {
  readonly reference: string;
}

const toComplaintView = ({ occurredAt, steps, duty, ...complaint }: OwnComplaint) => ({
  ...complaint,
  occurredAt: occurredAt?.toISOString(),
  steps: steps.map(({ status, at }) => ({ status, at: at.toISOString() })),
  duty: {
    by: duty.by,
    isOverdue: duty.isOverdue,
    dueAt: duty.dueAt?.toISOString(),
    finalAt: duty.finalAt?.toISOString(),
  },
});

/** Runs work of an account in a transaction, and takes it back if the account was erased meanwhile. */
const commit = async <T>(context: Context, accountId: string, work: (c: TxContext) => Promise<T>): Promise<T> => {
  const done = await inTransaction(context, work);
  await takeBackIfErased(context, accountId);
  return done;
};

/** Returns the actions by which a person reads and changes what they sent. */
const createCaseActions = ({ db, clock, runOnce, attempt, parse }: PersonalParts, session: PersonSession) => {
  const { principal: author } = session;
  const { accountId } = author;
  const context: Context = { actor: { type: 'account', accountId }, clock, db };
  return {
    listReviews: (before?: string) => listOwnReviews(db, accountId, LIMIT, before),
    findReview: (id: string) => findOwnReview(db, accountId, id),
    readProof: (id: string) => attempt(() => readOwnProof(db, accountId, id)),
    readOpening: (id: string) => readOwnOpening(db, accountId, id),
    withdrawReview: (id: string) => {
      const request = { author, key: 'withdrawal', route: `/mine/reviews/${id}`, body: {} };
      return attempt(() => runOnce(request, (c) => withdrawOwnReview(c, accountId, id)));
    },
    appealReview: (id: string, given: string) =>
      attempt(() => {
        const { text } = parse(accountContract.reviews.appeal, toText(given));
        return commit(context, accountId, (c) => appealOwnReview(c, author, id, text));
      }),
    listComplaints: async (after?: ComplaintPlace) => {
      const now = clock();
      const last = after && (await findOwnComplaint(db, accountId, after.reference, now));
      const position = last && { at: new Date(last.createdAt), id: last.reference };
      const rows = await listOwnComplaints(db, accountId, { limit: LIMIT, after: position, now });
      const page = cutPage(rows, LIMIT);
      return { ...page, rows: page.rows.map(toComplaintView) };
    },
    findComplaint: async (reference: string) => {
      const found = await findOwnComplaint(db, accountId, reference, clock());
      return found && toComplaintView(found);
    },
    listReports: (before?: string) => listOwnReports(db, accountId, LIMIT, before),
    findReport: (id: string) => findOwnReport(db, accountId, id),
    appealReport: (id: string, given: string) =>
      attempt(() => {
        const { text } = parse(accountContract.reports.appeal, toText(given));
        return commit(context, accountId, (c) => appealOwnReport(c, author, id, text));
      }),
  };
};

/** Leaves a blank text out, so that the contract says that it is required. */
const toText = (text: string): { readonly text?: string } => (text.trim() === '' ? {} : { text });

/** Returns the actions by which a person says where they are told. */
const createMailActions = (
  { db, clock, attempt, parse, sendsMail }: PersonalParts,
  { principal }: PersonSession,
  language: string,
) => {
  const { accountId } = principal;
  const author = { ...principal, acceptLanguage: language };
  const context: Context = { actor: { type: 'account', accountId }, clock, db };
  return {
    sendsMail,
    readMail: () => showOwnMail(db, accountId),
    requestMail: (given: { readonly address?: string; readonly language?: string }) =>
      attempt(() => {
        const body = parse(accountContract.mail.request, given);
        return commit(context, accountId, (c) => requestMail(c, author, body).then(() => null));
      }),
    confirmMail: (code: string) =>
      attempt(() => confirmMail(context, accountId, parse(accountContract.mail.confirm, { code }).code)),
    stopMail: () => attempt(() => commit(context, accountId, (c) => stopMail(c, accountId).then(() => null))),
    listFollowed: () => listAccountFollows(db, accountId),
    endFollow: (slug: string) => endAccountFollow(context, accountId, slug),
  };
};

/** Returns the actions by which a person sees, takes and deletes what is kept of them. */
export const createPersonalActions = (parts: PersonalParts, session: PersonSession, language: string) => {
  const { db, clock, erasureList } = parts;
  const { accountId } = session.principal;
  const context: Context = { actor: { type: 'account', accountId }, clock, db };
  return {
    ...createCaseActions(parts, session),
    ...createMailActions(parts, session, language),
    exportData: async (): Promise<string> =>
      `${JSON.stringify(await exportOwnAccount(context, session.subject), null, 2)}\n`,
    erase: async (): Promise<'done' | 'begun'> => {
      const erasures = await beginOwnErasure(context, session.subject, 'requested', erasureList);
      const work = runDetached(() => carryOutErasures(context, erasures));
      const ended = work.then(
        () => 'done' as const,
        () => 'begun' as const, // it is on the list, from which every process finishes it
      );
      return Promise.race([ended, sleep(ERASURE_MS, 'begun' as const, { ref: false })]);
    },
  };
};
