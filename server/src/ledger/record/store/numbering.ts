import type { PollQuery } from '../../../platform/look.ts';
import type { Db, Tx } from '../../../platform/mongo.ts';
import { isDuplicateKey } from '../../../platform/mongo-errors.ts';
import { type Batch, Entries, HEAD, type Head, Heads, type NumberingState, type StoredEntry } from './collections.ts';

/** The fields of an entry that its numbering needs. */
export type WaitingEntry = Pick<StoredEntry, '_id' | 'key' | 'sequence' | 'change' | 'changeIndex' | 'changeSize'>;

const WAITING_FIELDS = { key: 1, sequence: 1, change: 1, changeIndex: 1, changeSize: 1 } as const;

const WAITING_ORDER = { pending: 1, change: 1, changeIndex: 1 } as const;

/**
 * Returns up to `limit` entries without a number, change by change: imports last, then oldest first. The last change
 * can be cut.
 */
export const findPending = (limit: number, tx: Tx): Promise<WaitingEntry[]> =>
  Entries(tx.db)
    .collection.find<WaitingEntry>({ pending: { $exists: true } }, { session: tx, projection: WAITING_FIELDS })
    .sort(WAITING_ORDER)
    .limit(limit)
    .toArray();

/** Returns the entries of these keys without a number. */
export const findPendingByKey = (keys: readonly string[], tx: Tx): Promise<WaitingEntry[]> =>
  Entries(tx.db)
    .collection.find<WaitingEntry>(
      { key: { $in: keys }, pending: { $exists: true } },
      { session: tx, projection: WAITING_FIELDS },
    )
    .toArray();

/** Returns the entries of changes without numbers, change by change. */
export const findPendingByChange = (changes: readonly StoredEntry['change'][], tx: Tx): Promise<WaitingEntry[]> =>
  Entries(tx.db)
    .collection.find<WaitingEntry>(
      { pending: { $in: [0, 1] }, change: { $in: [...changes] } },
      { session: tx, projection: WAITING_FIELDS },
    )
    .sort({ change: 1, changeIndex: 1 })
    .toArray();

/** An entry that waits for a number. */
export const PENDING: PollQuery = { collection: 'recordEntries', match: { pending: { $exists: true } } };

/** Query for the end of the record, and query for the end with a begun batch. */
export const [END, BEGUN]: readonly [PollQuery, PollQuery] = [
  { collection: 'recordHeads', match: HEAD },
  { collection: 'recordHeads', match: { ...HEAD, batch: { $exists: true } } },
];

/** Returns the number of entries that wait for a number. */
export const countPending = (db: Db): Promise<number> =>
  Entries(db)
    .countDocuments({ pending: { $exists: true } })
    .exec();

/** Returns the time since which the oldest entry waits, imports aside; null if none waits. */
export const findPendingSince = async (db: Db): Promise<Date | null> => {
  const oldest = await Entries(db)
    .findOne({ pending: 0 }, { change: 1 })
    .sort(WAITING_ORDER)
    .lean<Pick<StoredEntry, 'change'>>()
    .exec();
  return oldest?.change.getTimestamp() ?? null;
};

/** Returns the end of the record with its begun batch; null before the first entry. */
export const readNumbering = (tx: Tx): Promise<NumberingState | null> =>
  Heads(tx.db).collection.findOne<NumberingState>(HEAD as never, { session: tx });

/**
 * Begins a batch at the end of the record, unless the end has moved or another batch has begun. Returns whether it did.
 */
export const beginBatch = async (db: Db, { next, time }: Head, batch: Batch): Promise<boolean> => {
  if (next === 0) {
    const none = { ...HEAD, next, time };
    await Heads(db)
      .updateOne(HEAD, { $setOnInsert: none }, { upsert: true })
      .catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
  }
  const { modifiedCount } = await Heads(db).updateOne(
    { ...HEAD, next, batch: { $exists: false } },
    { $set: { batch } },
  );
  return modifiedCount === 1;
};

/** Moves the end of the record behind a batch whose entries have their numbers, unless another process has. */
export const endBatch = async (db: Db, next: number, { time, ids }: Batch): Promise<void> => {
  const end: Head = { next: next + ids.length, time };
  await Heads(db).updateOne({ ...HEAD, next, batch: { $exists: true } }, { $set: end, $unset: { batch: 1 } });
};

/** Deletes entries without a number, and entries beyond the end of the record. Returns their keys. */
export const deleteBeyond = async (next: number, tx: Tx): Promise<string[]> => {
  const cut = { $or: [{ pending: { $exists: true } }, { number: { $gte: next } }] };
  const rows = Entries(tx.db).collection.find<Pick<StoredEntry, 'key'>>(cut, {
    session: tx,
    projection: { _id: 0, key: 1 },
  });
  const keys = new Set((await rows.toArray()).map(({ key }) => key));
  if (keys.size > 0) await Entries(tx.db).collection.deleteMany(cut, { session: tx });
  return [...keys];
};

/** Replaces the value of an entry that is in no signed tree. */
export const replaceEntry = async (
  number: number,
  entry: Pick<StoredEntry, 'key' | 'kind' | 'subject' | 'value'>,
  tx: Tx,
): Promise<void> => {
  await Entries(tx.db).collection.updateOne(
    { number },
    { $set: { ...entry, cause: 'correction' }, $unset: { validFrom: 1, validTo: 1 } },
    { session: tx },
  );
};

/** Moves the end of the record, and deletes the batch that was begun there. */
export const moveEnd = async (from: Head | null, to: Head, tx: Tx): Promise<void> => {
  const [at, change] = [
    { ...HEAD, next: from?.next ?? to.next },
    { $set: to, $unset: { batch: 1 } },
  ];
  await Heads(tx.db)
    .updateOne(at, change, { upsert: from === null })
    .session(tx);
};

/** Number of entries per update: the update searches the whole list for each of them. */
const AT_ONCE = 100;

/**
 * Assigns the numbers of a batch. It can be interrupted and repeated. It updates many documents at once: an update of a
 * single document is also noted in the session, which doubles its cost.
 */
export const setNumbers = async (db: Db, first: number, { time, ids }: Batch): Promise<void> => {
  const parts = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, at) => at * AT_ONCE);
  await Entries(db).collection.bulkWrite(
    parts.map((from) => {
      const some = ids.slice(from, from + AT_ONCE);
      const number = { $add: [first + from, { $indexOfArray: [some, '$_id'] }] };
      return {
        updateMany: { filter: { _id: { $in: some } }, update: [{ $set: { number, time } }, { $unset: 'pending' }] },
      };
    }),
  );
};
