import * as z from 'zod';
import { EntryNumber, entryPlace, KnownAt, MOST_NUMBER } from '../entry-fields.ts';
import { BrokerAt, WinningEntry } from '../history.ts';
import { CursorPagination, KeyCursor, QueryInteger, RegulatorCode, Slug, Timestamp } from '../primitives.ts';
import { AUTH_PROBLEMS, problems } from '../problem.ts';
import type { RouteGroup } from '../route.ts';
import { Color } from '../score/schema.ts';
import { enterpriseMeta } from './metadata.ts';

/** Maximum brokers of a page. */
const MOST_LISTED = 50;

const times = {
  knownAt: KnownAt.optional(),
  validAt: Timestamp.optional().describe('The time in the world that it is about. Default: now.'),
};

const knownAt = EntryNumber.describe('Entries up to this number count. Ask for the next page with it.');
const validAt = Timestamp.describe('The time that the answer is about. Ask for the next page with it.');

/** A broker as it was known at one time about another. */
export const BrokerThen = z
  .object({
    slug: Slug.describe('Its slug then.'),
    name: z.string().describe('Its name then.'),
    score: z.number().nullable().describe('Value of its score for `validAt`; null: not rated.'),
    color: Color,
    licenses: z.int().min(0).describe('Licences held then: not withdrawn, revoked or expired.'),
    entry: EntryNumber.describe('The entry that says what it was called.'),
  })
  .meta({ id: 'BrokerThen', description: 'A broker as it was known at one time about another.' });

/** Brokers as they were known at one time about another. */
export const BrokersThen = z
  .object({
    knownAt,
    validAt,
    data: z.array(BrokerThen).describe('In the order of the slugs that they had first, which never change.'),
    pagination: CursorPagination,
  })
  .meta({ id: 'BrokersThen', description: 'Brokers as they were known at one time about another.' });
export type BrokersThen = z.infer<typeof BrokersThen>;

/** Regulators as they were known at one time about another. */
export const RegulatorsThen = z
  .object({ knownAt, validAt, data: z.array(WinningEntry).describe('The entry that holds for each, by its key.') })
  .meta({ id: 'RegulatorsThen', description: 'Regulators as they were known at one time about another.' });
export type RegulatorsThen = z.infer<typeof RegulatorsThen>;

/** A regulator with its brokers, as they were known at one time about another. */
export const RegulatorThen = z
  .object({
    knownAt,
    validAt,
    regulator: WinningEntry,
    brokers: z
      .array(
        z
          .object({
            slug: Slug.describe('Its slug then.'),
            name: z.string().describe('Its name then.'),
            licenses: z.array(WinningEntry).describe('Its licences of this regulator, ended ones too.'),
          })
          .meta({ id: 'RegulatedBrokerThen', description: 'A broker with its licences of one regulator.' }),
      )
      .describe('In the order of the slugs that they had first.'),
    pagination: CursorPagination,
  })
  .meta({ id: 'RegulatorThen', description: 'A regulator with its brokers, at one time about another.' });
export type RegulatorThen = z.infer<typeof RegulatorThen>;

/** A score, in short. */
export const ShortScore = z
  .object({ value: z.number().nullable().describe('0 to 100; null: not rated.'), color: Color })
  .meta({ id: 'ShortScore', description: 'A score, in short.' });

/** An entry of a change of licences or of the score of a broker. */
export const TimelineStep = z
  .object({
    ...entryPlace,
    number: EntryNumber.describe('Its number in the record.'),
    score: z
      .object({
        before: ShortScore.nullable().describe('At this time without the change; null: nothing was published.'),
        after: ShortScore.nullable().describe('At this time with the change; null: nothing is published any more.'),
      })
      .describe('What the change did, apart from the passing of time. All its entries have the same.'),
    license: z
      .object({
        before: z.record(z.string(), z.unknown()).nullable().describe('What was published; null: nothing.'),
        after: z.record(z.string(), z.unknown()).nullable().describe('What is published from then on; null: nothing.'),
      })
      .optional()
      .describe('The licence that it is about; absent if it is about something else.'),
  })
  .meta({ id: 'TimelineStep', description: 'An entry of a change of licences or of the score of a broker.' });

/** The changes of a broker's licences and score. */
export const BrokerTimeline = z
  .object({
    slug: Slug.describe('Its current slug.'),
    since: Timestamp.describe('When the record of it begins. What was published before is not known.'),
    knownAt: EntryNumber.describe('Entries up to this number count.'),
    data: z.array(TimelineStep).describe('Oldest first.'),
    next: EntryNumber.nullable().describe('`from` of the next page; null: this is the last one.'),
  })
  .meta({ id: 'BrokerTimeline', description: 'What changed licences and score of a broker, and why.' });
export type BrokerTimeline = z.infer<typeof BrokerTimeline>;

const page = {
  cursor: KeyCursor.optional().describe('From `pagination.nextCursor` of the page before.'),
  limit: QueryInteger(1, MOST_LISTED).default(25).describe('Most brokers of a page. It can have fewer.'),
};
const metadata = enterpriseMeta('record:read', 'record');

/** Routes about brokers at any time. */
export const enterpriseBrokers = {
  list: {
    method: 'GET',
    path: '/brokers',
    summary: 'Brokers as they were known at one time about another',
    query: z.strictObject({ ...times, ...page }),
    responses: { 200: BrokersThen, ...problems(...AUTH_PROBLEMS) },
    metadata,
  },
  get: {
    method: 'GET',
    path: '/brokers/:slug',
    summary: 'What was known of a broker at one time about another',
    pathParams: z.strictObject({ slug: Slug }),
    query: z.strictObject(times),
    responses: { 200: BrokerAt, ...problems(...AUTH_PROBLEMS, 'broker_not_found') },
    metadata,
  },
  timeline: {
    method: 'GET',
    path: '/brokers/:slug/timeline',
    summary: 'What changed the licences and the score of a broker, and why',
    description:
      'A step is an entry of a change: entries that were written together. Its `cause` says why; the feed and the proof ' +
      'of the entry have all of it. A page ends with a whole change.',
    pathParams: z.strictObject({ slug: Slug }),
    query: z.strictObject({
      knownAt: times.knownAt,
      validAt: Timestamp.optional().describe('Only steps up to this time. Default: all.'),
      from: QueryInteger(0, MOST_NUMBER).default(0).describe('The first number.'),
      limit: QueryInteger(1, 100)
        .default(50)
        .describe('Most steps of an answer. It can have fewer, and more if one change has.'),
    }),
    responses: { 200: BrokerTimeline, ...problems(...AUTH_PROBLEMS, 'broker_not_found') },
    metadata,
  },
} as const satisfies RouteGroup;

/** Routes about regulators at any time. */
export const enterpriseRegulators = {
  list: {
    method: 'GET',
    path: '/regulators',
    summary: 'Regulators as they were known at one time about another',
    query: z.strictObject(times),
    responses: { 200: RegulatorsThen, ...problems(...AUTH_PROBLEMS) },
    metadata,
  },
  get: {
    method: 'GET',
    path: '/regulators/:code',
    summary: 'A regulator with its brokers, as they were known at one time about another',
    pathParams: z.strictObject({ code: RegulatorCode }),
    query: z.strictObject({ ...times, ...page }),
    responses: { 200: RegulatorThen, ...problems(...AUTH_PROBLEMS, 'regulator_not_found') },
    metadata,
  },
} as const satisfies RouteGroup;
