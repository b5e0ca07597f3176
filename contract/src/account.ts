import * as z from 'zod';
import { mailRoutes } from './account-mail.ts';
import { ComplaintReceipt } from './complaints.ts';
import { EntryNumber } from './entry-fields.ts';
import { meta, type RouteMeta } from './metadata.ts';
import {
  GIVEN_REASON_CODES,
  ModerationAppeal,
  ModerationDecision,
  ModerationText,
  REASON_CODES,
  REPORT_OUTCOMES,
  REPORT_STATUSES,
} from './moderation.ts';
import { Cursor, CursorPagination, Extensible, NoBody, NoQuery, QueryInteger, Slug, Timestamp } from './primitives.ts';
import { AUTH_PROBLEMS, BODY_PROBLEMS, IDEMPOTENCY_PROBLEMS, problems } from './problem.ts';
import { IdempotencyHeaders, Review, SubmittedReview } from './reviews.ts';
import type { RouteGroup } from './route.ts';

/** Path prefix of the routes with which people see and change their own submissions. */
export const ACCOUNT_BASE_PATH = '/account/v1';

const WRITE_PROBLEMS = [...AUTH_PROBLEMS, ...IDEMPOTENCY_PROBLEMS] as const;

const reads: RouteMeta = meta({ access: { scope: 'account:read', kyc: false }, limit: 'public', cache: 'none' });
const writes: RouteMeta = meta({
  access: { scope: 'account:write', kyc: false },
  limit: 'public',
  cache: 'none',
  idempotency: 'key',
});

const Page = z.strictObject({ limit: QueryInteger(1, 100).default(20), cursor: Cursor.optional() });
const Id = z.strictObject({
  id: z
    .string()
    .regex(/^[0-9a-f]{24}$/, 'must be an id as a list shows it')
    .meta({ description: 'An id as a list shows it.', examples: ['65f0c0ffee65f0c0ffee65f0'] }),
});

/** A review by the caller, with the decision about it and the reasons. */
export const OwnReview = SubmittedReview.extend({
  publishedAt: Timestamp.nullable(),
  reply: Review.shape.reply,
  decision: ModerationDecision.nullable().meta({ description: 'The last decision; null while none was made' }),
  appeal: ModerationAppeal.nullable().meta({ description: 'Your last appeal' }),
}).meta({ id: 'OwnReview' });
export type OwnReview = z.infer<typeof OwnReview>;

/** A page of the caller's reviews. */
export const OwnReviewList = z
  .object({ data: z.array(OwnReview), pagination: CursorPagination })
  .meta({ id: 'OwnReviewList' });

/** A file that shows in which words a review is published. */
export const OwnReviewProof = z
  .object({
    key: z.string().meta({ description: 'Key of its entry in the record' }),
    number: EntryNumber,
    texts: z.record(
      z.string(),
      z.object({
        salt: z.string().meta({ description: '32 random bytes in base64' }),
        text: z.string().meta({ description: 'The public text' }),
      }),
    ),
    proof: z.string().meta({
      description: 'Proof that the entry is in the public log, as a text file (c2sp.org/tlog-proof)',
    }),
  })
  .meta({
    id: 'OwnReviewProof',
    description: 'A file by which anybody can check in which words a review was published.',
  });
export type OwnReviewProof = z.infer<typeof OwnReviewProof>;

/** A page of the caller's complaints. */
export const OwnComplaintList = z
  .object({ data: z.array(ComplaintReceipt), pagination: CursorPagination })
  .meta({ id: 'OwnComplaintList' });

/** A report that a published review should be removed, with the reason. */
export const ReportSubmission = z
  .strictObject({
    reviewId: Id.shape.id,
    reason: z.enum(GIVEN_REASON_CODES),
    text: ModerationText.meta({ description: 'Why you think so' }),
  })
  .meta({ id: 'ReportSubmission' });
export type ReportSubmission = z.infer<typeof ReportSubmission>;

/** A report by the caller. */
export const OwnReport = z
  .object({
    id: z.string(),
    reviewId: z.string(),
    brokerSlug: Slug,
    reason: Extensible(z.enum(REASON_CODES)),
    status: Extensible(z.enum(REPORT_STATUSES)),
    outcome: Extensible(z.enum(REPORT_OUTCOMES)).nullable(),
    createdAt: Timestamp,
    decision: ModerationDecision.nullable(),
    appeal: ModerationAppeal.nullable(),
  })
  .meta({ id: 'OwnReport' });
export type OwnReport = z.infer<typeof OwnReport>;

/** A page of the caller's reports. */
export const OwnReportList = z
  .object({ data: z.array(OwnReport), pagination: CursorPagination })
  .meta({ id: 'OwnReportList' });

/** An appeal: why the decision is wrong. */
export const AppealSubmission = z
  .strictObject({ text: ModerationText.meta({ description: 'Why the decision is wrong' }) })
  .meta({ id: 'AppealSubmission' });

/** Descriptions of the parts of the account contract. These are the tags of its OpenAPI document. */
export const ACCOUNT_RESOURCES = {
  reviews: 'Your reviews, and appeals against decisions about them.',
  complaints: 'Your complaints.',
  reports: 'Your reports of reviews, and appeals against decisions about them.',
  mail: 'Where you are told what becomes of what you sent.',
} as const;

/** Routes with which people read (`account:read`) and change (`account:write`) their own submissions. */
export const accountContract = {
  reviews: {
    list: {
      method: 'GET',
      path: '/reviews',
      summary: 'Your reviews in every state, newest first',
      query: Page,
      responses: { 200: OwnReviewList, ...problems(...AUTH_PROBLEMS) },
      metadata: reads,
    },
    proof: {
      method: 'GET',
      path: '/reviews/:id/proof',
      summary: 'A file that shows in which words your review is published',
      description:
        'Keep the answer as a file: `broker-transparency verify` checks it, also when the review is shown no more. It exists once ' +
        'the public log covers the review, a few seconds after its publication.',
      pathParams: Id,
      query: NoQuery,
      responses: { 200: OwnReviewProof, ...problems('review_not_found', 'state_conflict', ...AUTH_PROBLEMS) },
      metadata: reads,
    },
    withdraw: {
      method: 'POST',
      path: '/reviews/:id/withdrawal',
      summary: 'Withdraw a review of your own',
      description: 'It goes at once, and cannot come back. A new review of the same broker is possible then.',
      pathParams: Id,
      query: NoQuery,
      headers: IdempotencyHeaders,
      body: NoBody,
      responses: { 201: OwnReview, ...problems('review_not_found', 'state_conflict', ...WRITE_PROBLEMS) },
      metadata: writes,
    },
    appeal: {
      method: 'POST',
      path: '/reviews/:id/appeal',
      summary: 'Appeal against the rejection or removal of your review',
      description: 'Within six months, once per decision. Somebody decides it who had no part in the decision.',
      pathParams: Id,
      query: NoQuery,
      headers: IdempotencyHeaders,
      body: AppealSubmission,
      responses: {
        201: ModerationAppeal,
        ...problems('review_not_found', 'state_conflict', 'appeal_exists', ...WRITE_PROBLEMS, ...BODY_PROBLEMS),
      },
      metadata: writes,
    },
  },
  complaints: {
    list: {
      method: 'GET',
      path: '/complaints',
      summary: 'Your complaints with their state, newest first',
      query: Page,
      responses: { 200: OwnComplaintList, ...problems(...AUTH_PROBLEMS) },
      metadata: reads,
    },
  },
  reports: {
    list: {
      method: 'GET',
      path: '/reports',
      summary: 'Your reports about reviews, newest first',
      query: Page,
      responses: { 200: OwnReportList, ...problems(...AUTH_PROBLEMS) },
      metadata: reads,
    },
    create: {
      method: 'POST',
      path: '/reports',
      summary: 'Report a published review',
      query: NoQuery,
      headers: IdempotencyHeaders,
      body: ReportSubmission,
      responses: {
        201: OwnReport,
        ...problems('review_not_found', 'report_exists', ...WRITE_PROBLEMS, ...BODY_PROBLEMS),
      },
      metadata: writes,
    },
    appeal: {
      method: 'POST',
      path: '/reports/:id/appeal',
      summary: 'Appeal against the decision to keep a review that you reported',
      pathParams: Id,
      query: NoQuery,
      headers: IdempotencyHeaders,
      body: AppealSubmission,
      responses: {
        201: ModerationAppeal,
        ...problems('report_not_found', 'state_conflict', 'appeal_exists', ...WRITE_PROBLEMS, ...BODY_PROBLEMS),
      },
      metadata: writes,
    },
  },
  mail: mailRoutes,
} as const satisfies RouteGroup;
