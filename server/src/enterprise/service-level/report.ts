import type { ServiceLevelReport } from '@broker-transparency/contract/enterprise';
import {
  type MeasuredDay,
  OBJECTIVES,
  type Objectives,
  objectivesFor,
  type ServiceLevelDay,
  type ServiceLevelMonth,
} from '@broker-transparency/service-level';
import { findFirstMinute, readMeasured } from '../../features/service-level/facts.ts';
import { findEntriesByKey } from '../../ledger/record/read.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { buildMonthReport, computeAlertSpan, findMonthProgress, isRunning, type MonthProgress } from './month.rule.ts';

const KEY = 'service-level/';

/** Returns the record's entries about a month and its days, by month or day. */
const readMonthEntries = async (db: Db, month: string) => {
  const days = Array.from({ length: 31 }, (_, at) => `${KEY}${month}-${String(at + 1).padStart(2, '0')}`);
  const found = await findEntriesByKey(db, {
    keys: [`${KEY}${month}`, ...days],
    prefixes: [],
    below: Number.POSITIVE_INFINITY,
  });
  return new Map(found.map(({ key, number, value }) => [key.slice(KEY.length), { number, value }]));
};

const parseEntry = <T>(text: string | null | undefined): T | undefined => (text ? (JSON.parse(text) as T) : undefined);

const readMonth = async (db: Db, at: MonthProgress, began: string, now: Date): Promise<ServiceLevelReport> => {
  const [{ days }, lately, entries] = await Promise.all([
    readMeasured(db, at.span.from, at.span.to),
    isRunning(at) ? readAlertDays(db, began, now) : [],
    readMonthEntries(db, at.month),
  ]);
  const final = parseEntry<ServiceLevelMonth>(entries.get(at.month)?.value);
  const first = parseEntry<ServiceLevelDay>(days.map(({ date }) => entries.get(date)?.value).find(Boolean));
  const version = final?.objectives ?? first?.objectives ?? objectivesFor(at.month);
  const numbers = new Map([...entries].map(([name, { number }]) => [name, number]));
  const objectives = OBJECTIVES[version] as Objectives;
  return buildMonthReport({ ...at, days, lately, began, version, objectives, entries: numbers, final }, now);
};

/** Returns the days that alerts cover. */
export const readAlertDays = async (db: Db, began: string, now: Date): Promise<readonly MeasuredDay[]> => {
  const { from, to } = computeAlertSpan(began, now);
  return from < to ? (await readMeasured(db, from, to)).days : [];
};

/** Returns true if the figures of a month are final, so that a report from before is outdated. */
const isSealed = async (db: Db, month: string): Promise<boolean> =>
  (await findEntriesByKey(db, { keys: [`${KEY}${month}`], prefixes: [], below: Number.POSITIVE_INFINITY })).length > 0;

/** Maximum number of months that are kept. */
const MOST_KEPT = 24;

/**
 * Creates the function that returns the report of a month, or a sentence if nothing of it counts. A report is built at
 * most once a minute, and a final one only once.
 */
export const createReadReport = (db: Db, clock: Clock) => {
  /** Reports by month, with the minute for which they hold. */
  const kept = new Map<string, { readonly minute: number; readonly report: Promise<ServiceLevelReport> }>();
  return async (month: string): Promise<ServiceLevelReport | string> => {
    const now = clock();
    const minute = Math.floor(now.getTime() / 60_000);
    const known = kept.get(month);
    if (known?.minute === minute && ((await known.report).isFinal || !(await isSealed(db, month)))) return known.report;
    const began = await findFirstMinute(db);
    const at = findMonthProgress(month, began, now);
    if (typeof at === 'string') return at;
    const report = readMonth(db, at, began as string, now);
    kept.delete(month);
    kept.set(month, { minute, report });
    for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest);
    report.catch(() => kept.get(month)?.report === report && kept.delete(month));
    return report;
  };
};
