import * as z from 'zod';
import { EntryNumber, entryPlace, MOST_NUMBER } from '../entry-fields.ts';
import { CalendarDate, QueryInteger, Slug } from '../primitives.ts';
import { AUTH_PROBLEMS, problems } from '../problem.ts';
import type { RouteGroup } from '../route.ts';
import { ShortScore } from './history.ts';
import { enterpriseMeta } from './metadata.ts';

const citation = z.string().describe('One line to be printed beside it.');
const reply = z
  .string()
  .optional()
  .describe('What the broker replied to the review; absent: nothing, or this key lacks the scope `texts:read`.');

/** Maximum brokers that went up, and also that went down. */
const MOST_MOVERS = 20;
/** Maximum corrections of a page. */
const MOST_CORRECTIONS = 100;

const DayScore = ShortScore.extend({ date: CalendarDate, entry: EntryNumber.describe('The entry of the day.') }).meta({
  id: 'DayScore',
  description: 'A score at 00:00 UTC of a day.',
});

/** A broker whose score changed. */
export const Mover = z
  .object({
    slug: Slug,
    change: z.number().describe('Points, with the sign.'),
    from: DayScore,
    to: DayScore,
    causes: z
      .array(z.object({ ...entryPlace, reply }).meta({ id: 'MoverCause' }))
      .describe('Entries about it in between, newest first. None: time passed, or a tier or the methodology changed.'),
    more: z.boolean().describe('Whether there are more entries than these.'),
    citation,
  })
  .meta({ id: 'Mover', description: 'A broker whose score changed.' });

/** The largest changes of scores. */
export const Movers = z
  .object({
    from: CalendarDate.describe('The first day with scores that is not before the one asked for.'),
    to: CalendarDate.describe('The last day with scores.'),
    up: z.array(Mover).describe('The largest rises, the largest first.'),
    down: z.array(Mover).describe('The largest falls, the largest first.'),
  })
  .meta({ id: 'Movers', description: 'The largest changes of scores between two days.' });
export type Movers = z.infer<typeof Movers>;

const Value = z.record(z.string(), z.unknown()).nullable();

/** Something that was published and is not any more. */
export const Correction = z
  .object({
    ...entryPlace,
    broker: Slug.nullable().describe('Current slug of the broker that it is about; null: none.'),
    before: Value.describe('What was published under the key; null: nothing.'),
    after: Value.describe('What is published under it from then on; null: nothing.'),
    reply,
    citation,
  })
  .meta({ id: 'Correction', description: 'An entry that corrects what was published, with both versions.' });

/** Corrections since a day. */
export const Corrections = z
  .object({
    data: z.array(Correction).describe('Oldest first.'),
    next: EntryNumber.nullable().describe('`from` of the next page; null: this is the last one.'),
  })
  .meta({ id: 'Corrections', description: 'Corrections since a day.' });
export type Corrections = z.infer<typeof Corrections>;

const metadata = enterpriseMeta('media:read', 'record');

/** Routes for those who report. */
export const enterpriseMedia = {
  movers: {
    method: 'GET',
    path: '/movers',
    summary: 'The largest changes of scores since a day',
    query: z.strictObject({
      since: CalendarDate.describe('The day to compare the last one with.'),
      limit: QueryInteger(1, MOST_MOVERS).default(10).describe('Most brokers in each direction.'),
    }),
    responses: { 200: Movers, ...problems(...AUTH_PROBLEMS, 'not_found') },
    metadata,
  },
  corrections: {
    method: 'GET',
    path: '/corrections',
    summary: 'What was corrected or taken back since a day',
    query: z.strictObject({
      since: CalendarDate.describe('Entries from 00:00 UTC of this day on.'),
      from: QueryInteger(0, MOST_NUMBER).default(0).describe('The first number: `next` of the page before.'),
      limit: QueryInteger(1, MOST_CORRECTIONS).default(50).describe('Most corrections of a page. It can have fewer.'),
    }),
    responses: { 200: Corrections, ...problems(...AUTH_PROBLEMS) },
    metadata,
  },
} as const satisfies RouteGroup;
