import { type Context, inTransaction } from '../../ledger/context.ts';
import { snapshot, type Tx } from '../../platform/mongo.ts';
import { resolveCurrentSlugs } from '../brokers/facts.ts';
import { countByStatus } from '../reviews/facts.ts';
import {
  type CountCells,
  diffCells,
  sumCells,
  toAppealCells,
  toCounts,
  toReportCells,
  toReviewCells,
} from '../transparency/counts.rule.ts';
import { findCounts, listCounts } from '../transparency/facts.ts';
import { replaceCounts } from '../transparency/tally.ts';
import { countAppeals, countReports } from './store.ts';

const multiplyCells = (cells: CountCells, count: number): CountCells =>
  Object.fromEntries(Object.entries(cells).map(([cell, value]) => [cell, value * count]));

/** Counts reviews, reports and appeals from the records themselves, for one broker or for all. */
const recountCells = async (broker: string | undefined, tx: Tx): Promise<Map<string, CountCells>> => {
  const rows = [
    ...(await countByStatus(broker, tx)).map((row) => ({ ...row, cells: diffCells([], toReviewCells(row)) })),
    ...(await countReports(broker, tx)).map((row) => ({ ...row, cells: diffCells([], toReportCells(row)) })),
    ...(await countAppeals(broker, tx)).map((row) => ({ ...row, cells: diffCells([], toAppealCells(row)) })),
  ];
  const byBroker = Map.groupBy(rows, (row) => row.broker);
  return new Map(
    [...byBroker].map(([slug, found]) => [
      slug,
      sumCells(found.map(({ cells, count }) => multiplyCells(cells, count))),
    ]),
  );
};

const isSameCounts = (a: CountCells = {}, b: CountCells = {}): boolean =>
  JSON.stringify(toCounts(a)) === JSON.stringify(toCounts(b));

const repairCounts = (context: Context, broker: string): Promise<void> =>
  inTransaction(context, async (c) => {
    const counted = await recountCells(broker, c.tx);
    const [before, after] = [await findCounts(c.db, [broker], c.tx), counted.get(broker) ?? {}];
    await replaceCounts(broker, new Map([['0', after]]), c.tx);
    c.audit('moderation.recounted', { kind: 'broker', id: broker }, { before, after, reason: 'recount_differed' });
  });

/**
 * Compares the counts of every broker with the records, on one snapshot. With `mend`, rewrites the counts that differ.
 */
export const recount = async (context: Context, mend: boolean): Promise<{ compared: number; different: string[] }> => {
  const [stored, counted] = await snapshot(
    context.db,
    async (tx) => [await listCounts(tx), await recountCells(undefined, tx)] as const,
  );
  const brokers = [...new Set([...stored.keys(), ...counted.keys()])].sort();
  const different = brokers.filter((broker) => !isSameCounts(stored.get(broker), counted.get(broker)));
  if (mend) for (const broker of different) await repairCounts(context, broker);
  const toCurrentSlug = await resolveCurrentSlugs(context.db, different);
  return { compared: brokers.length, different: different.map(toCurrentSlug) };
};
