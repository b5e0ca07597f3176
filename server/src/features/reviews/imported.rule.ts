import {
  Country,
  Language,
  Rating,
  REASON_CODES,
  REVIEW_STATUSES,
  Slug,
  Text,
  Timestamp,
} from '@broker-transparency/contract';
import * as z from 'zod';
import { Verification } from '../accounts/verification.rule.ts';

/** Reasons that only a merger of brokers sets. */
const REASONS = REASON_CODES.filter((code) => code !== 'merged');

/** States of imported reviews. No imported review is withheld. */
const STATUSES = REVIEW_STATUSES.filter((status) => status !== 'withheld');

const Shape = z.strictObject({
  /** The id of the review in the earlier system. */
  reference: Text(1, 200),
  broker: Slug,
  rating: Rating,
  title: Text(3, 120),
  content: Text(20, 5000),
  language: Language,
  author: z.strictObject({
    /** The name that the operator's own systems use for the person. Never published. */
    subject: Text(1, 200),
    displayName: Text(1, 60),
    country: Country.optional(),
  }),
  verification: Verification.optional(),
  status: z.enum(STATUSES),
  reasonCode: z.enum(REASONS).optional(),
  createdAt: Timestamp,
  publishedAt: Timestamp.optional(),
  reply: z.strictObject({ content: Text(1, 5000), createdAt: Timestamp }).optional(),
});
type ReviewRow = z.infer<typeof Shape>;

/** The states that have a reason, and those that have a time of publication. */
const STATES: Readonly<
  Record<ReviewRow['status'], { readonly reasonCode: boolean; readonly publishedAt: boolean | 'either' }>
> = {
  pending: { reasonCode: false, publishedAt: false },
  published: { reasonCode: false, publishedAt: true },
  rejected: { reasonCode: true, publishedAt: false },
  withdrawn: { reasonCode: false, publishedAt: 'either' },
  removed: { reasonCode: true, publishedAt: true },
};

/** Returns the faults of a review's state, by field. */
const findStateFaults = ({ status, ...row }: ReviewRow): [field: string, message: string][] =>
  (['reasonCode', 'publishedAt'] as const).flatMap((field): [string, string][] => {
    const wanted = STATES[status][field];
    const isGiven = row[field] !== undefined;
    if (wanted === 'either' || wanted === isGiven) return [];
    return [
      [field, wanted ? `must be there for a review that is ${status}` : `must be empty for a review that is ${status}`],
    ];
  });

/** Returns the faults in the order of times, by field. */
const findOrderFaults = ({
  createdAt,
  publishedAt,
  reply,
  verification,
}: ReviewRow): [field: string, message: string][] => {
  const written = Date.parse(createdAt);
  const before = (time: string | undefined): boolean => time !== undefined && Date.parse(time) < written;
  return [
    ...(before(publishedAt) ? [['publishedAt', 'must not be before createdAt'] as [string, string]] : []),
    ...(before(reply?.createdAt) ? [['reply.createdAt', 'must not be before createdAt'] as [string, string]] : []),
    ...(verification && Date.parse(verification.verifiedAt) > written
      ? [
          [
            'verification.verifiedAt',
            'must not be after createdAt: who was verified later was not when it was written',
          ] as [string, string],
        ]
      : []),
  ];
};

/** A review in an import, one per row, identified by its reference. */
export const ReviewRecord = Shape.superRefine((row, ctx) => {
  const faults = [...findStateFaults(row), ...findOrderFaults(row)];
  if (row.reply && row.publishedAt === undefined)
    faults.push(['reply.content', 'must be empty for a review that was never published']);
  for (const [field, message] of faults) ctx.addIssue({ code: 'custom', path: field.split('.'), message });
});
export type ReviewRecord = z.infer<typeof ReviewRecord>;

/** Fields that an import of the same reference must repeat. The state may have changed since. */
export const WRITTEN = ['broker', 'rating', 'title', 'content', 'language', 'createdAt'] as const;
