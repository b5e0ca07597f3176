import * as z from 'zod';

/** Bounds of what the page shows. A service sends less; a prober believes no more. */
export const SHOWN = { days: 90, incidents: 50, outages: 50, updates: 50, probers: 100 } as const;
/** Minutes after which figures no longer say how the service is now. */
export const STALE_MINUTES = 5;

const Time = z.iso.datetime().or(z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/));
const Count = z.int().min(0);
const Name = z.string().min(1).max(40);

const MeasuredOutage = z.object({ from: Time, to: Time, minutes: Count, unmeasured: Count });

/** How the service is. */
const Seen = z.object({
  state: z.enum(['up', 'down', 'unknown']),
  /** The newest minute that is decided; null: none is. */
  minute: Time.nullable(),
  /** The first minute of this state; null: it has no beginning that is known. */
  since: Time.nullable(),
  /** How many probers say so, of those with a vote. */
  said: Count,
  of: Count,
});
export type CurrentState = z.infer<typeof Seen>;

/** A day of the chart. Minutes that do not count yet, or did not, are in none of its numbers. */
const StatusDay = z.object({ date: z.iso.date(), minutes: Count, up: Count, unmeasured: Count });
export type StatusDay = z.infer<typeof StatusDay>;

const StatusIncident = z.object({
  id: Name,
  title: z.string().max(10_000),
  from: Time,
  /** null: it goes on. */
  to: Time.nullable(),
  /** Oldest first. */
  updates: z.array(z.object({ at: Time, text: z.string().max(10_000) })).max(SHOWN.updates),
  /** What the probers saw meanwhile; null: nobody measured then. */
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
  /** Thousandths of minutes that are promised. */
  promised: z.number(),
  /** Minutes that may be lost, of all that count in the whole month. */
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
  /** Where the service is, without a trailing slash. */
  service: z.url({ protocol: /^https?$/ }).max(300),
  /** Who made this page. */
  source: z.enum(['service', 'prober']),
  /** When this page was made. */
  shownAt: Time,
  /** When the service read its figures; null: it never did. */
  generatedAt: Time.nullable(),
  /** By a majority of the probers. */
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
  /** How many more there are. */
  moreUnexplained: Count,
  /** What the prober sees by itself that serves this page. */
  prober: z
    .object({
      name: Name,
      now: Seen,
      /** What it found down since the figures of the service, newest first. */
      outages: z.array(MeasuredOutage).max(SHOWN.outages),
    })
    .nullable(),
});
/** All that the page shows. `/status.json` is this. */
export type StatusState = z.infer<typeof StatusState>;

/** Reads a `/status.json`. Returns undefined if it is none. */
export const readStatus = (text: string): StatusState | undefined => {
  try {
    return StatusState.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
};
