import { type Context, inTransaction } from '../../ledger/context.ts';
import { snapshot, type Tx } from '../../platform/mongo.ts';
import { currentSlugs } from '../brokers/facts.ts';
import { countByStatus } from '../reviews/facts.ts';
import {
  appealCells,
  type Cells,
  changeOf,
  reportCells,
  reviewCells,
  sumCells,
  toCounts,
} from '../transparency/counts.rule.ts';
import { allCounts, findCounts } from '../transparency/facts.ts';
import { replaceCounts } from '../transparency/tally.ts';
import { countAppeals, countReports } from './store.ts';

const times = (cells: Cells, count: number): Cells =>
  Object.fromEntries(Object.entries(cells).map(([cell, value]) => [cell, value * count]));

/** Counts reviews, reports and appeals from the records themselves, for one broker or for all. */
const countAgain = async (broker: string | undefined, tx: Tx): Promise<Map<string, Cells>> => {
  const rows = [
    ...(await countByStatus(broker, tx)).map((row) => ({ ...row, cells: changeOf([], reviewCells(row)) })),
    ...(await countReports(broker, tx)).map((row) => ({ ...row, cells: changeOf([], reportCells(row)) })),
    ...(await countAppeals(broker, tx)).map((row) => ({ ...row, cells: changeOf([], appealCells(row)) })),
  ];
  const byBroker = Map.groupBy(rows, (row) => row.broker);
  return new Map(
    [...byBroker].map(([slug, found]) => [slug, sumCells(found.map(({ cells, count }) => times(cells, count)))]),
  );
};

const same = (a: Cells = {}, b: Cells = {}): boolean => JSON.stringify(toCounts(a)) === JSON.stringify(toCounts(b));

const repair = (context: Context, broker: string): Promise<void> =>
  inTransaction(context, async (c) => {
    const counted = await countAgain(broker, c.tx);
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
    async (tx) => [await allCounts(tx), await countAgain(undefined, tx)] as const,
  );
  const brokers = [...new Set([...stored.keys(), ...counted.keys()])].sort();
  const different = brokers.filter((broker) => !same(stored.get(broker), counted.get(broker)));
  if (mend) for (const broker of different) await repair(context, broker);
  const slugOf = await currentSlugs(context.db, different);
  return { compared: brokers.length, different: different.map(slugOf) };
};
