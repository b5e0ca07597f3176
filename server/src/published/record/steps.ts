import type { HISTORY_PERIODS } from '@broker-transparency/contract';
import { findChangeStart, groupChanges } from '../../ledger/record/entry.rule.ts';
import * as record from '../../ledger/record/read.ts';
import type { Db } from '../../platform/mongo.ts';
import type { Lineage, ReachedSubtotals } from './lineage.ts';
import type { RecordedEntry } from './scores.rule.ts';
import { findEnds, findLast } from './subtotal-store.ts';
import { type Period, toPeriod } from './subtotals.rule.ts';

/** A part of a history. */
export interface StepsQuery {
  /** Only changes with an entry of the history at or above this number. */
  readonly from: number;
  /** Only changes without an entry at or above this number, and the last ones of them. */
  readonly before?: number | undefined;
  readonly per: (typeof HISTORY_PERIODS)[number];
  readonly limit: number;
}

/** Place of a step in the record. */
type StepPlace = Pick<RecordedEntry, 'number' | 'time'>;

export const byNumber = (a: { readonly number: number }, b: { readonly number: number }): number => a.number - b.number;

/** Returns the last step of each period. */
const selectLastSteps = (steps: readonly StepPlace[], period: Period): StepPlace[] =>
  steps.filter((step, at) => {
    const next = steps[at + 1];
    return !next || toPeriod(next, period) !== toPeriod(step, period);
  });

/** The entries of one change that affect the score of a broker, in order; at least one. */
export type BrokerChange = readonly RecordedEntry[];

/** A part of all steps. */
interface Steps {
  readonly page: readonly BrokerChange[];
  /** The step after these. */
  readonly after: BrokerChange | undefined;
  /** True if there are earlier steps; with `before`, only steps from `from` on count. */
  readonly hasOlder: boolean;
  /** Subtotals at these steps; undefined if each change is a step. */
  readonly reached?: ReachedSubtotals;
}

/** A page of steps. */
interface StepPage extends Pick<Steps, 'page' | 'reached'> {
  /** `from` of the next page; null if there is none. */
  readonly next: number | null;
  /** `before` of the previous page; null if there is none. */
  readonly previous: number | null;
}

const firstNumber = (change: BrokerChange | undefined): number | null => change?.[0]?.number ?? null;

const lastNumber = (change: BrokerChange): number => change.at(-1)?.number ?? -1;

/** Returns the steps that belong to no broker: changes of regulators and of the methodology. */
const collectOthers = ({ regulators, methodologies }: Lineage): readonly RecordedEntry[] => [
  ...regulators,
  ...methodologies,
];

/** Returns the first `count` changes with an entry of the history at or above a number, and the change after them. */
export const readChangesFrom = async (
  db: Db,
  lineage: Lineage,
  { from, below, count }: { readonly from: number; readonly below?: number | undefined; readonly count: number },
): Promise<{ readonly page: readonly BrokerChange[]; readonly after: BrokerChange | undefined }> => {
  const begin = findChangeStart(lineage.first);
  const filter = { subjects: lineage.counted, ...(below === undefined ? {} : { below }) };
  const own = await record.findChanges(db, { ...filter, from: Math.max(from, begin), order: 1 }, count);
  const others = collectOthers(lineage).filter(({ number }) => number >= begin && number < (below ?? Infinity));
  const isAsked = (change: BrokerChange): boolean => lastNumber(change) >= from;
  const first = groupChanges([...own, ...others]).find(isAsked)?.[0];
  const start = first ? findChangeStart(first) : from;
  const head =
    start < from && begin < from ? await record.findEntries(db, { ...filter, from: start, below: from }) : [];
  const changes = groupChanges([...head, ...own, ...others]).filter(isAsked);
  return { page: changes.slice(0, count), after: changes[count] };
};

/** Returns the last `limit` changes before a number, and the one after them. */
const readChangesBefore = async (
  db: Db,
  lineage: Lineage,
  { from, limit }: StepsQuery,
  before: number,
): Promise<Steps> => {
  const begin = findChangeStart(lineage.first);
  const [after] = (await readChangesFrom(db, lineage, { from: before, count: 1 })).page;
  const below = firstNumber(after) ?? before;
  const own = await record.findChanges(db, { subjects: lineage.counted, from: begin, below, order: -1 }, limit);
  const others = collectOthers(lineage).filter(({ number }) => number >= begin && number < below);
  const changes = groupChanges([...own, ...others]).filter((change) => lastNumber(change) >= from);
  return { page: changes.slice(-limit), after, hasOlder: changes.length > limit };
};

const readChangeSteps = async (db: Db, lineage: Lineage, asked: StepsQuery): Promise<Steps> => {
  const { before, limit: count, from } = asked;
  if (before !== undefined) return readChangesBefore(db, lineage, asked, before);
  const { page, after } = await readChangesFrom(db, lineage, { from, count });
  const first = firstNumber(page[0]);
  return { page, after, hasOlder: first !== null && first > lineage.first.number };
};

/** Returns subtotals at the ends of periods: enough for a page, of any of the brokers. */
const readEnds = async (db: Db, subjects: readonly string[], period: Period, { from, before, limit }: StepsQuery) => {
  const most = (limit + 2) * subjects.length;
  const find = (number: object, count: number, order: 1 | -1) =>
    findEnds(db, { subjects, period, number }, count, order);
  if (before === undefined) return find({ $gte: from }, most, 1);
  // the next one shows whether the last period continues
  return [...(await find({ $lt: before }, most, -1)), ...(await find({ $gte: before }, 1, 1))];
};

/** Reads complete changes by the last entry in each that affects the score of the broker. */
const readWholeChanges = async (db: Db, lineage: Lineage, lasts: readonly StepPlace[]): Promise<BrokerChange[]> => {
  const entries = await record.findNumbered(
    db,
    lasts.map(({ number }) => number),
  );
  const ranges = entries
    .filter(({ changeIndex }) => changeIndex > 0)
    .map((entry) => ({ from: findChangeStart(entry), below: entry.number }));
  const own = await record.findWithin(db, lineage.counted, ranges);
  const others = collectOthers(lineage).filter(({ number }) =>
    ranges.some(({ from, below }) => number >= from && number < below),
  );
  return groupChanges([...entries, ...own, ...others]);
};

const readPeriodSteps = async (db: Db, lineage: Lineage, period: Period, asked: StepsQuery): Promise<Steps> => {
  const { counted, first } = lineage;
  const begin = findChangeStart(first);
  const { limit } = asked;
  const from = Math.max(asked.from, begin);
  const before = asked.before === undefined ? undefined : Math.max(asked.before, begin);
  const open = new Map((await findLast(db, counted)).map((subtotal) => [subtotal.subject, subtotal]));
  const subtotals = await readEnds(db, counted, period, { ...asked, from, before });
  const rest = await Promise.all(
    counted.map((one) => record.findEntries(db, { subjects: [one], from: (open.get(one)?.number ?? -1) + 1 })),
  );
  const known = [...subtotals, ...rest.flat(), ...collectOthers(lineage)].filter(({ number }) => number >= begin);
  const steps = selectLastSteps(known.sort(byNumber), period);
  const kept = steps.filter(({ number }) => number >= from && number < (before ?? Number.POSITIVE_INFINITY));
  const places = before === undefined ? kept.slice(0, limit) : kept.slice(-limit);
  const after = before === undefined ? kept[limit] : steps.find(({ number }) => number >= before);
  const changes = await readWholeChanges(db, lineage, after ? [...places, after] : places);
  const [oldest] = places;
  const isFirst = oldest !== undefined && toPeriod(oldest, period) === toPeriod(first, period);
  return {
    page: changes.slice(0, places.length),
    after: changes[places.length],
    hasOlder: before === undefined ? !isFirst : kept.length > limit,
    reached: { subtotals, open },
  };
};

/** Returns a page of the steps of a history. It reads as many subtotals and changes as there are steps. */
export const readSteps = async (db: Db, lineage: Lineage, asked: StepsQuery): Promise<StepPage> => {
  const { page, after, hasOlder, ...reached } =
    asked.per === 'entry'
      ? await readChangeSteps(db, lineage, asked)
      : await readPeriodSteps(db, lineage, asked.per, asked);
  const isBeyondEnd = page.length === 0 && asked.before === undefined; // a broker has steps: all are before `from`
  const previous = isBeyondEnd ? asked.from : hasOlder ? firstNumber(page[0]) : null;
  return { ...reached, page, next: firstNumber(after), previous };
};
