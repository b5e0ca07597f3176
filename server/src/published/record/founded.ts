import type { FindUnfounded } from '../../ledger/log/tree.ts';
import { findDiffering, keepLast } from '../../ledger/record/compare.ts';
import { nameIn } from '../../ledger/record/entry.rule.ts';
import { findNumbers, type LastEntry, type NumberedEntry } from '../../ledger/record/read.ts';
import type { RecordSource } from '../../ledger/record/source.ts';
import { snapshot, type Tx } from '../../platform/mongo.ts';
import { loadRecordSources } from './sources.ts';

/** Returns whether an entry ends the publication of its key, or erases a person. */
export const isEnd = ({ value }: Pick<LastEntry, 'value'>): boolean =>
  value === 'null' || value.includes('"state":"erased"');

/** Returns the entries of a source that differ from its facts, with the reasons. */
const findDifferingEntries = async (
  { kinds, entries: readDrafts }: RecordSource,
  all: readonly NumberedEntry[],
  tx: Tx,
): Promise<(readonly [NumberedEntry, string])[]> => {
  const own = all.filter(({ kind }) => kinds.includes(kind));
  if (own.length === 0) return [];
  const keys = new Set(own.map(({ key }) => key));
  const drafts = (await readDrafts([...new Set(own.map(({ key }) => nameIn(key)))], tx)).filter(({ key }) =>
    keys.has(key),
  );
  const published = new Set(drafts.map(({ key }) => key));
  const differing = new Set((await findDiffering(drafts, tx)).map(({ key }) => key));
  return own.flatMap((entry) => {
    if (differing.has(entry.key)) return [[entry, 'it does not say what the database publishes']];
    return published.has(entry.key) || isEnd(entry) ? [] : [[entry, 'the database publishes nothing of the kind']];
  });
};

/** Returns whether an entry's key belongs to its kind, so that it can have facts. */
const isNamed = ({ key, kind }: NumberedEntry): boolean => key.startsWith(`${kind}/`);

/**
 * Finds the first entry from a number on that differs from its facts, or has the key of another kind, on one snapshot.
 * An entry is not compared if its key has a later one, since past facts are not kept. Entries that jobs compute from
 * sums are not compared either: complaints, methodology, days and the service level.
 */
export const findUnfounded: FindUnfounded = (db, from, below) =>
  snapshot(db, async (tx) => {
    const numbers = Array.from({ length: below - from }, (_, at) => from + at);
    const entries = await findNumbers(numbers, tx);
    const misnamed = entries
      .filter((entry) => !isNamed(entry))
      .map((entry) => [entry, `its key is not one of the kind ${entry.kind}`] as const);
    const last = await keepLast(entries.filter(isNamed), tx);
    const sources = await loadRecordSources();
    const compared = await Promise.all(sources.map((source) => findDifferingEntries(source, last, tx)));
    const [first] = [...misnamed, ...compared.flat()].sort(([a], [b]) => a.number - b.number);
    return first && { number: first[0].number, key: first[0].key, why: first[1] };
  });
