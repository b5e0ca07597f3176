import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import type { Log } from '../../platform/observe/log.ts';
import * as store from './store.ts';
import { type FindUnfounded, growTree } from './tree.ts';

/** Returns the reason why the log stops before an entry, and the command that ends it. */
export const holdText = ({ number, key, why }: Pick<store.StoredHold, 'number' | 'key' | 'why'>): string =>
  `The log stops before entry ${number}, ${key}: ${why}. Find out who wrote it, then run: broker-rating admin log set-aside ${number} --reason CODE. See docs/operating/record.md#when-the-log-stops-before-an-entry`;

/** Returns the entry before which the log stops, and the reason; undefined if it does not stop. */
export const { readHold } = store;

/** @throws DomainError state_conflict with instructions if the log stops before an entry */
export const requireNoHold = async (db: Db): Promise<void> => {
  const hold = await store.readHold(db);
  if (hold) throw new DomainError('state_conflict', holdText(hold));
};

/** Dependencies of growing the tree. */
export interface FoundedGrowth {
  readonly findUnfounded: FindUnfounded;
  readonly clock: Clock;
  /** Log for a new hold. Absent for a command, which reports the hold itself. */
  readonly log?: Log;
}

/** Adds numbered entries to the tree as long as they agree with their facts, and stores the hold if one does not. */
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
 * Claims the entry before which the log stops, so that no process adds it to the tree at the same time.
 * @throws DomainError state_conflict if the log does not stop before this entry
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
  await store.endHold(tx.db, tx); // the growth of the tree writes the same document, so one of the two fails
};
