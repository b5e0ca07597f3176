import type { EntryCause } from '@broker-transparency/contract/record';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { type DoubtfulText, findDiffering, findDoubtful } from '../../ledger/record/compare.ts';
import { type EntryDraft, nameIn } from '../../ledger/record/entry.rule.ts';
import { type LastEntry, walkLastEntries } from '../../ledger/record/read.ts';
import type { RecordSource } from '../../ledger/record/source.ts';
import { type Db, snapshot, type Tx } from '../../platform/mongo.ts';
import { isEnd } from './founded.ts';
import { loadRecordSources } from './sources.ts';

/** Number of names that are compared at once. */
const BATCH = 200;

/** Finds missing entries of some names, in a transaction or on a snapshot. */
type FindMissing = (tx: Tx) => Promise<EntryDraft[]>;

/** Finds entries whose facts are gone, in a transaction or on a snapshot. */
const findEnded =
  ({ entries }: RecordSource, rows: readonly LastEntry[]): FindMissing =>
  async (tx) => {
    const published = new Set(
      (await entries([...new Set(rows.map(({ key }) => nameIn(key)))], tx)).map(({ key }) => key),
    );
    const ended = rows.filter(({ key }) => !published.has(key));
    const drafts = ended.map(
      ({ key, kind, subject }) => ({ kind, key, subject, value: null, texts: {} }) as EntryDraft,
    );
    return findDiffering(drafts, tx);
  };

/**
 * Yields the comparison of all published facts with the record, and then of all recorded facts with the published ones.
 */
async function* walkComparisons(db: Db): AsyncIterable<FindMissing> {
  for (const source of await loadRecordSources()) {
    const { next, entries, kinds } = source;
    for (
      let names = await next(db, '', BATCH);
      names.length > 0;
      names = await next(db, names.at(-1) as string, BATCH)
    ) {
      const some = names;
      yield async (tx) => findDiffering(await entries(some, tx), tx);
    }
    for (const kind of kinds) {
      let rows: LastEntry[] = [];
      for await (const row of walkLastEntries(db, kind)) {
        if (!isEnd(row)) rows.push(row);
        if (rows.length < BATCH) continue;
        yield findEnded(source, rows);
        rows = [];
      }
      if (rows.length > 0) yield findEnded(source, rows);
    }
  }
}

/** Published facts without a correct entry in the record. */
interface UnrecordedFacts {
  /** Keys whose last entry differs from the published facts. */
  readonly keys: readonly string[];
  /** Texts under these keys that are missing or do not match the commitments of their entries. */
  readonly doubtful: readonly DoubtfulText[];
}

/** Finds published facts without a correct entry in the record. */
export const findUnrecorded = async (db: Db): Promise<UnrecordedFacts> => {
  const keys: string[] = [];
  const doubtful: DoubtfulText[] = [];
  for await (const find of walkComparisons(db))
    await snapshot(db, async (tx) => {
      const differing = await find(tx);
      if (differing.length === 0) return;
      keys.push(...differing.map(({ key }) => key));
      doubtful.push(...(await findDoubtful(differing, tx)));
    });
  return { keys, doubtful };
};

/** Options for adding missing entries. */
interface ReconcileOptions {
  readonly cause: EntryCause;
  /** True: also add texts that do not match their commitments. False: a person looks at them first. */
  readonly acceptTexts: boolean;
  readonly signal?: AbortSignal;
}

/** Returns the drafts whose texts are beyond doubt. */
const removeDoubtful = async (drafts: readonly EntryDraft[], tx: Tx): Promise<readonly EntryDraft[]> => {
  if (drafts.length === 0) return drafts;
  const doubtful = new Set((await findDoubtful(drafts, tx)).map(({ key }) => key));
  return drafts.filter(({ key }) => !doubtful.has(key));
};

/**
 * Adds missing entries of published facts to the record, for example after a restore. Returns the number of missing
 * entries, including those that wait for a person.
 */
export const reconcile = async (
  context: Context,
  { cause, acceptTexts, signal }: ReconcileOptions,
): Promise<number> => {
  let count = 0;
  for await (const find of walkComparisons(context.db)) {
    signal?.throwIfAborted();
    if ((await snapshot(context.db, find)).length === 0) continue; // hardly anything ever differs: reads are enough
    count += await inTransaction(context, async (c) => {
      const differing = await find(c.tx);
      const added = acceptTexts ? differing : await removeDoubtful(differing, c.tx);
      for (const draft of added) c.publish({ ...draft, cause, isBulk: true });
      return differing.length;
    });
  }
  return count;
};
