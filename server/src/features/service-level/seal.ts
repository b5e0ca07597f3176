import { entryKey } from '@broker-transparency/contract/record';
import {
  computeResultsRoot,
  type DayProber,
  hasVoteOn,
  monthFigures,
  monthSpan,
  OBJECTIVES,
  type Objectives,
  objectivesFor,
  type ProbeResult,
  SEAL_AFTER_DAYS,
  type ServiceLevelDay,
  type ServiceLevelMonth,
} from '@broker-transparency/service-level';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { hasEntry } from '../../ledger/record/read.ts';
import { sha256 } from '../../platform/sha256.rule.ts';
import { datesBetween } from './dates.rule.ts';
import {
  findFirstMinute,
  listProbers,
  listSealedDays,
  listSealedMonths,
  type RegisteredProber,
  readMeasured,
} from './facts.ts';
import { KEPT_DAYS } from './policy.rule.ts';
import * as store from './store.ts';

const DAY_MS = 86_400_000;

const formatDate = (time: number): string => new Date(time).toISOString().slice(0, 10);
const toMidnight = (date: string): string => `${date}T00:00:00.000Z`;

const parseResults = (text: string): ProbeResult[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Number of days in one transaction. A week of three probers has 14 MB of lines. */
const AT_ONCE = 7;

/** Adds the results of a day to the record once. The day takes no more deliveries. */
const sealDay = async (c: TxContext, date: string, all: readonly RegisteredProber[]): Promise<boolean> => {
  const key = entryKey('service-level', date);
  if (await hasEntry(key, c.tx)) return false;
  const probers: DayProber[] = [];
  const results: ProbeResult[][] = [];
  for (const prober of all) {
    if (!hasVoteOn(prober, date)) continue;
    const { name, key: ofProber, since, until } = prober;
    const { lines, head } = await store.sealDay(date, name, c.tx);
    probers.push({ name, key: ofProber, since, ...(until === undefined ? {} : { until }), lines, head });
    results.push(lines === 0 ? [] : parseResults(await store.readText(c.db, date, name, c.tx)));
  }
  const value: ServiceLevelDay = {
    date,
    objectives: objectivesFor(date.slice(0, 7)),
    probers,
    root: computeResultsRoot(results, sha256),
  };
  c.publish({
    kind: 'service-level',
    key,
    subject: key,
    value: { ...value },
    validFrom: toMidnight(date),
    cause: 'day',
  });
  return true;
};

/** Adds the results of some days to the record. Returns the days that are new there. */
const sealDays = (context: Context, dates: readonly string[]): Promise<string[]> =>
  inTransaction(context, async (c) => {
    const probers = await listProbers(c.db, c.tx);
    const added: string[] = [];
    for (const date of dates) if (await sealDay(c, date, probers)) added.push(date);
    return added;
  });

/** Returns the months since the beginning of the service level whose days are all sealed. */
const listWholeMonths = (began: string, sealed: ReadonlySet<string>): string[] => {
  const last = [...sealed].sort().at(-1);
  if (last === undefined) return [];
  const months = new Set(datesBetween(began.slice(0, 10), last).map((date) => date.slice(0, 7)));
  return [...months].filter((month) => listMonthDays(month, began).every((date) => sealed.has(date)));
};

/** Returns the part of a month that counts, from the beginning of the service level. */
const computeSpan = (month: string, began: string) => {
  const { from, to } = monthSpan(month);
  return { from: from < began ? began : from, to };
};

const listMonthDays = (month: string, began: string): string[] => {
  const { from, to } = computeSpan(month, began);
  return datesBetween(from.slice(0, 10), formatDate(Date.parse(to) - 1));
};

const sealMonth = async (context: Context, month: string, began: string): Promise<void> => {
  const { from, to } = computeSpan(month, began);
  const { days } = await readMeasured(context.db, from, to);
  const version = objectivesFor(month);
  const figures = monthFigures({ days, from, to, objectives: OBJECTIVES[version] as Objectives });
  const value: ServiceLevelMonth = { month, objectives: version, ...figures };
  await inTransaction(context, async (c) => {
    const key = entryKey('service-level', month);
    if (await hasEntry(key, c.tx)) return;
    c.publish({
      kind: 'service-level',
      key,
      subject: key,
      value: { ...value },
      validFrom: toMidnight(`${month}-01`),
      cause: 'day',
    });
  });
};

/** The days and months that a night added. */
export interface SealReport {
  readonly days: readonly string[];
  readonly months: readonly string[];
}

/**
 * Adds to the record each day whose time for deliveries is over, and each month that this completes. Then deletes old
 * lines.
 */
export const sealServiceLevel = async (context: Context, signal?: AbortSignal): Promise<SealReport> => {
  const began = await findFirstMinute(context.db);
  if (began === undefined) return { days: [], months: [] };
  const now = context.clock().getTime();
  const known = new Set(await listSealedDays(context.db));
  const days: string[] = [];
  const last = formatDate(now - (SEAL_AFTER_DAYS + 1) * DAY_MS);
  const due = datesBetween(began.slice(0, 10), last).filter((date) => !known.has(date));
  for (let at = 0; at < due.length; at += AT_ONCE) {
    signal?.throwIfAborted();
    days.push(...(await sealDays(context, due.slice(at, at + AT_ONCE))));
  }
  const sealed = new Set([...known, ...days]);
  const done = new Set(await listSealedMonths(context.db));
  const months = listWholeMonths(began, sealed).filter((month) => !done.has(month));
  for (const month of months) {
    signal?.throwIfAborted();
    await sealMonth(context, month, began);
  }
  await store.deleteLinesBefore(context.db, formatDate(now - KEPT_DAYS * DAY_MS));
  return { days, months };
};
