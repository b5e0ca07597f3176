import { isDeepStrictEqual } from 'node:util';
import * as record from '../../ledger/record/read.ts';
import { type Db, snapshot, type Tx, transaction } from '../../platform/mongo.ts';
import type { RecordedEntry } from './scores.rule.ts';
import * as store from './subtotal-store.ts';
import { foldEntries, type Subtotal, type Sums } from './subtotals.rule.ts';

/** Number of entries that are folded in one transaction. */
const BATCH = 1000;

const isAboutBroker = ({ subject }: RecordedEntry): boolean => subject.startsWith('broker/');

/** Returns a function that finds the entry of the same key before one of these entries, which are ordered by number. */
const createFormerFinder = (
  entries: readonly RecordedEntry[],
  known: readonly RecordedEntry[] = [],
): ((entry: RecordedEntry) => RecordedEntry | undefined) => {
  const last = new Map(known.map((entry) => [entry.key, entry]));
  const former = new Map<RecordedEntry, RecordedEntry | undefined>();
  for (const entry of entries) {
    former.set(entry, last.get(entry.key));
    last.set(entry.key, entry);
  }
  return (entry) => former.get(entry);
};

/** Returns the entries of reviews that these replaced, except those among them. */
export const findFormerReviews = async (
  db: Db,
  entries: readonly record.NumberedEntry[],
): Promise<record.NumberedEntry[]> => {
  const firsts = new Map<string, record.NumberedEntry>();
  for (const entry of entries) if (entry.kind === 'review' && !firsts.has(entry.key)) firsts.set(entry.key, entry);
  return record.findFormer(db, [...firsts.values()]);
};

/** Folds the next entries, unless another process does. Returns whether there are any. */
const growOnce = async (db: Db, from: number): Promise<boolean> => {
  const entries = await record.findEntries(db, { from }, BATCH);
  const last = entries.at(-1);
  if (!last) return false;
  const own = entries.filter(isAboutBroker);
  const findFormer = createFormerFinder(own, await findFormerReviews(db, own));
  const bySubject = Map.groupBy(own, ({ subject }) => subject);
  await transaction(db, async (tx) => {
    if (!(await store.moveEnd(from, last.number + 1, tx))) return;
    const open = await store.findLast(db, [...bySubject.keys()], { session: tx });
    const known = new Map(open.map((subtotal) => [subtotal.subject, subtotal]));
    const next = [...bySubject].map(([subject, some]) => foldEntries(known.get(subject), some, findFormer));
    await store.storeNext(next, tx);
  });
  return true;
};

/**
 * Extends the subtotals of all brokers to the end of the record. Several processes may do so at once. If the record
 * ends before them, for example after a restore by other tools, they are rebuilt.
 */
export const growSubtotals = async (db: Db): Promise<void> => {
  const [folded, next] = [await store.readEnd(db), await record.nextNumber(db)];
  if (folded === next) return;
  if (folded > next) await store.deleteAll(db);
  while (await growOnce(db, await store.readEnd(db)));
};

/** Returns the subtotal of a broker after its last entry about a review below a number. */
const readBelow = async (db: Db, subject: string, below: number): Promise<Subtotal | undefined> => {
  const subtotal = await store.findBelow(db, subject, below);
  const from = (subtotal?.number ?? -1) + 1;
  const reviews = await record.findEntries(db, { subjects: [subject], kind: 'review', from, below });
  return foldEntries(subtotal, reviews, createFormerFinder(reviews, await findFormerReviews(db, reviews))).at(-1);
};

/**
 * Returns the sums of the reviews about a broker whose entries are known and hold at a time.
 * @param below the first unknown number
 * @param begun the first number with a later time; reviews that always hold also count from it on
 */
export const readSums = async (db: Db, subject: string, below: number, begun: number): Promise<Sums> => {
  const known = await readBelow(db, subject, below);
  const end = Math.max(begun, known?.dated ?? below);
  return (end < below ? await readBelow(db, subject, end) : known)?.sums ?? new Map();
};

/** The last changes of brokers, and the number of the next entry that has no subtotal yet. */
export interface LastChanges {
  readonly changes: readonly store.LastChange[];
  readonly end: number;
}

/** Returns the last changes of brokers by number, up to `limit`. Each broker has one. Must run on one snapshot. */
export const readLastChanges = async (
  filter: store.LastChangesFilter,
  limit: number,
  tx: Tx,
): Promise<LastChanges> => ({
  end: await store.readEnd(tx.db, { session: tx }),
  changes: await store.findLastChanges(filter, limit, tx),
});

/** Returns the last changes of brokers with a number from `from` on; none if the record ends there. */
export const readChangesFrom = async (db: Db, from: number): Promise<LastChanges> => {
  const end = await store.readEnd(db); // what is added meanwhile is read again the next time
  return { end, changes: end <= from ? [] : await store.findChangesFrom(db, from) };
};

/** Computes the subtotals of a broker from all entries about it below a number. */
const computeAll = async (db: Db, subject: string, below: number): Promise<Subtotal[]> => {
  const entries = await record.findEntries(db, { subjects: [subject], below });
  return foldEntries(undefined, entries, createFormerFinder(entries));
};

/** Returns whether the subtotals of a broker follow from the entries about it, on one snapshot. */
const isRight = (db: Db, subject: string): Promise<boolean> =>
  snapshot(db, async (tx) => {
    const below = await store.readEnd(db, { session: tx });
    const stored = await store.findAll(subject, tx);
    return isDeepStrictEqual(stored, store.toStoredRows(await computeAll(db, subject, below)));
  });

/** Rebuilds the subtotals of a broker. */
export const repairSubtotals = (db: Db, subject: string): Promise<void> =>
  transaction(db, async (tx) => {
    const below = await store.readEnd(db, { session: tx });
    await store.deleteSubtotals(subject, tx);
    await store.storeNext([await computeAll(db, subject, below)], tx);
  });

/** Number of compared brokers, the brokers with wrong subtotals, and the number of repaired ones. */
export interface ComparedSubtotals {
  readonly compared: number;
  readonly different: readonly string[];
  readonly repaired: number;
}

/** Compares the subtotals of each broker with a fold of all entries about it. With `mends`, rebuilds wrong ones. */
export const proveSubtotals = async (db: Db, mends: boolean): Promise<ComparedSubtotals> => {
  await growSubtotals(db);
  const subjects = new Set<string>();
  for await (const subject of store.eachSubject(db)) subjects.add(subject);
  for await (const key of record.walkKeys(db, 'broker')) subjects.add(key);
  const different: string[] = [];
  for (const subject of subjects) if (!(await isRight(db, subject))) different.push(subject);
  if (mends) for (const subject of different) await repairSubtotals(db, subject);
  return { compared: subjects.size, different, repaired: mends ? different.length : 0 };
};
