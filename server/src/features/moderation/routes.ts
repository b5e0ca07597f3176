import { accountContract, TRANSPARENCY_BASE_PATH, transparencyContract } from '@broker-transparency/contract';
import { requirePrincipal } from '../../http/auth/access.ts';
import { addCacheTags } from '../../http/cache/cached-routes.ts';
import { initServer } from '../../http/endpoints/rest.ts';
import type { RouteParts } from '../../http/endpoints/route-parts.ts';
import { createAddressFormatter } from '../../http/request/canonical.ts';
import { decodeCursor, toPage } from '../../http/request/cursor.ts';
import type { IdempotentRunner } from '../../http/request/idempotency.ts';
import { SlugRedirect } from '../../http/response/moved.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { requireBroker, resolveCurrentSlug } from '../brokers/facts.ts';
import { saveVerifiedAddress } from '../notices/tell.ts';
import { countOperators } from '../operators/facts.ts';
import { listByAccount } from '../reviews/facts.ts';
import { toCounts } from '../transparency/counts.rule.ts';
import { findCounts } from '../transparency/facts.ts';
import { readDelays } from './delays.ts';
import {
  appealOwnReport,
  appealOwnReview,
  readOwnProof,
  toOwnReports,
  toOwnReviews,
  withdrawOwnReview,
} from './own.ts';
import { submitReport } from './report-actions.ts';
import * as store from './store.ts';
import { toOwnReport, toTransparencyView } from './view.ts';

const decodeBefore = (cursor: string | undefined): string | undefined =>
  cursor === undefined ? undefined : decodeCursor(cursor).id;

const toPosition = ({ createdAt, _id }: { createdAt: Date; _id: unknown }) => ({ at: createdAt, id: String(_id) });

/** Routes for authors: their reviews, withdrawals and appeals. */
const ownReviewRoutes = (db: Db, once: IdempotentRunner) =>
  initServer().router(accountContract.reviews, {
    list: async ({ req, query: { limit, cursor } }) => {
      const { accountId } = requirePrincipal(req);
      const page = toPage(await listByAccount(db, accountId, limit, decodeBefore(cursor)), limit, toPosition);
      return { status: 200, body: { data: await toOwnReviews(db, page.data), pagination: page.pagination } };
    },
    proof: async ({ req, params: { id } }) => ({
      status: 200,
      body: await readOwnProof(db, requirePrincipal(req).accountId, id),
    }),
    withdraw: ({ req, params: { id } }) =>
      once({ req, body: {} }, async (c, { accountId }) => withdrawOwnReview(c, accountId, id)),
    appeal: ({ req, params: { id }, body }) =>
      once({ req, body }, async (c, author) => appealOwnReview(c, author, id, body.text)),
  });

/** Routes for reporters: their reports and appeals. */
const ownReportRoutes = (db: Db, once: IdempotentRunner) =>
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
        return toOwnReport({ ...report, broker }, { decision: undefined, appeals: [] });
      }),
    appeal: ({ req, params: { id }, body }) =>
      once({ req, body }, async (c, reporter) => appealOwnReport(c, reporter, id, body.text)),
  });

const toAddress = createAddressFormatter(transparencyContract.moderation, TRANSPARENCY_BASE_PATH);

/** Routes of the public moderation counts. */
const countRoutes = (db: Db, clock: Clock) =>
  initServer().router(
    { moderation: transparencyContract.moderation },
    {
      moderation: async (args) => {
        const { slug: asked } = args.params;
        const { slug, keys } = await requireBroker(db, asked);
        addCacheTags(args, ['moderation-delays', `broker:${slug}`, ...keys.map((key) => `moderation:${key}`)]);
        if (slug !== asked) throw new SlugRedirect(toAddress({ params: { slug }, query: {} }), slug);
        const [cells, operators, delays] = await Promise.all([
          findCounts(db, keys),
          countOperators(db),
          readDelays(db, clock()),
        ]);
        return { status: 200, body: toTransparencyView(slug, toCounts(cells), { operators, delays }) };
      },
    },
  );

export const moderationRoutes = ({ db, clock, once }: RouteParts) => ({
  account: { reviews: ownReviewRoutes(db, once), reports: ownReportRoutes(db, once) },
  transparency: countRoutes(db, clock),
});
