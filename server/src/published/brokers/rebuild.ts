import { brokersChanged } from '../../features/brokers/actions.ts';
import { recountMonths } from '../../features/reviews/recount.ts';
import { type Context, inTransaction } from '../../platform/context.ts';
import { bytesOf, snapshot } from '../../platform/mongo.ts';
import { compareBatch, type Rebuilt } from './refresh.ts';
import { nextSlugs } from './store.ts';

const sameBytes = (a: object, b: object): boolean => Buffer.from(bytesOf(a)).equals(bytesOf(b));

/** Recounts the rating months of these brokers from the facts, and marks their documents for a rebuild. */
const repairBrokers = (context: Context, slugs: readonly string[]): Promise<void> =>
  inTransaction(context, async (c) => {
    await recountMonths(c, slugs);
    await brokersChanged(c, slugs);
    const change = { before: { followsFacts: false }, after: { followsFacts: true }, reason: 'rebuild_differed' };
    for (const slug of slugs) c.audit('broker.repaired', { kind: 'broker', id: slug }, change);
  });

/**
 * Builds every broker document again, in batches while writes go on, and compares it with the stored one. With
 * `repair`, brokers that differ are repaired.
 * @param onBatch receives the outcome of each batch
 */
export const rebuild = async (
  context: Context,
  repair: boolean,
  onBatch: (rows: readonly Rebuilt[]) => void,
): Promise<void> => {
  for (let slug = ''; ; ) {
    const slugs = await nextSlugs(slug, 50);
    const last = slugs.at(-1);
    if (last === undefined) return;
    const rows = await snapshot((tx) => compareBatch(slugs, sameBytes, tx));
    const different = rows.filter((row) => !row.identical).map((row) => row.slug);
    if (repair && different.length > 0) await repairBrokers(context, different);
    onBatch(rows);
    slug = last;
  }
};
