import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { type Tx, transaction } from '../mongo.ts';
import { inKeyOrder } from './entry.rule.ts';
import * as store from './store.ts';

export { countPending, pendingSince } from './store.ts';

/** Entries that get their numbers in one transaction. */
const BATCH = 500;

/** Time in milliseconds that somebody else has to end a batch. */
const PAUSE_MS = 20;

const START: store.Head = { next: 0, time: new Date(0).toISOString() };

/** Returns the next entries in the order of their numbers. An entry comes with those of its key that were before it. */
const nextEntries = async (tx: Tx): Promise<store.WaitingEntry[]> => {
  const first = await store.findPending(BATCH, tx);
  const keys = [...new Set(first.map(({ key }) => key))];
  const known = new Set(first.map(({ _id }) => String(_id)));
  const others = (await store.findPendingOf(keys, tx)).filter(({ _id }) => !known.has(String(_id)));
  return inKeyOrder([...first, ...others]);
};

/** Gives numbers to a batch of entries. Returns how many got one; 0 also if somebody else did it. */
const numberBatch = (clock: Clock): Promise<number> =>
  transaction(async (tx) => {
    const entries = await nextEntries(tx);
    if (entries.length === 0) return 0;
    const head = await store.readHead(tx);
    const { next, time: last } = head ?? START;
    const now = clock().toISOString();
    const time = [now, last].sort().at(-1) as string; // `knownAt` could not be proven if times went back
    // two that do this at once conflict here: one of them runs again and finds what is left
    if (!(await store.moveHead(head, { next: next + entries.length, time }, tx))) return 0;
    await store.setNumbers(
      entries.map(({ _id }, at) => ({ _id, number: next + at, time })),
      tx,
    );
    return entries.length;
  });

/**
 * Gives numbers to all entries that wait for one. Any number of processes may do so at once. A cursor by time or id
 * would skip entries that are committed late; this finds them.
 */
export const numberEntries = async (clock: Clock): Promise<void> => {
  while (await store.hasPending()) if ((await numberBatch(clock)) === 0) await sleep(PAUSE_MS);
};
