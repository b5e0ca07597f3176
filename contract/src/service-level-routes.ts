import { ProbeResult } from '@broker-transparency/service-level';
import * as z from 'zod';
import { EntryNumber } from './entry-fields.ts';
import { meta } from './metadata.ts';
import { CalendarDate, NoQuery, Timestamp } from './primitives.ts';
import { problems } from './problem.ts';
import type { RouteGroup } from './route.ts';

/** An entry of the record about the service itself. */
export const ServiceLevelEntry = z
  .object({
    number: EntryNumber.describe('Its number in the record.'),
    time: Timestamp.describe('When it got its number.'),
    value: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What the record says.', examples: [{ date: '2026-11-23', objectives: '2026-1' }] }),
    proof: z
      .string()
      .optional()
      .describe(
        'The proof as a text file (c2sp.org/tlog-proof), which `broker-transparency verify` checks; absent until a ' +
          'signed checkpoint covers the entry.',
      ),
  })
  .meta({ id: 'ServiceLevelEntry', description: 'An entry of the record about a day or a month of the service.' });
export type ServiceLevelEntry = z.infer<typeof ServiceLevelEntry>;

const Minute = ProbeResult.shape.minute.meta({ examples: ['2026-11-23T10:05Z'] });

/** A mark that a prober wants to find in the feed. */
export const CanaryMark = z
  .strictObject({
    mark: Minute.describe('The minute in which it is written.'),
    signature: z
      .string()
      .regex(/^[A-Za-z0-9+/]{86}==$/, 'must be an Ed25519 signature in base64')
      .meta({
        description: 'By the key of the prober, over `canary <prober> <mark>`.',
        examples: [`${'A'.repeat(86)}==`],
      }),
  })
  .meta({ id: 'CanaryMark', description: 'A mark with the signature of the prober.' });
export type CanaryMark = z.infer<typeof CanaryMark>;

const Name = ProbeResult.shape.prober.meta({ description: 'Its registered name.', examples: ['frankfurt-1'] });

const Day = CalendarDate.meta({ description: 'The day, in UTC.', examples: ['2026-11-23'] });

const Month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11')
  .meta({ description: 'The month, in UTC.', examples: ['2026-11'] });

const RAW =
  'The results themselves are NDJSON at `/service-level/results/{prober}/{date}`: GET reads the lines of a prober and ' +
  'day, and POST with `application/x-ndjson` is how the prober delivers the next ones.';

/** The mark that is in the record. */
export const WrittenMark = z
  .object({ mark: Minute.describe('The minute that the prober named.') })
  .meta({ id: 'WrittenMark', description: 'The mark that is in the record now.' });
export type WrittenMark = z.infer<typeof WrittenMark>;

/** Routes by which anybody can check the service level. */
export const serviceLevelRoutes = {
  day: {
    method: 'GET',
    path: '/service-level/days/:date',
    summary: 'What probers saw on a day, as the record has it, with its proof',
    description: RAW,
    pathParams: z.strictObject({ date: Day }),
    query: NoQuery,
    responses: { 200: ServiceLevelEntry, ...problems('not_found') },
    metadata: meta({ access: 'public', limit: 'history', cache: 'none' }),
  },
  month: {
    method: 'GET',
    path: '/service-level/months/:month',
    summary: 'The final figures of a month, as the record has them, with their proof',
    description: 'A month is final three days after its end. Until then the answer is 404.',
    pathParams: z.strictObject({ month: Month }),
    query: NoQuery,
    responses: { 200: ServiceLevelEntry, ...problems('not_found') },
    metadata: meta({ access: 'public', limit: 'history', cache: 'none' }),
  },
  canary: {
    method: 'POST',
    path: '/service-level/canary/:prober',
    summary: 'Write a mark into the record, by which a prober sees how fast the feed is',
    description: 'Only a registered prober can write one: the mark is signed with its key.',
    pathParams: z.strictObject({ prober: Name }),
    query: NoQuery,
    body: CanaryMark,
    responses: {
      200: WrittenMark,
      ...problems('not_found', 'state_conflict', 'malformed_json', 'content_too_large', 'unsupported_media_type'),
    },
    metadata: meta({ access: 'public', limit: 'history', cache: 'none' }),
  },
} as const satisfies RouteGroup;
