import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import { type Db, snapshot, type Tx } from '../../platform/mongo.ts';
import { orderChanges } from './entry.rule.ts';
import * as store from './store.ts';

export { BEGUN, countPending, findPendingSince, PENDING } from './store.ts';

/** Maximum number of entries per batch. A longer change is one batch. */
const BATCH = 1000;

/** Time in milliseconds between checks of another process's batch. */
const PAUSE_MS = 20;

/**
 * Time in milliseconds that another process has to end its batch. After that this process ends it too, which is
 * harmless.
 */
const PATIENCE_MS = 500;

const START: store.NumberingState = { next: 0, time: new Date(0).toISOString() };

/** The entries of one change, in their order. */
type PendingChange = store.WaitingEntry[];

const isWhole = (change: PendingChange): boolean => change.length === change[0]?.changeSize;

/** Groups entries, which come change by change, into changes. */
const toChanges = (entries: readonly store.WaitingEntry[]): PendingChange[] => [
  ...Map.groupBy(entries, ({ change }) => String(change)).values(),
];

/** Reads the whole change of an entry. @throws Error if a part of it was deleted */
const readChange = async ({ key, change }: store.WaitingEntry, tx: Tx): Promise<PendingChange> => {
  const entries = await store.findPendingByChange([change], tx);
  if (isWhole(entries)) return entries;
  throw new Error(
    `the change with the entry ${key} lacks others that it was written with: run broker-rating admin rebuild --check`,
  );
};

/** Returns changes with the waiting changes that wrote to the same keys before them. */
const addFormer = async (changes: readonly PendingChange[], tx: Tx): Promise<PendingChange[]> => {
  const all = [...changes];
  const known = new Set(changes.map(([entry]) => String(entry?.change)));
  for (let added = all; added.length > 0; ) {
    const continued = new Map<string, number>();
    for (const { key, sequence } of added.flat())
      if (sequence > 0) continued.set(key, Math.max(sequence, continued.get(key) ?? 0));
    if (continued.size === 0) break;
    const waiting = await store.findPendingByKey([...continued.keys()], tx);
    const former = waiting.filter(({ key, sequence }) => sequence < (continued.get(key) as number));
    const missing = former.map(({ change }) => change).filter((change) => !known.has(String(change)));
    added = missing.length === 0 ? [] : toChanges(await store.findPendingByChange(missing, tx));
    for (const [entry] of added) known.add(String(entry?.change));
    for (const change of added) all.push(change);
  }
  return all;
};

/** The next changes of the record. */
interface NextChanges {
  /** Whole changes, in the order of their numbers. */
  readonly entries: readonly store.WaitingEntry[];
  /** True if no other entry waits. */
  readonly isAll: boolean;
}

/** Returns the next changes. Each comes after earlier changes of its keys. */
const readNextChanges = async (tx: Tx): Promise<NextChanges> => {
  const found = await store.findPending(BATCH, tx);
  const read = toChanges(found);
  const whole = read.filter(isWhole);
  const [first] = found;
  const changes = whole.length > 0 || !first ? whole : [await readChange(first, tx)];
  const isAll = found.length < BATCH && whole.length === read.length;
  return { entries: orderChanges(isAll ? changes : await addFormer(changes, tx)).flat(), isAll };
};

const NONE: NextChanges = { entries: [], isAll: true };

/** Reads the end of the record and the next changes from one snapshot of a majority. */
const readNext = (db: Db): Promise<NextChanges & { readonly head: store.NumberingState }> =>
  snapshot(db, async (tx) => {
    const head = (await store.readNumbering(tx)) ?? START;
    return { head, ...(head.batch ? NONE : await readNextChanges(tx)) };
  });

/** Completes a batch. Several processes may do so at once, and at any later time. */
const endBatch = async (db: Db, next: number, batch: store.Batch): Promise<void> => {
  await store.setNumbers(db, next, batch);
  await store.endBatch(db, next, batch);
};

/** Assigns numbers to these entries, unless another process has begun a batch. Returns whether this call began it. */
const numberBatch = async (
  db: Db,
  head: store.Head,
  entries: NextChanges['entries'],
  clock: Clock,
): Promise<boolean> => {
  // `knownAt` cannot be proven if times go back
  const time = [clock().toISOString(), head.time].sort().at(-1) as string;
  const batch = { time, ids: entries.map(({ _id }) => _id) };
  if (!(await store.beginBatch(db, head, batch))) return false;
  await endBatch(db, head.next, batch);
  return true;
};

/**
 * Assigns numbers to all waiting entries. Several processes may do so at once, and may end at any point. A cursor by
 * time or id would skip entries that are committed late; this does not.
 */
export const numberEntries = async (db: Db, clock: Clock): Promise<void> => {
  let other = { next: -1, since: 0 };
  for (;;) {
    const { head, entries, isAll } = await readNext(db);
    const { next, batch } = head;
    if (batch) {
      if (other.next !== next) other = { next, since: performance.now() };
      if (performance.now() - other.since < PATIENCE_MS) await sleep(PAUSE_MS);
      else await endBatch(db, next, batch);
    } else if (entries.length === 0 || ((await numberBatch(db, head, entries, clock)) && isAll)) return;
  }
};
