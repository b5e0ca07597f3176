import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import type { Log } from '../../platform/observe/log.ts';
import * as store from './store.ts';
import { type FindUnfounded, growTree } from './tree.ts';

/** Returns why the log stops before an entry, in a sentence that says what ends it. */
export const holdText = ({ number, key, why }: Pick<store.StoredHold, 'number' | 'key' | 'why'>): string =>
  `The log stops before entry ${number}, ${key}: ${why}. Find out who wrote it, then run: broker-rating admin log set-aside ${number} --reason CODE. See docs/operating/record.md#when-the-log-stops-before-an-entry`;

/** Returns the entry before which the log stops, and the reason; undefined if it does not stop. */
export const { readHold } = store;

/** @throws DomainError state_conflict that says what to do if the log stops before an entry */
export const requireNoHold = async (db: Db): Promise<void> => {
  const hold = await store.readHold(db);
  if (hold) throw new DomainError('state_conflict', holdText(hold));
};

/** The parts with which a tree grows. */
export interface FoundedGrowth {
  readonly findUnfounded: FindUnfounded;
  readonly clock: Clock;
  /** Where a new hold is logged. A command says it itself. */
  readonly log?: Log;
}

/** Adds numbered entries to the tree as long as they say what their facts say, and notes where it stops. */
export const growFounded = async (db: Db, { findUnfounded, clock, log }: FoundedGrowth): Promise<void> => {
  const unfounded = await growTree(db, clock, { findUnfounded });
  if (!unfounded) {
    await store.endHold(db);
    return;
  }
  const hold = { ...unfounded, since: clock() };
  if (await store.saveHold(db, hold)) log?.error({ number: hold.number, key: hold.key }, holdText(hold));
};

/**
 * Claims an entry before which the log stops, so that no process adds it to the tree in the same moment.
 * @throws DomainError state_conflict if the log does not stop before it
 */
export const claimUnsigned = async (number: number, tx: Tx): Promise<void> => {
  const [tree, hold] = [await store.readTree(tx.db, tx), await store.readHold(tx.db, tx)];
  const size = tree?.size ?? 0;
  if (number < size)
    throw new DomainError('state_conflict', `Entry ${number} is in the log already: what it has never changes.`);
  if (hold?.number !== number || size !== hold.size)
    throw new DomainError(
      'state_conflict',
      `The log does not stop before entry ${number}: log show says where it stops.`,
    );
  await store.endHold(tx.db, tx); // a process that adds the entry to the tree does the same, and one of both fails
};
