import * as z from 'zod';
import { Extensible, Timestamp } from './primitives.ts';

/** The facts about itself that a firm can dispute: fields of a broker, its warnings, and the figures about it. */
export const DISPUTE_FIELDS = [
  'name',
  'legalName',
  'tradingNames',
  'lei',
  'website',
  'domains',
  'country',
  'foundedYear',
  'description',
  'status',
  'entities',
  'licenses',
  'warnings',
  'checklist',
  'complaints',
  'reviews',
] as const;
/** One of {@link DISPUTE_FIELDS}. */
export type DisputeField = (typeof DISPUTE_FIELDS)[number];

/** Every state of a dispute. `open` is the only one that another one can follow. */
export const DISPUTE_STATUSES = ['open', 'upheld', 'rejected', 'withdrawn'] as const;
/** One of {@link DISPUTE_STATUSES}. */
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** How a fact changed after its dispute was upheld. */
export const DISPUTE_CHANGES = ['corrected', 'removed', 'added'] as const;
/** One of {@link DISPUTE_CHANGES}. */
export type DisputeChange = (typeof DISPUTE_CHANGES)[number];

/** A fact that the firm itself disputes, and the decision about it. */
export const Dispute = z
  .object({
    reference: z.string().meta({ description: 'Names it for ever.', examples: ['D-7QK2M9XF4T'] }),
    field: Extensible(z.enum(DISPUTE_FIELDS)).describe('The disputed fact.'),
    status: Extensible(z.enum(DISPUTE_STATUSES)).describe(
      '`open` until it is decided. `upheld`: the firm is right, and the fact was changed. `rejected`: the fact stays. ' +
        '`withdrawn`: the firm took it back.',
    ),
    since: Timestamp.describe('When the firm disputed it.'),
    dueAt: Timestamp.describe('By when it is to be decided.'),
    decidedAt: Timestamp.optional().describe('When it ended; absent while it is open.'),
    change: Extensible(z.enum(DISPUTE_CHANGES)).optional().describe('How the fact changed; only if it was upheld.'),
    statement: z
      .int()
      .optional()
      .describe('Number of the statement about this broker that changed the fact; only if there is one.'),
    text: z
      .string()
      .optional()
      .describe('What the firm says, in plain text; absent until a person has checked it, and where it is not shown.'),
  })
  .meta({ id: 'Dispute', description: 'A fact that the firm itself disputes.' });
export type Dispute = z.infer<typeof Dispute>;
