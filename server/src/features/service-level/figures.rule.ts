import {
  CHECKS,
  DAY_MINUTES,
  type Measurement,
  minuteNumber,
  minuteText,
  type ProbeResult,
} from '@broker-transparency/service-level';

/* The figures of a line, in a tenth of its size, because a report reads a month of them at once. */

/** The minute of the day, the duration of each check (negative if it failed), freshness and webhook. */
type FigureRow = readonly (number | null)[];

const toFigureRow = ({ minute, checks, freshnessMs, webhookMs }: ProbeResult): FigureRow => [
  minuteNumber(minute) % DAY_MINUTES,
  ...CHECKS.map((name) => {
    const check = checks[name];
    if (!check) return null;
    return check.ok ? check.ms : -1 - check.ms;
  }),
  freshnessMs ?? null,
  webhookMs ?? null,
];

/** Returns the figures of these lines as a text. The texts of one day can be joined by commas. */
export const packFigures = (results: readonly ProbeResult[]): string =>
  results.map((result) => JSON.stringify(toFigureRow(result))).join();

const toChecks = (times: FigureRow): Measurement['checks'] =>
  Object.fromEntries(
    CHECKS.flatMap((name, at) => {
      const ms = times[at];
      if (ms === null || ms === undefined) return [];
      return [[name, ms < 0 ? { ok: false, ms: -1 - ms } : { ok: true, ms }]];
    }),
  );

/** Returns the figures of a day's lines. */
export const unpackFigures = (date: string, figures: string): Measurement[] => {
  const midnight = minuteNumber(`${date}T00:00Z`);
  return (JSON.parse(`[${figures}]`) as FigureRow[]).map(([minute, ...rest]) => {
    const [freshnessMs, webhookMs] = rest.slice(CHECKS.length);
    return {
      minute: minuteText(midnight + (minute as number)),
      checks: toChecks(rest),
      ...(typeof freshnessMs === 'number' ? { freshnessMs } : {}),
      ...(typeof webhookMs === 'number' ? { webhookMs } : {}),
    };
  });
};
