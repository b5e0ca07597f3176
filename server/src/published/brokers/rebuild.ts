import { findDriftedBrokers, republishBrokers } from '../../features/brokers/actions.ts';
import { markBrokersDirty } from '../../features/brokers/changed.ts';
import { recountMonths } from '../../features/reviews/recount.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { serializeDocument, snapshot, type Tx } from '../../platform/mongo.ts';
import { compareBatch, type RebuildResult } from './refresh.ts';
import { nextSlugs } from './store.ts';

const sameBytes = (a: object, b: object): boolean => Buffer.from(serializeDocument(a)).equals(serializeDocument(b));

const DIFFERED = 'rebuild_differed';

/**
 * Publishes the facts of these brokers again from their statements, recounts their rating months, and marks their
 * documents for a rebuild.
 */
const repairBrokers = (context: Context, brokers: readonly RebuildResult[]): Promise<void> =>
  inTransaction(context, async (c) => {
    const keys = brokers.flatMap((broker) => broker.keys);
    await republishBrokers(c, keys, DIFFERED);
    await recountMonths(c, keys);
    await markBrokersDirty(c, [...new Set([...keys, ...brokers.map(({ slug }) => slug)])]);
    const change = { before: { followsFacts: false }, after: { followsFacts: true }, reason: DIFFERED };
    for (const { keys } of brokers) c.audit('broker.repaired', { kind: 'broker', id: keys[0] as string }, change);
  });

/** Compares documents with facts, and facts with their statements. */
const compareAll = async (slugs: readonly string[], tx: Tx): Promise<RebuildResult[]> => {
  const rows = await compareBatch(slugs, sameBytes, tx);
  const wrong = await findDriftedBrokers(
    rows.map(({ keys }) => keys[0] as string),
    tx,
  );
  return rows.map((row) => ({ ...row, identical: row.identical && !wrong.has(row.keys[0] as string) }));
};

/**
 * Builds every broker document again, in batches while writes continue, and compares it with the stored one. With
 * `repair`, brokers that differ are repaired.
 * @param onBatch receives the outcome of each batch
 */
export const rebuild = async (
  context: Context,
  repair: boolean,
  onBatch: (rows: readonly RebuildResult[]) => void,
): Promise<void> => {
  for (let slug = ''; ; ) {
    const slugs = await nextSlugs(context.db, slug, 50);
    const last = slugs.at(-1);
    if (last === undefined) return;
    const rows = await snapshot(context.db, (tx) => compareAll(slugs, tx));
    const different = rows.filter((row) => !row.identical);
    if (repair && different.length > 0) await repairBrokers(context, different);
    onBatch(rows);
    slug = last;
  }
};
