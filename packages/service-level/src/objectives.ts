/** Part of its measurements, in hundredths, that must not take longer than a limit. */
export interface SpeedObjective {
  readonly percentile: 95 | 99;
  readonly limitMs: number;
}

/** The objectives of the service, and their method of counting. */
export interface Objectives {
  /** The first month that they count for, `YYYY-MM`, up to that of the next version. */
  readonly from: string;
  /** Thousandths of the minutes of a month in which the service must be up. Nothing is excluded. */
  readonly availability: number;
  /** Reads of the public API, measured at the prober. */
  readonly publicReads: SpeedObjective;
  /** Reads of the enterprise API. */
  readonly enterpriseReads: SpeedObjective;
  /** From the commit of a change until the feed has it. */
  readonly freshness: SpeedObjective;
  /** From the commit of a change until a webhook about it arrives. */
  readonly webhooks: SpeedObjective;
  /** A month's price that is credited, in hundredths, if fewer than these thousandths of its minutes were up. */
  readonly credits: readonly { readonly below: number; readonly percent: number }[];
}

/** All versions of the objectives. A month is counted by the version that its days name. */
export const OBJECTIVES: Readonly<Record<string, Objectives>> = {
  '2026-1': {
    from: '2026-01',
    availability: 999,
    publicReads: { percentile: 95, limitMs: 300 },
    enterpriseReads: { percentile: 95, limitMs: 500 },
    freshness: { percentile: 99, limitMs: 2000 },
    webhooks: { percentile: 99, limitMs: 60_000 },
    credits: [
      { below: 999, percent: 10 },
      { below: 990, percent: 25 },
      { below: 950, percent: 50 },
    ],
  },
};
/** The version that is promised now. */
export const OBJECTIVES_VERSION = '2026-1';

/**
 * Returns the version that counts for a month: a new one never reaches back, and the first one counts for all before.
 * @param month `YYYY-MM`
 * @example objectivesFor('2026-11') // '2026-1'
 */
export const objectivesFor = (month: string, all: Readonly<Record<string, Pick<Objectives, 'from'>>> = OBJECTIVES) => {
  const versions = Object.keys(all);
  return (versions.findLast((version) => (all[version]?.from ?? '') <= month) ?? versions[0]) as string;
};

/** Minutes after which a result is expected to have arrived. Younger minutes are in no report. */
export const SETTLE_MINUTES = 3;
/** Days after the end of a day during which its results can still be delivered. Then its root is in the record. */
export const SEAL_AFTER_DAYS = 3;

/** A pair of windows in which the error budget is spent so fast that somebody must act. */
export interface BurnAlert {
  readonly name: string;
  readonly severity: 'page' | 'ticket';
  /** Multiple of the speed that the whole month allows. */
  readonly rate: number;
  readonly longMinutes: number;
  readonly shortMinutes: number;
}

/** The alerts. Each fires while both windows are above its rate. */
export const BURN_ALERTS: readonly BurnAlert[] = [
  { name: 'fast', severity: 'page', rate: 14.4, longMinutes: 60, shortMinutes: 5 },
  { name: 'slow', severity: 'ticket', rate: 6, longMinutes: 360, shortMinutes: 30 },
];

/** Returns the windows of all alerts in minutes, by the names that labels have. */
export const burnWindows = (): ReadonlyMap<string, number> =>
  new Map(
    BURN_ALERTS.flatMap(({ longMinutes, shortMinutes }) => [longMinutes, shortMinutes]).map((minutes) => [
      minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`,
      minutes,
    ]),
  );
