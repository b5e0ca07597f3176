import { type BurnState, MOST_OUTAGES, type MonthFigures } from '@broker-transparency/service-level';
import * as z from 'zod';
import { EntryNumber } from '../entry-fields.ts';
import { CalendarDate, Extensible, Month } from '../primitives.ts';
import { AUTH_PROBLEMS, problems } from '../problem.ts';
import type { RouteGroup } from '../route.ts';
import { enterpriseMeta } from './metadata.ts';

const Count = z.int().min(0);
const Minute = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/)
  .meta({ id: 'Minute', description: 'A minute in UTC.', examples: ['2026-11-23T10:05Z'] });
const Ms = Count.describe('Milliseconds.');
const Rate = z.number().min(0).describe('How many times faster than the whole month allows.');

/** A measured speed beside its objective. */
export const SpeedReport = z
  .object({
    percentile: z.union([z.literal(95), z.literal(99)]),
    limitMs: Ms.describe('What the percentile must not exceed.'),
    count: Count.describe('Number of measurements.'),
    ms: Ms.nullable().describe('The percentile of them, by nearest rank; null: nobody measured it.'),
    isMet: z.boolean().nullable().describe('null: nobody measured it.'),
  })
  .meta({ id: 'SpeedReport', description: 'How fast something was, beside what is promised.' });

const ServiceLevelFigures = z
  .object({
    from: Minute.describe('The first minute that counts.'),
    to: Minute.describe('The first minute after those that count.'),
    minutes: Count,
    up: Count.describe('Minutes in which more than half of the probers with a vote found the service up.'),
    unmeasured: Count.describe('Minutes that no prober measured. They count as down.'),
    availability: z.number().nullable().describe('`up` of `minutes`, rounded down to six digits; null: none counts.'),
    isMet: z.boolean().nullable(),
    speeds: z.object({
      publicReads: SpeedReport,
      enterpriseReads: SpeedReport,
      freshness: SpeedReport,
      webhooks: SpeedReport,
    }),
    credit: Count.describe("Part of the month's price that is credited for these minutes alone, in hundredths."),
  })
  .meta({ id: 'ServiceLevelFigures', description: 'What the results of all probers come to.' });

/** The service level of a month. */
export const ServiceLevelReport = z
  .object({
    month: Month,
    objectives: z.string().describe('Version of the objectives that count.'),
    isFinal: z.boolean().describe('Whether nothing can change any more: the figures are an entry of the record.'),
    entry: EntryNumber.nullable().describe('Number of this entry; null: the month is not final.'),
    figures: ServiceLevelFigures,
    budget: z
      .object({
        minutes: Count.describe('Minutes of the whole month that may be down.'),
        spent: Count.describe('Minutes that were.'),
        left: z.int().describe('Minutes that still may be; below zero: the promise is not kept.'),
        credit: Count.describe('Credit that is certain even if every other minute of the month is up, in hundredths.'),
      })
      .describe('The error budget.'),
    burn: z
      .array(
        z
          .object({
            name: z.string().describe('`fast` or `slow`.'),
            severity: Extensible(z.enum(['page', 'ticket'])),
            rate: Rate.describe('Both windows must be above it.'),
            longMinutes: Count,
            shortMinutes: Count,
            longRate: Rate,
            shortRate: Rate,
            isFiring: z.boolean(),
          })
          .meta({ id: 'BurnReport', description: 'How fast the error budget is spent in two windows.' }),
      )
      .describe('The alerts as they are now; none for a month that is over.'),
    outages: z
      .array(
        z
          .object({
            from: Minute.describe('The first minute that was not up.'),
            to: Minute.describe('The first one that was again, or that does not count.'),
            minutes: Count,
            unmeasured: Count.describe('How many of them no prober measured.'),
          })
          .meta({ id: 'Outage', description: 'Consecutive minutes that were not up.' }),
      )
      .describe(`Oldest first, at most ${MOST_OUTAGES}; none where the results of a final month are no longer kept.`),
    moreOutages: Count.describe('Number of later ones that are left out.'),
    probers: z
      .array(
        z
          .object({
            name: z.string(),
            votes: Count.describe('Minutes in which it had a vote.'),
            measured: Count.describe('Minutes among them that it has a result about.'),
            up: Count.describe('Minutes among these in which it found the service up.'),
          })
          .meta({ id: 'ProberShare', description: 'What a prober contributed.' }),
      )
      .describe('Those that had a vote, by name; none where results are no longer kept.'),
    days: z
      .array(
        z
          .object({
            date: CalendarDate,
            minutes: Count.describe('Minutes that count.'),
            up: Count,
            unmeasured: Count,
            entry: EntryNumber.nullable().describe(
              'Number of its entry of the record; null: results can still arrive.',
            ),
          })
          .meta({ id: 'ServiceLevelDay', description: 'The minutes of a day.' }),
      )
      .describe('Days with minutes that count, oldest first; none where results are no longer kept.'),
  })
  .meta({ id: 'ServiceLevelReport', description: 'How the service level of a month is.' });
export type ServiceLevelReport = z.infer<typeof ServiceLevelReport>;

/** Answers have exactly what the arithmetic gives. */
type Same<A, B> = A extends B ? (B extends A ? true : never) : never;
true satisfies Same<z.infer<typeof ServiceLevelFigures>, MonthFigures>;
true satisfies BurnState extends ServiceLevelReport['burn'][number] ? true : never;

/** The service level, as probers elsewhere measure it. */
export const enterpriseServiceLevel = {
  report: {
    method: 'GET',
    path: '/service-level',
    summary: 'The service level of a month: availability, error budget, alerts, speeds, outages and credit',
    query: z.strictObject({ month: Month.optional().describe('The month. Default: the current one.') }),
    responses: { 200: ServiceLevelReport, ...problems('not_found', ...AUTH_PROBLEMS) },
    metadata: enterpriseMeta('account:read'),
  },
} as const satisfies RouteGroup;
