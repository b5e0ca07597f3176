import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { type Db, snapshot, type Tx } from '../mongo.ts';
import { inKeyOrder } from './entry.rule.ts';
import * as store from './store.ts';

export { BEGUN, countPending, PENDING, pendingSince } from './store.ts';

/** Entries that get their numbers at once. */
const BATCH = 1000;

/** Time in milliseconds between looks at a batch of somebody else. */
const PAUSE_MS = 20;

/** Time in milliseconds that somebody else has to end a batch. Longer ones are ended here too, which is harmless. */
const PATIENCE_MS = 500;

const START: store.Numbering = { next: 0, time: new Date(0).toISOString() };

/** What comes next in the record. */
interface Next {
  /** In the order of their numbers. */
  readonly entries: readonly store.WaitingEntry[];
  /** Whether no other entry waits. */
  readonly isAll: boolean;
}

/** Returns the next entries. Each comes with those of its key that were before it. */
const nextEntries = async (tx: Tx): Promise<Next> => {
  const first = await store.findPending(BATCH, tx);
  const isAll = first.length < BATCH;
  const keys = new Set(first.filter(({ sequence }) => sequence > 0).map(({ key }) => key));
  if (keys.size === 0) return { entries: first, isAll };
  const known = new Set(first.map(({ _id }) => String(_id)));
  const others = isAll ? [] : await store.findPendingOf([...keys], tx);
  return { entries: inKeyOrder([...first, ...others.filter(({ _id }) => !known.has(String(_id)))]), isAll };
};

const NONE: Next = { entries: [], isAll: true };

/** Reads the end of the record and what comes next there, as of one moment and as a majority has it. */
const readNext = (db: Db): Promise<Next & { readonly head: store.Numbering }> =>
  snapshot(db, async (tx) => {
    const head = (await store.readNumbering(tx)) ?? START;
    return { head, ...(head.batch ? NONE : await nextEntries(tx)) };
  });

/** Does what is left of a batch. Any number of processes may do so at once, and at any later time. */
const endBatch = async (db: Db, next: number, batch: store.Batch): Promise<void> => {
  await store.setNumbers(db, next, batch);
  await store.endBatch(db, next, batch);
};

/** Gives numbers to these entries, unless somebody else has begun a batch. Returns whether it did. */
const numberBatch = async (db: Db, head: store.Head, entries: Next['entries'], clock: Clock): Promise<boolean> => {
  // `knownAt` could not be proven if times went back
  const time = [clock().toISOString(), head.time].sort().at(-1) as string;
  const batch = { time, ids: entries.map(({ _id }) => _id) };
  if (!(await store.beginBatch(db, head, batch))) return false;
  await endBatch(db, head.next, batch);
  return true;
};

/**
 * Gives numbers to all entries that wait for one. Any number of processes may do so at once, and may end at any point.
 * A cursor by time or id would skip entries that are committed late; this finds them.
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
