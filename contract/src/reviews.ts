import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { meta } from './metadata.ts';
import {
  Country,
  Cursor,
  CursorPagination,
  Extensible,
  Language,
  QueryInteger,
  Slug,
  Text,
  Timestamp,
} from './primitives.ts';
import { AUTH_PROBLEMS, BODY_PROBLEMS, IDEMPOTENCY_PROBLEMS, problems } from './problem.ts';

/** Every state of a review. Only `published` ones are listed. */
export const REVIEW_STATUSES = ['pending', 'published', 'rejected', 'withdrawn', 'removed'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** Stars from 1 to 5, with at most two decimals. */
export const Rating = z
  .number()
  .min(1, 'must be at least 1')
  .max(5, 'must be at most 5')
  .refine((rating) => Math.round(rating * 100) / 100 === rating, {
    message: 'must have at most two decimals',
    params: { code: 'too_precise' },
  })
  .meta({ id: 'Rating', multipleOf: 0.01, examples: [4.5] });

/** A review as submitted. Every field is required. */
export const ReviewSubmission = z
  .strictObject({
    broker: Slug,
    rating: Rating,
    title: Text(3, 120),
    content: Text(20, 5000),
    language: Language.meta({ description: 'Language of title and content' }),
  })
  .meta({
    id: 'ReviewSubmission',
    examples: [
      {
        broker: 'alpha-markets',
        rating: 4.5,
        title: 'Withdrawals arrive in two days',
        content: 'I withdrew three times this year, and each time the money was there after two days.',
        language: 'en',
      },
    ],
  });

const reviewFields = {
  id: z.string(),
  brokerSlug: Slug,
  rating: Rating,
  title: z.string(),
  content: z.string(),
  language: Language,
  author: z.object({ displayName: z.string(), country: Country.optional() }),
  identityVerified: z
    .boolean()
    .meta({ description: 'The author’s identity was verified (not that they are a customer)' }),
  createdAt: Timestamp,
};

/** A published review. */
export const Review = z
  .object({
    ...reviewFields,
    reply: z
      .object({ content: z.string(), createdAt: Timestamp })
      .optional()
      .meta({ description: 'The broker’s answer' }),
    publishedAt: Timestamp,
  })
  .meta({ id: 'Review' });
export type Review = z.infer<typeof Review>;

/** The author's own submission, before moderation. */
export const SubmittedReview = z
  .object({ ...reviewFields, status: Extensible(z.enum(REVIEW_STATUSES)) })
  .meta({ id: 'SubmittedReview' });

export const ReviewList = z.object({ data: z.array(Review), pagination: CursorPagination }).meta({ id: 'ReviewList' });

/** Names the request, so that repeating it cannot do it twice: 1 to 255 printable ASCII characters, bare or quoted. */
export const IdempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(
      /^("[\x21-\x7e]{1,255}"|(?!")[\x21-\x7e]{1,255})$/,
      'must be 1 to 255 printable ASCII characters without blanks, bare or quoted',
    )
    .optional(),
});

export const reviews = initContract().router({
  list: {
    method: 'GET',
    path: '/reviews',
    summary: 'Published reviews of a broker, newest first',
    query: z.strictObject({
      broker: Slug,
      limit: QueryInteger(1, 100).default(20),
      cursor: Cursor.optional(),
    }),
    responses: { 200: ReviewList, ...problems('broker_not_found') },
    metadata: meta({ access: 'public', limit: 'public', cache: 'catalog', shows: ['reviews:{broker}'] }),
  },
  create: {
    method: 'POST',
    path: '/reviews',
    summary: 'Submit a review for moderation',
    description: 'The review is stored as `pending` and appears once a moderator publishes it.',
    query: z.strictObject({}),
    headers: IdempotencyHeaders,
    body: ReviewSubmission,
    responses: {
      201: SubmittedReview,
      ...problems(
        'broker_not_found',
        'review_exists',
        'kyc_required',
        ...AUTH_PROBLEMS,
        ...BODY_PROBLEMS,
        ...IDEMPOTENCY_PROBLEMS,
      ),
    },
    metadata: meta({
      access: { scope: 'reviews:write', kyc: true },
      limit: 'public',
      cache: 'none',
      idempotency: 'key',
    }),
  },
});
