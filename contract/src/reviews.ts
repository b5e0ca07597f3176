import * as z from 'zod';
import { meta } from './metadata.ts';
import {
  Country,
  Cursor,
  CursorPagination,
  Extensible,
  Language,
  NoQuery,
  QueryInteger,
  Slug,
  Text,
  Timestamp,
} from './primitives.ts';
import { AUTH_PROBLEMS, BODY_PROBLEMS, IDEMPOTENCY_PROBLEMS, problems } from './problem.ts';
import type { RouteGroup } from './route.ts';

/** Every status of a review. Lists show only `published` ones. */
export const REVIEW_STATUSES = ['pending', 'published', 'withheld', 'rejected', 'withdrawn', 'removed'] as const;
/** The status of a review. */
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** A rating from 1 to 5 stars, with at most two decimals. */
export const Rating = z
  .number()
  .min(1, 'must be at least 1')
  .max(5, 'must be at most 5')
  .refine((rating) => Math.round(rating * 100) / 100 === rating, {
    message: 'must have at most two decimals',
    params: { code: 'too_precise' },
  })
  .meta({
    id: 'Rating',
    description: 'Stars, 5 is best, with at most two decimals.',
    multipleOf: 0.01,
    examples: [4.5],
  });

/** A review as submitted. Every field is required. */
export const ReviewSubmission = z
  .strictObject({
    broker: Slug.describe('The broker that you review.'),
    rating: Rating.describe('How good you find the broker.'),
    title: Text(3, 120).describe('The review in a few words.'),
    content: Text(20, 5000).describe('What you experienced, in plain text.'),
    language: Language.describe('Language of title and content.'),
  })
  .meta({
    id: 'ReviewSubmission',
    description: 'A review to be published. Every field is required.',
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

/** The public part of a review's author. */
export const ReviewAuthor = z
  .object({
    displayName: z.string().meta({ description: 'Name that the author goes by here.', examples: ['Alice'] }),
    country: Country.optional().describe('Country of the author; absent where not known.'),
  })
  .meta({ id: 'ReviewAuthor', description: 'Who wrote a review.' });

/** A broker's answer to a review. */
export const ReviewReply = z
  .object({
    content: z.string().describe('What the broker says, in plain text.'),
    createdAt: Timestamp.describe('When it was given.'),
  })
  .meta({ id: 'ReviewReply', description: 'A broker’s answer to a review.' });

const reviewFields = {
  id: z.string().describe('Opaque id, which never changes.'),
  brokerSlug: Slug.describe('The broker that it is about.'),
  rating: Rating.describe('How good the author finds the broker.'),
  title: z.string().describe('The review in a few words.'),
  content: z.string().describe('What the author experienced, in plain text.'),
  language: Language.describe('Language of title and content.'),
  author: ReviewAuthor.describe('Who wrote it, as far as it is public.'),
  identityVerified: z
    .boolean()
    .describe(
      'Whether the author’s identity was verified when it was written. It does not say that the author is a client.',
    ),
  createdAt: Timestamp.describe('When it was submitted.'),
};

/** A published review. */
export const Review = z
  .object({
    ...reviewFields,
    reply: ReviewReply.optional().describe('The broker’s answer; absent where there is none.'),
    publishedAt: Timestamp.describe('When it was published. Lists are in this order.'),
  })
  .meta({ id: 'Review', description: 'A published review.' });
export type Review = z.infer<typeof Review>;

/** A review as its author sees it: with its status, published or not. */
export const SubmittedReview = z
  .object({
    ...reviewFields,
    status: Extensible(z.enum(REVIEW_STATUSES)).describe(
      '`pending` until a moderator publishes or rejects it. A published one can be `removed`. ' +
        '`withheld`: it is not public while a claim against it is examined, and counts nowhere. ' +
        '`withdrawn`: its author took it back.',
    ),
  })
  .meta({ id: 'SubmittedReview', description: 'A review of your own, with its state.' });

/** A page of reviews. */
export const ReviewList = z
  .object({
    data: z.array(Review).describe('Reviews of this page, newest first.'),
    pagination: CursorPagination.describe('Place of this page in the list.'),
  })
  .meta({ id: 'ReviewList', description: 'A page of reviews.' });

/**
 * Headers of a POST. `idempotency-key` identifies the request, so that a repetition has no second effect: 1 to 255
 * printable ASCII characters, bare or quoted.
 */
export const IdempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(
      /^("[\x21-\x7e]{1,255}"|[!\x23-\x7e][\x21-\x7e]{0,254})$/,
      'must be 1 to 255 printable ASCII characters without blanks, bare or quoted',
    )
    .optional(),
});

/** Routes about reviews: the reviews of a broker, and the submission of one. */
export const reviews = {
  list: {
    method: 'GET',
    path: '/reviews',
    summary: 'Published reviews of a broker, newest first',
    description:
      'Reviews that moderators published, each by a person whose identity is verified. `Link` has the next page.',
    query: z.strictObject({
      broker: Slug,
      limit: QueryInteger(1, 100).default(20),
      cursor: Cursor.optional(),
    }),
    responses: { 200: ReviewList, ...problems('broker_not_found') },
    metadata: meta({
      access: 'public',
      limit: 'public',
      cache: 'catalog',
      shows: ['reviews:{broker}'],
      moved: 'broker',
    }),
  },
  create: {
    method: 'POST',
    path: '/reviews',
    summary: 'Submit a review for moderation',
    description: 'The review is stored as `pending` and appears once a moderator publishes it.',
    query: NoQuery,
    headers: IdempotencyHeaders,
    body: ReviewSubmission,
    responses: {
      201: SubmittedReview,
      ...problems(
        'broker_not_found',
        'review_exists',
        'state_conflict',
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
} as const satisfies RouteGroup;
