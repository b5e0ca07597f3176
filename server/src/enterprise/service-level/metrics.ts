import {
  burnRate,
  burnWindows,
  computeStates,
  type MeasuredDay,
  minuteNumber,
  OBJECTIVES,
  OBJECTIVES_VERSION,
  type Objectives,
} from '@broker-transparency/service-level';
import { findFirstMinute, listProbers } from '../../features/service-level/facts.ts';
import type { ModuleMetrics } from '../../ledger/define-module.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import type { Sample } from '../../platform/observe/counted.ts';
import { formatMonth } from '../usage/quota.rule.ts';
import { computeAlertSpan } from './month.rule.ts';
import { createReadReport, readAlertDays } from './report.ts';

/** Milliseconds for which one read of the last hours is reused. */
const KEPT_MS = 30_000;
/** Milliseconds for which a read of a whole month is reused. It costs as much as a report. */
const MONTH_KEPT_MS = 600_000;

const objectives = OBJECTIVES[OBJECTIVES_VERSION] as Objectives;

/** Returns a function that reads at most once in `ms`; it resolves to `none` if reading fails. */
const createCachedRead = <T>(ms: number, none: T, read: () => Promise<T>): (() => Promise<T>) => {
  let known: Promise<T> | undefined;
  let at = 0;
  return () => {
    if (known === undefined || performance.now() - at > ms) [known, at] = [read().catch(() => none), performance.now()];
    return known;
  };
};

const findLastMinutes = (days: readonly MeasuredDay[]): ReadonlyMap<string, number> => {
  const last = new Map<string, number>();
  for (const { name, results } of days.flatMap(({ probers }) => probers))
    for (const { minute } of results) last.set(name, Math.max(last.get(name) ?? 0, minuteNumber(minute) * 60));
  return last;
};

interface ServiceLevelSamples {
  readonly rates: readonly Sample[];
  readonly probers: readonly Sample[];
}
const NOTHING: ServiceLevelSamples = { rates: [], probers: [] };

const readSamples = async (db: Db, clock: Clock): Promise<ServiceLevelSamples> => {
  const [began, now] = [await findFirstMinute(db), clock()];
  if (began === undefined) return NOTHING;
  const span = computeAlertSpan(began, now);
  const [days, probers] = await Promise.all([readAlertDays(db, began, now), listProbers(db)]);
  const states = computeStates({ days, ...span });
  const last = findLastMinutes(days);
  const seconds = (minute: string): number => minuteNumber(minute) * 60;
  return {
    rates: [...burnWindows()].map(([window, minutes]) => ({
      labels: { window },
      value: burnRate(states, minutes, objectives),
    })),
    probers: probers
      .filter(({ until }) => until === undefined)
      .map(({ name, since }) => ({
        labels: { prober: name },
        value: last.get(name) ?? Math.max(seconds(since), seconds(span.from)),
      })),
  };
};

/** Publishes the service level. Every process that runs this reports the same values. */
export const watchServiceLevel: ModuleMetrics = (db, { metrics: { register }, clock }) => {
  const lately = createCachedRead(KEPT_MS, NOTHING, () => readSamples(db, clock));
  const readReport = createReadReport(db, clock);
  const month = createCachedRead(MONTH_KEPT_MS, undefined, async () => {
    const report = await readReport(formatMonth(clock()));
    return typeof report === 'string' ? undefined : report;
  });
  const registerGauge = (name: string, help: string, read: () => Promise<readonly Sample[]>): void =>
    register({ name, help, type: 'gauge', read });
  const toSamples = (value: number | null | undefined): Sample[] =>
    value === null || value === undefined ? [] : [{ labels: {}, value }];
  registerGauge(
    'broker_rating_service_level_burn_rate',
    'How many times faster than a month allows the error budget was spent, by window; missing without probers.',
    async () => (await lately()).rates,
  );
  registerGauge(
    'broker_rating_service_level_prober_timestamp_seconds',
    'The last minute that the prober delivered, within six hours.',
    async () => (await lately()).probers,
  );
  registerGauge(
    'broker_rating_service_level_up_ratio',
    'Share of the minutes of the month so far that were up; some minutes old, and missing without probers.',
    async () => toSamples((await month())?.figures.availability),
  );
  registerGauge(
    'broker_rating_service_level_budget_left_minutes',
    'Minutes of the month that may still be down; below zero: the promise is not kept. Some minutes old.',
    async () => toSamples((await month())?.budget.left),
  );
};
