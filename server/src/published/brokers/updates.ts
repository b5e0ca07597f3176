import { entryKey } from '@broker-transparency/contract/record';
import { listOwnSlugs, resolveSlugs } from '../../features/brokers/facts.ts';
import { dirtyMarks } from '../../ledger/dirty-marks.ts';
import { nameIn } from '../../ledger/record/entry.rule.ts';
import { type Db, snapshot, type Tx } from '../../platform/mongo.ts';
import { readLastChanges } from '../record/subtotals.ts';
import { readSummaries } from './answers.ts';
import { filterRanked, type RankedSelection } from './ranking.rule.ts';
import { findRankedBrokers } from './store.ts';

/** Part of the changed brokers to return. */
export interface UpdatesQuery extends RankedSelection {
  /** The first number of an entry that counts. */
  readonly from: number;
  /** Maximum number of changed brokers, those that do not pass the filter included. */
  readonly limit: number;
}

/** Brokers that changed, and the place where the list goes on. */
interface BrokerUpdates {
  readonly summaries: readonly Uint8Array[];
  readonly next: number;
  readonly more: boolean;
  readonly gone: string[];
}

/** Returns the subjects of the entries about the brokers behind these slugs. */
const listSubjects = async (slugs: readonly string[], tx: Tx): Promise<string[]> => {
  const find = await resolveSlugs(tx.db, slugs, { session: tx });
  return [...new Set(slugs.flatMap((slug) => find(slug)?.keys ?? []))].map((key) => entryKey('broker', key));
};

/**
 * Returns the brokers whose last entry has a number from `from` on, in the order of these numbers. All reads use one
 * snapshot. The page ends before the first broker that is not rebuilt from its facts yet, so a returned broker shows
 * every change before `next`. A broker that changes later gets a higher number: it is never lost, and can come again.
 */
export const readUpdates = (db: Db, { from, limit, slugs, ...filter }: UpdatesQuery): Promise<BrokerUpdates> =>
  snapshot(db, async (tx) => {
    const subjects = slugs && (await listSubjects(slugs, tx));
    const { changes: found, end } = await readLastChanges({ from, subjects }, limit + 1, tx);
    const find = await resolveSlugs(
      db,
      found.map(({ subject }) => nameIn(subject)),
      { session: tx },
    );
    const changes = found.map(({ subject, number }) => ({
      key: nameIn(subject),
      number,
      broker: find(nameIn(subject)),
    }));
    const listMarked = ({ key, broker }: (typeof changes)[number]) => [
      key,
      ...(broker ? [broker.slug, ...broker.keys] : []),
    ];
    const dirty = new Set((await dirtyMarks('broker', changes.flatMap(listMarked), tx)).map((mark) => mark.key));
    const built = changes.findIndex((change) => listMarked(change).some((name) => dirty.has(name)));
    const isBuilt = built < 0 || built >= limit;
    const page = changes.slice(0, isBuilt ? limit : built);
    const current = [...new Set(page.flatMap(({ broker }) => broker?.slug ?? []))];
    const passed = new Set(filterRanked(await findRankedBrokers(current, tx), filter).map(({ slug }) => slug));
    const listed = current.filter((slug) => passed.has(slug));
    const own = await listOwnSlugs(
      page.map(({ key }) => key),
      tx,
    );
    return {
      summaries: await readSummaries(db, listed, { session: tx }),
      next: changes[page.length]?.number ?? end,
      more: isBuilt && changes.length > page.length,
      gone: [...new Set([...own.values()].flat().concat(current))].filter((slug) => !passed.has(slug)).sort(),
    };
  });
