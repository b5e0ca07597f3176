import {
  accountContract,
  type OwnReport,
  type OwnReview,
  TRANSPARENCY_BASE_PATH,
  transparencyContract,
} from '@broker-transparency/contract';
import { entryKey } from '@broker-transparency/contract/record';
import { requirePrincipal } from '../../http/auth/access.ts';
import { addCacheTags } from '../../http/cache/cached-routes.ts';
import { initServer } from '../../http/endpoints/rest.ts';
import { createAddressFormatter } from '../../http/request/canonical.ts';
import { decodeCursor, toPage } from '../../http/request/cursor.ts';
import type { IdempotentRunner } from '../../http/request/idempotency.ts';
import { SlugRedirect } from '../../http/response/moved.ts';
import { openEntry } from '../../ledger/log/opened.ts';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { requireBroker, resolveCurrentSlug, withCurrentSlugs } from '../brokers/facts.ts';
import { saveVerifiedAddress } from '../notices/tell.ts';
import { countOperators } from '../operators/facts.ts';
import { findReview, listByAccount, type ReviewDocument } from '../reviews/facts.ts';
import { toCounts } from '../transparency/counts.rule.ts';
import { findCounts } from '../transparency/facts.ts';
import { withdrawReview } from './actions.ts';
import { appealReport, appealReview } from './appeal-actions.ts';
import { measureDelays } from './delays.ts';
import { submitReport } from './report-actions.ts';
import * as store from './store.ts';
import { toAppealView, toOwnReport, toOwnReview, toTransparencyView } from './view.ts';

const decodeBefore = (cursor: string | undefined): string | undefined =>
  cursor === undefined ? undefined : decodeCursor(cursor).id;

const toPosition = ({ createdAt, _id }: { createdAt: Date; _id: unknown }) => ({ at: createdAt, id: String(_id) });

/** Returns reviews with the decision and the appeal about each. */
const toOwnReviews = async (db: Db, reviews: readonly ReviewDocument[]): Promise<OwnReview[]> => {
  if (reviews.length === 0) return [];
  const ids = reviews.map(({ _id }) => String(_id));
  const [decisions, appeals, named] = await Promise.all([
    store.listDecisionsAbout(db, ids),
    store.listAppealsAbout(db, ids, 'author'),
    withCurrentSlugs(db, reviews),
  ]);
  return named.map((review) => {
    const isAbout = ({ reviewId }: { reviewId: string }): boolean => reviewId === String(review._id);
    return toOwnReview(review, { decision: decisions.find(isAbout), appeal: appeals.find(isAbout) });
  });
};

const toOwnReports = async (db: Db, reports: readonly store.ReportDocument[]): Promise<OwnReport[]> => {
  if (reports.length === 0) return [];
  const ids = reports.flatMap(({ decisionId }) => decisionId ?? []);
  const decisions = await store.findDecisions(db, ids);
  const appeals = await store.listAppealsAbout(
    db,
    reports.map(({ reviewId }) => reviewId),
    'reporter',
  );
  return (await withCurrentSlugs(db, reports)).map((report) => {
    const decided = String(report.decisionId);
    return toOwnReport(report, {
      decision: decisions.find(({ _id }) => String(_id) === decided),
      appeal: appeals.find(({ decisionId }) => String(decisionId) === decided),
    });
  });
};

/** Routes for authors: their reviews, withdrawals and appeals. */
export const accountReviewRoutes = (db: Db, once: IdempotentRunner) =>
  initServer().router(accountContract.reviews, {
    list: async ({ req, query: { limit, cursor } }) => {
      const { accountId } = requirePrincipal(req);
      const page = toPage(await listByAccount(db, accountId, limit, decodeBefore(cursor)), limit, toPosition);
      return { status: 200, body: { data: await toOwnReviews(db, page.data), pagination: page.pagination } };
    },
    proof: async ({ req, params: { id } }) => {
      const { accountId } = requirePrincipal(req);
      const review = await findReview(db, id, null);
      if (review?.accountId !== accountId)
        throw new DomainError('review_not_found', `No review of yours has the id "${id}".`);
      const opened = await openEntry(db, entryKey('review', id));
      if (opened) return { status: 200, body: { ...opened } };
      throw new DomainError(
        'state_conflict',
        'This review has no public text in the log. If it was published just now, ask again in a few seconds.',
      );
    },
    withdraw: ({ req, params: { id } }) =>
      once({ req, body: {} }, async (c, { accountId }) => {
        const review = await withdrawReview(c, id, { accountId, reason: 'author_request' });
        const [decision] = await store.listDecisionsAbout(c.db, [id], c.tx);
        const broker = await resolveCurrentSlug(c.db, review.broker, { session: c.tx });
        return toOwnReview({ ...review, broker, status: 'withdrawn' }, { decision, appeal: undefined });
      }),
    appeal: ({ req, params: { id }, body }) =>
      once({ req, body }, async (c, author) => {
        await saveVerifiedAddress(c, author);
        return toAppealView(await appealReview(c, id, author.accountId, body.text));
      }),
  });

/** Routes for reporters: their reports and appeals. */
export const accountReportRoutes = (db: Db, once: IdempotentRunner) =>
  initServer().router(accountContract.reports, {
    list: async ({ req, query: { limit, cursor } }) => {
      const { accountId } = requirePrincipal(req);
      const page = toPage(
        await store.listAccountReports(db, accountId, limit, decodeBefore(cursor)),
        limit,
        toPosition,
      );
      return { status: 200, body: { data: await toOwnReports(db, page.data), pagination: page.pagination } };
    },
    create: ({ req, body }) =>
      once({ req, body }, async (c, reporter) => {
        const { accountId } = reporter;
        await saveVerifiedAddress(c, reporter);
        const { reviewId, reason: reasonCode, text } = body;
        const report = await submitReport(c, { accountId }, { reviewId, reasonCode, text });
        const broker = await resolveCurrentSlug(c.db, report.broker, { session: c.tx });
        return toOwnReport({ ...report, broker }, { decision: undefined, appeal: undefined });
      }),
    appeal: ({ req, params: { id }, body }) =>
      once({ req, body }, async (c, reporter) => {
        await saveVerifiedAddress(c, reporter);
        return toAppealView(await appealReport(c, id, reporter.accountId, body.text));
      }),
  });

const toAddress = createAddressFormatter(transparencyContract.moderation, TRANSPARENCY_BASE_PATH);

/** Routes of the public moderation counts. */
export const transparencyRoutes = (db: Db, clock: Clock) =>
  initServer().router(
    { moderation: transparencyContract.moderation },
    {
      moderation: async (args) => {
        const { slug: asked } = args.params;
        const { slug, keys } = await requireBroker(db, asked);
        addCacheTags(args, [`broker:${slug}`, ...keys.map((key) => `moderation:${key}`)]);
        if (slug !== asked) throw new SlugRedirect(toAddress({ params: { slug }, query: {} }), slug);
        const [cells, operators, delays] = await Promise.all([
          findCounts(db, keys),
          countOperators(db),
          measureDelays(db, clock()),
        ]);
        return { status: 200, body: toTransparencyView(slug, toCounts(cells), { operators, delays }) };
      },
    },
  );
