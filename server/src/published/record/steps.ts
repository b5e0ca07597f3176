import type { HISTORY_PERIODS } from '@broker-transparency/contract';
import type { Db } from '../../platform/mongo.ts';
import * as record from '../../platform/record/read.ts';
import type { Lineage, Reached } from './lineage.ts';
import type { RecordedEntry } from './scores.rule.ts';
import { findEnds, findLast } from './subtotal-store.ts';
import { type Period, periodOf } from './subtotals.rule.ts';

/** A part of a history. */
export interface AskedSteps {
  /** The first number. */
  readonly from: number;
  /** Only lower numbers, and the last ones of these. */
  readonly before?: number | undefined;
  readonly per: (typeof HISTORY_PERIODS)[number];
  readonly limit: number;
}

/** The place of a step in the record. */
type Place = Pick<RecordedEntry, 'number' | 'time'>;

export const byNumber = (a: { readonly number: number }, b: { readonly number: number }): number => a.number - b.number;

/** Returns the last step of each period. */
const lastOfEach = (steps: readonly Place[], period: Period): Place[] =>
  steps.filter((step, at) => {
    const next = steps[at + 1];
    return !next || periodOf(next, period) !== periodOf(step, period);
  });

/** The steps that are asked for, and the number of the one after them. */
interface StepPage {
  readonly page: readonly RecordedEntry[];
  readonly next: number | null;
  /** Subtotals at these steps; undefined if each entry is a step. */
  readonly reached?: Reached;
}

/** Cuts the part out of steps that is asked for. */
const cut = <T extends Place>(steps: readonly T[], { from, before, limit }: AskedSteps) => {
  const kept = steps.filter(({ number }) => number >= from);
  if (before === undefined) return { page: kept.slice(0, limit), next: kept[limit]?.number ?? null };
  return { page: kept.filter(({ number }) => number < before).slice(-limit), next: null };
};

/** Returns the steps that no broker writes: changes of regulators and of the methodology. */
const collectOthers = ({ regulators, methodologies }: Lineage): readonly RecordedEntry[] => [
  ...regulators,
  ...methodologies,
];

const readEntrySteps = async (db: Db, lineage: Lineage, asked: AskedSteps, begin: number): Promise<StepPage> => {
  const { counted: subjects } = lineage;
  const from = Math.max(asked.from, begin);
  const below = asked.before === undefined ? undefined : Math.min(asked.before, await record.nextNumber(db));
  const entries =
    below === undefined
      ? await record.findEntries(db, { subjects, from }, asked.limit + 1)
      : await record.findNewest(db, { subjects, from, below }, asked.limit);
  return cut([...entries, ...collectOthers(lineage)].filter(({ number }) => number >= begin).sort(byNumber), asked);
};

/** Returns subtotals at the ends of periods: enough of them for a page, whichever broker each is about. */
const readEnds = async (db: Db, subjects: readonly string[], period: Period, { from, before, limit }: AskedSteps) => {
  const most = (limit + 2) * subjects.length;
  const find = (number: object, count: number, order: 1 | -1) =>
    findEnds(db, { subjects, period, number }, count, order);
  if (before === undefined) return find({ $gte: from }, most, 1);
  // the next one tells whether the last period goes on
  return [...(await find({ $lt: before }, most, -1)), ...(await find({ $gte: before }, 1, 1))];
};

const readPeriodSteps = async (
  db: Db,
  lineage: Lineage,
  period: Period,
  asked: AskedSteps,
  begin: number,
): Promise<StepPage> => {
  const { counted } = lineage;
  const open = new Map((await findLast(db, counted)).map((subtotal) => [subtotal.subject, subtotal]));
  const subtotals = await readEnds(db, counted, period, asked);
  const rest = await Promise.all(
    counted.map((one) => record.findEntries(db, { subjects: [one], from: (open.get(one)?.number ?? -1) + 1 })),
  );
  const steps = [...subtotals, ...rest.flat(), ...collectOthers(lineage)].filter(({ number }) => number >= begin);
  const { page, next } = cut(lastOfEach(steps.sort(byNumber), period), asked);
  const entries = await record.findNumbered(
    db,
    page.map(({ number }) => number),
  );
  return { page: entries.sort(byNumber), next, reached: { subtotals, open } };
};

/** Returns the steps of a history that are asked for. It reads as many subtotals and entries as there are steps. */
export const readSteps = (db: Db, lineage: Lineage, asked: AskedSteps): Promise<StepPage> => {
  const { per, from } = asked;
  const begin = lineage.first.number;
  return per === 'entry'
    ? readEntrySteps(db, lineage, asked, begin)
    : readPeriodSteps(db, lineage, per, { ...asked, from: Math.max(from, begin) }, begin);
};
