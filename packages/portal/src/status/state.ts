import * as z from 'zod';

/** Limits of the page's contents. The service stays below them; a prober accepts no more. */
export const SHOWN = { days: 90, incidents: 50, outages: 50, updates: 50, probers: 100 } as const;
/** Age in minutes from which figures no longer show the current state. */
export const STALE_MINUTES = 5;

const Time = z.iso.datetime().or(z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/));
const Count = z.int().min(0);
const Name = z.string().min(1).max(40);

const MeasuredOutage = z.object({ from: Time, to: Time, minutes: Count, unmeasured: Count });

/** State of the service. */
const Seen = z.object({
  state: z.enum(['up', 'down', 'unknown']),
  /** The newest decided minute; null if there is none. */
  minute: Time.nullable(),
  /** The first minute of this state; null if unknown. */
  since: Time.nullable(),
  /** Number of probers that support it, among those with a vote. */
  said: Count,
  of: Count,
});
export type CurrentState = z.infer<typeof Seen>;

/** A day of the chart. Minutes that do not count are in none of its numbers. */
const StatusDay = z.object({ date: z.iso.date(), minutes: Count, up: Count, unmeasured: Count });
export type StatusDay = z.infer<typeof StatusDay>;

const StatusIncident = z.object({
  id: Name,
  title: z.string().max(10_000),
  from: Time,
  /** null: the incident continues. */
  to: Time.nullable(),
  /** Oldest first. */
  updates: z.array(z.object({ at: Time, text: z.string().max(10_000) })).max(SHOWN.updates),
  /** Outages that the probers measured meanwhile; null: nobody measured then. */
  measured: z.array(MeasuredOutage).max(SHOWN.outages).nullable(),
});
export type StatusIncident = z.infer<typeof StatusIncident>;

const Speed = z.object({
  percentile: z.number(),
  limitMs: z.number(),
  count: Count,
  ms: z.number().nullable(),
  isMet: z.boolean().nullable(),
});

const StatusMonth = z.object({
  month: z.string().regex(/^\d{4}-\d\d$/),
  /** Promised availability, in thousandths. */
  promised: z.number(),
  /** Minutes that may be lost, among all that count in the whole month. */
  allowed: z.number(),
  minutes: Count,
  up: Count,
  unmeasured: Count,
  availability: z.number().nullable(),
  isMet: z.boolean().nullable(),
  speeds: z.object({ publicReads: Speed, enterpriseReads: Speed, freshness: Speed, webhooks: Speed }),
});
export type StatusMonth = z.infer<typeof StatusMonth>;

const StatusState = z.object({
  /** Base URL of the service, without a trailing slash. */
  service: z.url({ protocol: /^https?$/ }).max(300),
  /** Maker of this page. */
  source: z.enum(['service', 'prober']),
  /** Time at which this page was made. */
  shownAt: Time,
  /** Time at which the service read its figures; null if never. */
  generatedAt: Time.nullable(),
  /** State by a majority of the probers. */
  now: Seen,
  /** Probers with a vote, and the newest minute that each reported. */
  probers: z.array(z.object({ name: Name, minute: Time.nullable() })).max(SHOWN.probers),
  /** Oldest first. */
  days: z.array(StatusDay).max(SHOWN.days),
  month: StatusMonth.nullable(),
  /** Newest first. */
  incidents: z.array(StatusIncident).max(SHOWN.incidents),
  /** Measured outages that no incident explains, newest first. */
  unexplained: z.array(MeasuredOutage).max(SHOWN.outages),
  /** Number of further ones. */
  moreUnexplained: Count,
  /** State seen by the prober that serves this page. */
  prober: z
    .object({
      name: Name,
      now: Seen,
      /** Outages that it measured since the service's figures, newest first. */
      outages: z.array(MeasuredOutage).max(SHOWN.outages),
    })
    .nullable(),
});
/** The data of the page, as in `/status.json`. */
export type StatusState = z.infer<typeof StatusState>;

/** Parses a `/status.json`. Returns undefined if it is invalid. */
export const readStatus = (text: string): StatusState | undefined => {
  try {
    return StatusState.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
};
