import type { MailRequest, OwnMail, OwnReview, ReportSubmission } from '@broker-transparency/client/account';
import { entryKey } from '@broker-transparency/contract/record';
import type { Account } from './accounts.ts';
import { sortNewestFirst } from './build-broker.ts';
import type { CallContext, CallHandlers } from './call.ts';
import {
  appealReport,
  appealReview,
  requireOwnReview,
  submitReport,
  toOwnReport,
  withdrawReview,
} from './moderation.ts';
import { parseCursor, slicePage } from './pages.ts';
import { type AccountCallName, CallRefusal } from './policy.ts';
import type { StoredReview } from './stored.ts';
import { daysBefore } from './times.ts';

/** Returns the caller of a route that needs a token. */
export const requireAuthor = ({ account }: CallContext): Account => {
  if (account === undefined) throw new Error('the route has no access policy');
  return account;
};

const toOwnReview = ({ token: _, publishedAt, decision, appeal, ...review }: StoredReview): OwnReview => ({
  ...review,
  publishedAt: publishedAt ?? null,
  decision: decision ?? null,
  appeal: appeal ?? null,
});

/** Returns a page of the caller's submissions, the newest first. */
const listOwn = <T extends { readonly createdAt: string }>(
  items: readonly T[],
  getId: (item: T) => string,
  query: unknown,
) => {
  const { limit, cursor } = query as { readonly limit: number; readonly cursor?: string };
  const placed = items.map((item) => ({ item, id: getId(item), publishedAt: item.createdAt }));
  const newest = sortNewestFirst(placed, ({ publishedAt }) => publishedAt);
  const { data, pagination } = slicePage(newest, limit, parseCursor(cursor));
  return { data: data.map(({ item }) => item), pagination };
};

const proveReview = async (id: string, context: CallContext) => {
  const { state, at } = context;
  requireOwnReview(state, requireAuthor(context), id);
  const key = entryKey('review', id);
  const [entry, texts] = [state.record.findLast(key), state.record.findTexts(key)];
  if (entry === undefined || texts === undefined)
    throw new CallRefusal(
      'state_conflict',
      'This review has no public text in the log. If it was published just now, ask again in a few seconds.',
    );
  return { key, number: entry.number, texts, proof: await state.log.prove(entry.number, at) };
};

/** The code that every address gets. */
const MAIL_CODE = 'TEST1-TEST1';
const NO_MAIL: OwnMail = { address: null, source: null, confirmedAt: null, language: null, pending: null };

const readMail = (context: CallContext): OwnMail => context.state.mail.get(requireAuthor(context).token) ?? NO_MAIL;

const writeMail = (context: CallContext, mail: OwnMail): OwnMail => {
  context.state.mail.set(requireAuthor(context).token, mail);
  return mail;
};

const requestMail = (context: CallContext, { address, language }: MailRequest): OwnMail => {
  const mail = readMail(context);
  const pending = address === undefined ? mail.pending : { address, endsAt: daysBefore(context.at, -1).toISOString() };
  return writeMail(context, { ...mail, language: language ?? mail.language, pending });
};

const confirmMail = (context: CallContext, code: string): OwnMail => {
  const { pending, ...mail } = readMail(context);
  const confirmedAt = context.at.toISOString();
  if (pending === null || code !== MAIL_CODE || pending.endsAt < confirmedAt)
    throw new CallRefusal('state_conflict', 'This code is not the one that an address of yours waits for.');
  return writeMail(context, { ...mail, address: pending.address, source: 'code', confirmedAt, pending: null });
};

/** The calls with which people see and change their own submissions. */
export const ACCOUNT_CALLS: CallHandlers<AccountCallName> = {
  'account.reviews.list': ({ query }, context) => {
    const { token } = requireAuthor(context);
    const own = context.state.reviews.filter((review) => review.token === token).map(toOwnReview);
    return { body: listOwn(own, ({ id }) => id, query) };
  },
  'account.reviews.proof': async ({ params: { id = '' } }, context) => ({ body: await proveReview(id, context) }),
  'account.reviews.withdraw': ({ params: { id = '' } }, context) => ({
    body: toOwnReview(withdrawReview(context.state, requireAuthor(context), id, context.at)),
  }),
  'account.reviews.appeal': ({ params: { id = '' } }, context) => ({
    body: appealReview(context.state, requireAuthor(context), id, context.at),
  }),
  'account.complaints.list': ({ query }, context) => {
    const { token } = requireAuthor(context);
    const own = context.state.complaints
      .filter((complaint) => complaint.token === token)
      .map(({ reference, broker, category, title, status, consentToForward, createdAt }) => ({
        reference,
        brokerSlug: context.state.currentSlug(broker),
        category,
        title,
        status,
        consentToForward,
        createdAt,
      }));
    return { body: listOwn(own, ({ reference }) => reference, query) };
  },
  'account.reports.list': ({ query }, context) => {
    const { token } = requireAuthor(context);
    const own = context.state.reports.filter((report) => report.token === token).map(toOwnReport);
    return { body: listOwn(own, ({ id }) => id, query) };
  },
  'account.reports.create': ({ body }, context) => ({
    body: submitReport(context.state, requireAuthor(context), body as ReportSubmission, context.at),
  }),
  'account.reports.appeal': ({ params: { id = '' } }, context) => ({
    body: appealReport(context.state, requireAuthor(context), id, context.at),
  }),
  'account.mail.show': (_, context) => ({ body: readMail(context) }),
  'account.mail.request': ({ body }, context) => ({ body: requestMail(context, body as MailRequest) }),
  'account.mail.confirm': ({ body }, context) => ({
    body: confirmMail(context, (body as { readonly code: string }).code),
  }),
  'account.mail.stop': (_, context) => ({ body: writeMail(context, NO_MAIL) }),
};
