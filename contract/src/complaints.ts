import * as z from 'zod';
import { meta } from './metadata.ts';
import { Extensible, Money, NoQuery, SentTimestamp, Slug, Text, Timestamp } from './primitives.ts';
import { AUTH_PROBLEMS, BODY_PROBLEMS, IDEMPOTENCY_PROBLEMS, problems } from './problem.ts';
import { IdempotencyHeaders } from './reviews.ts';
import type { RouteGroup } from './route.ts';

/** Categories of complaints. */
export const COMPLAINT_CATEGORIES = [
  'withdrawal',
  'execution',
  'pricing',
  'account',
  'conduct',
  'misleading',
  'other',
] as const;

/** Every state of a complaint. */
export const COMPLAINT_STATUSES = [
  'received',
  'screening',
  'forwarded',
  'responded',
  'resolved',
  'unresolved',
  'rejected',
  'withdrawn',
] as const;
/** The status of a complaint. */
export type ComplaintStatus = (typeof COMPLAINT_STATUSES)[number];

/**
 * Number of complaints that one account can send within a number of hours. `complaints` is the default of a
 * configurable value.
 */
export const COMPLAINT_LIMIT = { complaints: 10, hours: 24 } as const;

/** A complaint as submitted. It is private: only counts are published. */
export const ComplaintSubmission = z
  .strictObject({
    broker: Slug.describe('The broker that you complain about.'),
    category: z.enum(COMPLAINT_CATEGORIES).describe('What the complaint is about.'),
    title: Text(3, 120).describe('The matter in a few words.'),
    content: Text(20, 5000).describe('What happened, in plain text.'),
    amountInDispute: Money.optional().describe(
      'How much money it is about. Leave it out where it is not about an amount.',
    ),
    occurredAt: SentTimestamp.optional().describe(
      'When it happened, which is not in the future: RFC 3339 time in UTC, ending in `Z` or `+00:00`.',
    ),
    desiredResolution: Text(3, 1000).optional().describe('What the broker should do.'),
    consentToForward: z.boolean().describe('Whether the complaint may be sent to the broker with your name.'),
  })
  .meta({
    id: 'ComplaintSubmission',
    description: 'A complaint. It is private: only counts are published.',
    examples: [
      {
        broker: 'alpha-markets',
        category: 'withdrawal',
        title: 'Withdrawal refused for a month',
        content: 'I asked for my balance on 1 October and have had no answer to four messages since.',
        amountInDispute: { amount: '250.00', currency: 'USD' },
        consentToForward: true,
      },
    ],
  });

/** Receipt for a complaint. Its reference identifies the complaint from then on. */
export const ComplaintReceipt = z
  .object({
    reference: z
      .string()
      .meta({ description: 'Names the complaint. Quote it to the operator.', examples: ['C-7QK2M9XF4T'] }),
    brokerSlug: Slug.describe('The broker that it is about.'),
    category: Extensible(z.enum(COMPLAINT_CATEGORIES)).describe('What it is about, as submitted.'),
    title: z.string().describe('The matter in a few words, as submitted.'),
    status: Extensible(z.enum(COMPLAINT_STATUSES)).describe(
      'How far it is: `received`, in `screening`, `forwarded` to the broker, `responded` to by the broker. ' +
        'It ends as `resolved`, `unresolved`, `rejected` or `withdrawn`.',
    ),
    consentToForward: z.boolean().describe('Whether it may be sent to the broker with your name, as submitted.'),
    createdAt: Timestamp.describe('When it was received.'),
  })
  .meta({ id: 'ComplaintReceipt', description: 'Receipt of a complaint.' });
export type ComplaintReceipt = z.infer<typeof ComplaintReceipt>;

/** The route that submits a complaint. */
export const complaints = {
  create: {
    method: 'POST',
    path: '/complaints',
    summary: 'Submit a complaint about a broker',
    description:
      'Private. Sent without an Idempotency-Key, a complaint that equals one of the same account within 24 ' +
      `hours is taken as its repetition. An account can send ${COMPLAINT_LIMIT.complaints} within ` +
      `${COMPLAINT_LIMIT.hours} hours, unless the operator says otherwise: beyond that 429 says when the next ` +
      'one is taken.',
    query: NoQuery,
    headers: IdempotencyHeaders,
    body: ComplaintSubmission,
    responses: {
      201: ComplaintReceipt,
      ...problems('broker_not_found', 'state_conflict', ...AUTH_PROBLEMS, ...BODY_PROBLEMS, ...IDEMPOTENCY_PROBLEMS),
    },
    metadata: meta({
      access: { scope: 'complaints:write', kyc: false },
      limit: 'public',
      cache: 'none',
      idempotency: 'key-or-body',
    }),
  },
} as const satisfies RouteGroup;
