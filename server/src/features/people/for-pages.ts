import { randomUUID } from 'node:crypto';
import { accountContract } from '@broker-transparency/contract';
import type { PersonSession } from '../../http/auth/person-session.ts';
import type { Attempt } from '../../http/problem/outcome.ts';
import type { RunOnce } from '../../http/request/idempotency.ts';
import type { parseSubmission } from '../../http/request/submission.ts';
import type { Context } from '../../ledger/context.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { findOwnComplaint, listOwnComplaints, type OwnComplaint } from '../complaints/own.ts';
import { endAccountFollow, listAccountFollows } from '../follow/actions.ts';
import {
  appealOwnReport,
  appealOwnReview,
  findOwnReport,
  findOwnReview,
  listOwnReports,
  listOwnReviews,
  readOwnProof,
  withdrawOwnReview,
} from '../moderation/own.ts';
import { confirmMail, requestMail, showOwnMail, stopMail } from '../notices/own-mail.ts';
import { eraseOwnAccount, exportOwnAccount } from './actions.ts';

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

/** Returns the actions by which a person reads and changes what they sent. */
const createCaseActions = ({ db, clock, runOnce, attempt, parse }: PersonalParts, session: PersonSession) => {
  const { principal: author } = session;
  const { accountId } = author;
  const once = { author, key: '' };
  return {
    listReviews: (before?: string) => listOwnReviews(db, accountId, LIMIT, before),
    findReview: (id: string) => findOwnReview(db, accountId, id),
    readProof: (id: string) => attempt(() => readOwnProof(db, accountId, id)),
    withdrawReview: (id: string) => {
      const request = { ...once, key: 'withdrawal', route: `/mine/reviews/${id}`, body: {} };
      return attempt(() => runOnce(request, (c) => withdrawOwnReview(c, accountId, id)));
    },
    appealReview: (id: string, given: string) =>
      attempt(() => {
        const { text } = parse(accountContract.reviews.appeal, toText(given));
        const request = { ...once, key: randomUUID(), route: `/mine/reviews/${id}`, body: { text } };
        return runOnce(request, (c) => appealOwnReview(c, author, id, text));
      }),
    listComplaints: async (after?: ComplaintPlace) => {
      const now = clock();
      const last = after && (await findOwnComplaint(db, accountId, after.reference, now));
      const position = last && { at: new Date(last.createdAt), id: last.reference };
      const rows = await listOwnComplaints(db, accountId, { limit: LIMIT, after: position, now });
      return { rows: rows.slice(0, LIMIT).map(toComplaintView), hasMore: rows.length > LIMIT };
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
        const request = { ...once, key: randomUUID(), route: `/mine/reports/${id}`, body: { text } };
        return runOnce(request, (c) => appealOwnReport(c, author, id, text));
      }),
  };
};

/** Leaves a blank text out, so that the contract says that it is required. */
const toText = (text: string): { readonly text?: string } => (text.trim() === '' ? {} : { text });

/** Returns the actions by which a person says where they are told. */
const createMailActions = (
  { db, clock, runOnce, attempt, parse, sendsMail }: PersonalParts,
  { principal }: PersonSession,
  language: string,
) => {
  const { accountId } = principal;
  const author = { ...principal, acceptLanguage: language };
  const context: Context = { actor: { type: 'account', accountId }, clock, db };
  const request = { author, route: '/mine/mail' };
  return {
    sendsMail,
    readMail: () => showOwnMail(db, accountId),
    requestMail: (given: { readonly address?: string; readonly language?: string }) =>
      attempt(() => {
        const body = parse(accountContract.mail.request, given);
        return runOnce({ ...request, key: randomUUID(), body }, (c) => requestMail(c, author, body).then(() => null));
      }),
    confirmMail: (code: string) =>
      attempt(() => confirmMail(context, accountId, parse(accountContract.mail.confirm, { code }).code)),
    stopMail: () =>
      attempt(() =>
        runOnce({ ...request, key: randomUUID(), body: {} }, (c) => stopMail(c, accountId).then(() => null)),
      ),
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
    erase: async (): Promise<void> => {
      await eraseOwnAccount(context, session.subject, 'requested', erasureList);
    },
  };
};
