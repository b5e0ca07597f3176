import * as z from 'zod';
import { EntryNumber, entryPlace, KnownAt, MOST_NUMBER } from './entry-fields.ts';
import { meta } from './metadata.ts';
import { CalendarDate, QueryInteger, Slug, Timestamp } from './primitives.ts';
import { problems } from './problem.ts';
import type { RouteGroup } from './route.ts';
import { Color, ComplaintMonth, RatingMonth, Score } from './score/schema.ts';

/** The entry of the record that is valid for its key at two times. */
export const WinningEntry = z
  .object({ ...entryPlace, value: z.record(z.string(), z.unknown()).describe('What is published under the key.') })
  .meta({ id: 'WinningEntry', description: 'An entry of the record that holds at the times asked for.' });

/** The facts of a broker that were known at one time about another. */
export const BrokerAt = z
  .object({
    slug: Slug.describe('Its slug then.'),
    knownAt: EntryNumber.describe('Entries up to this number count.'),
    validAt: Timestamp.describe('The time that the answer is about.'),
    score: Score.describe('Its score, computed from these facts for that time.'),
    facts: z
      .array(WinningEntry)
      .describe('The broker, its licences, warnings and complaints, and the regulators of its licences.'),
    ratingsByMonth: z
      .array(RatingMonth)
      .describe('Its published reviews then, by the month in which they were written.'),
    complaintsByMonth: z.array(ComplaintMonth).describe('Its complaints, as far as a score counts them, by month.'),
  })
  .meta({ id: 'BrokerAt', description: 'What was known of a broker at one time about another.' });
export type BrokerAt = z.infer<typeof BrokerAt>;

/**
 * Steps of a history can be those of each change, or the last ones of each period. An `entry` stands for its change.
 */
export const HISTORY_PERIODS = ['entry', 'day', 'month'] as const;

/** A change that a score of a broker follows from, and the score after it. */
export const HistoryStep = z
  .object({
    ...entryPlace,
    number: EntryNumber.describe(
      'The number of its last entry about the broker. The other fields are those of this entry.',
    ),
    entries: z
      .array(
        z.object({
          number: EntryNumber.describe('Its number in the record.'),
          key: z.string().describe('What it is about.'),
        }),
      )
      .describe('The entries of the change that the score follows from, in their order. They were written together.'),
    value: z.number().nullable().describe('Value of the score after it, 0 to 100; null: not rated.'),
    color: Color.describe('Color of the score after it.'),
  })
  .meta({
    id: 'HistoryStep',
    description: 'A change that a broker’s score follows from, and the score after it.',
  });

/** The score of a broker over time. */
export const BrokerHistory = z
  .object({
    slug: Slug.describe('Its current slug.'),
    since: Timestamp.describe('When the record of it begins. What was published before is not known.'),
    data: z.array(HistoryStep).describe('What changed, oldest first.'),
    next: EntryNumber.nullable().describe('`from` of the steps after these; null: there are none.'),
    previous: EntryNumber.nullable().describe('`before` of the steps before these; null: there are none.'),
  })
  .meta({ id: 'BrokerHistory', description: 'What changed about a broker, and its score after each change.' });
export type BrokerHistory = z.infer<typeof BrokerHistory>;

/** A proof that a score, or another entry about a broker, is in the public log. */
export const BrokerProof = z
  .object({
    slug: Slug.describe('Its current slug.'),
    number: EntryNumber.describe('The entry that is proven.'),
    date: CalendarDate.optional().describe('The day whose score is proven; absent if another entry is.'),
    proof: z
      .string()
      .describe('The proof as a text file (c2sp.org/tlog-proof). `broker-transparency verify` checks it.'),
  })
  .meta({ id: 'BrokerProof', description: 'A proof that an entry about a broker is in the public log.' });
export type BrokerProof = z.infer<typeof BrokerProof>;

const slug = z.strictObject({ slug: Slug });

/** Routes about what was published of a broker at any time. */
export const brokerHistory = {
  history: {
    method: 'GET',
    path: '/brokers/:slug/history',
    summary: 'What changed about a broker, and its score after each change',
    description:
      'Changes of the facts from which the score follows, oldest first. `next` and `previous` lead to the ' +
      'other pages.',
    pathParams: slug,
    query: z.strictObject({
      from: QueryInteger(0, MOST_NUMBER)
        .default(0)
        .describe('Only changes that have an entry of this history with this number or a higher one.'),
      before: QueryInteger(1, MOST_NUMBER)
        .optional()
        .describe(
          'Only changes that have no entry of this history with this number or a higher one, and the last `limit` of these. ' +
            'By default: the first ones from `from` on.',
        ),
      per: z
        .enum(HISTORY_PERIODS)
        .default('entry')
        .describe('Steps of the answer: each change (`entry`), or only the last one of each `day` or `month` in UTC.'),
      limit: QueryInteger(1, 100).default(50).describe('Most steps of an answer.'),
    }),
    responses: { 200: BrokerHistory, ...problems('broker_not_found') },
    metadata: meta({ access: 'public', limit: 'history', cache: 'none' }),
  },
  at: {
    method: 'GET',
    path: '/brokers/:slug/at',
    summary: 'What was known of a broker at one time about another',
    description:
      'The facts that were known at `knownAt` about the time `validAt`, and the score that follows from ' +
      'them. Without parameters, both times are now.',
    pathParams: slug,
    query: z.strictObject({
      knownAt: KnownAt.optional(),
      validAt: Timestamp.optional().describe('The time in the world that it is about. Default: now.'),
    }),
    responses: { 200: BrokerAt, ...problems('broker_not_found') },
    metadata: meta({ access: 'public', limit: 'history', cache: 'none' }),
  },
  proof: {
    method: 'GET',
    path: '/brokers/:slug/proof',
    summary: 'A proof that a score of a broker, or another entry about it, is in the public log',
    description: 'The proof is a text in the form of c2sp.org/tlog-proof, which anybody can verify offline.',
    pathParams: slug,
    query: z.strictObject({
      date: CalendarDate.optional().describe('The day whose score is proven. Default: the last one.'),
      number: QueryInteger(0, MOST_NUMBER).optional().describe('Another entry to prove in place of a score.'),
    }),
    responses: { 200: BrokerProof, ...problems('broker_not_found', 'not_found') },
    metadata: meta({ access: 'public', limit: 'history', cache: 'none' }),
  },
} as const satisfies RouteGroup;
