import { entryKey } from '@broker-transparency/contract/record';
import { findBrokersBehind, listOwnSlugs, resolveSlugs } from '../../features/brokers/facts.ts';
import { dirtyMarks } from '../../ledger/dirty-marks.ts';
import { nameIn } from '../../ledger/record/entry.rule.ts';
import { type Db, snapshot, type Tx } from '../../platform/mongo.ts';
import { readLastChanges } from '../record/subtotals.ts';
import { findSummaries } from './answers.ts';
import { filterRanked, type RankedSelection } from './ranking.rule.ts';
import { findRankedBrokers } from './store.ts';

/** Part of the changed brokers to return. */
export interface UpdatesQuery extends RankedSelection {
  /** The first number of an entry that counts. */
  readonly from: number;
  /** Maximum number of changed brokers, those that do not pass the filter included. */
  readonly limit: number;
  /** The time for which the filter counts. */
  readonly at: Date;
}

/** Brokers that changed, and the place where the list goes on. */
interface BrokerUpdates {
  readonly summaries: readonly Uint8Array[];
  readonly next: number;
  readonly more: boolean;
  readonly gone: string[];
}

/** Returns the subjects of the entries about the brokers behind these slugs. */
const listSubjects = async (slugs: readonly string[], tx: Tx): Promise<string[]> =>
  [...(await findBrokersBehind(slugs, tx)).values()].flatMap(({ keys }) => keys.map((key) => entryKey('broker', key)));

/** A broker that changed, by the key of its entries. */
interface ChangedBroker {
  readonly key: string;
  /** Number of the last entry about it. */
  readonly number: number;
  /** Current slug of the broker, or of the one that it was merged into; undefined if it was removed. */
  readonly slug: string | undefined;
  /** True if its document is not built from its facts yet. */
  readonly isDirty: boolean;
}

/** Returns up to `limit` changed brokers, and the number up to which there are no others. */
const readChanged = async (
  { from, limit, slugs }: UpdatesQuery,
  tx: Tx,
): Promise<{ readonly changed: ChangedBroker[]; readonly end: number }> => {
  const subjects = slugs && (await listSubjects(slugs, tx));
  const { changes, end } = await readLastChanges({ from, subjects }, limit, tx);
  const keys = changes.map(({ subject }) => nameIn(subject));
  const find = await resolveSlugs(tx.db, keys, { session: tx });
  const listMarked = (key: string) => [key, ...(find(key)?.keys ?? []), find(key)?.slug ?? key];
  const dirty = new Set((await dirtyMarks('broker', keys.flatMap(listMarked), tx)).map((mark) => mark.key));
  const changed = changes.map(({ subject, number }) => {
    const key = nameIn(subject);
    return { key, number, slug: find(key)?.slug, isDirty: listMarked(key).some((name) => dirty.has(name)) };
  });
  return { changed, end };
};

/**
 * Returns the brokers whose last entry has a number from `from` on, in the order of these numbers. All reads use one
 * snapshot. The page ends before the first broker that is not rebuilt from its facts yet, so a returned broker shows
 * every change before `next`. A broker that changes later gets a higher number: it is never lost, and can come again.
 */
export const readUpdates = (db: Db, query: UpdatesQuery): Promise<BrokerUpdates> =>
  snapshot(db, async (tx) => {
    const { limit } = query;
    const { changed, end } = await readChanged({ ...query, limit: limit + 1 }, tx);
    const dirtyAt = changed.findIndex(({ isDirty }) => isDirty);
    const isCut = dirtyAt >= 0 && dirtyAt < limit;
    const page = changed.slice(0, isCut ? dirtyAt : limit);
    const current = [...new Set(page.flatMap(({ slug }) => slug ?? []))];
    const passing = new Set(
      filterRanked(await findRankedBrokers(current, tx), query, query.at).map(({ slug }) => slug),
    );
    const listed = current.filter((slug) => passing.has(slug));
    const shown = await findSummaries(db, listed, { session: tx });
    const ownSlugs = await listOwnSlugs(
      page.map(({ key }) => key),
      tx,
    );
    return {
      summaries: [...shown.values()],
      next: changed[page.length]?.number ?? end,
      more: !isCut && changed.length > limit,
      gone: [...new Set([...current, ...ownSlugs])].filter((slug) => !shown.has(slug)).sort(),
    };
  });
