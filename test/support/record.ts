import { type Db, ObjectId } from 'mongodb';
import { inDatabase } from './database.ts';
import type { Service } from './process.ts';
import { until } from './until.ts';

/** A numbered entry of the record, as it is stored, with its value parsed. */
export interface StoredEntry {
  readonly number: number;
  readonly time: string;
  readonly key: string;
  readonly sequence: number;
  readonly subject: string;
  readonly kind: string;
  readonly cause: string;
  readonly changeIndex: number;
  readonly changeSize: number;
  readonly validFrom?: string;
  readonly validTo?: string;
  readonly value: Record<string, unknown> | null;
}

/** A text that is public, with the random bytes of its commitment. */
export interface StoredText {
  readonly key: string;
  readonly field: string;
  readonly salt: string;
  readonly text: string;
}

const readEntries = async (db: Db): Promise<StoredEntry[]> => {
  const rows = await db.collection('recordEntries').find().sort({ number: 1 }).toArray();
  return rows.map(({ _id, value, ...row }) => ({ ...row, value: JSON.parse(value) }) as unknown as StoredEntry);
};

/** Waits until every entry has its number and is in the tree of the log. A server must run. */
export const untilLogged = (db: Db): Promise<true> =>
  until('the log has every entry', 30_000, async () => {
    const tree = await db.collection('logHeads').findOne({ _id: 'tree' as never });
    const head = await db.collection('recordHeads').findOne();
    const waiting = await db.collection('recordEntries').findOne({ pending: { $exists: true } });
    return waiting === null && head !== null && tree?.['size'] === head['next'];
  });

/** Waits until the subtotals have every entry that has a number. A server must run. */
export const untilFolded = (db: Db): Promise<true> =>
  until('the subtotals have every entry', 30_000, async () => {
    const end = await db.collection('recordSubtotals').findOne({ _id: 'end' as never });
    const head = await db.collection('recordHeads').findOne();
    return head !== null && end?.['number'] === head['next'];
  });

/** Returns all entries by number, once each has one. */
export const readRecord = (service: Service): Promise<StoredEntry[]> =>
  inDatabase(service, async (db) => {
    await until('every entry has its number', 20_000, async () => {
      const waiting = await db.collection('recordEntries').findOne({ pending: { $exists: true } });
      return waiting === null;
    });
    return readEntries(db);
  });

/** Returns the public texts of a key, by field. */
export const readTexts = (service: Service, key: string): Promise<StoredText[]> =>
  inDatabase(service, async (db) => {
    const row = await db.collection('recordTexts').findOne({ _id: key as never });
    const texts = Object.entries((row?.['texts'] ?? {}) as Record<string, { salt: string; text: string }>);
    return texts.map(([field, one]) => ({ key, field, ...one })).sort((a, b) => (a.field < b.field ? -1 : 1));
  });

/** Returns the entries that `work` adds. */
export const readAdded = async (service: Service, work: () => Promise<unknown>): Promise<StoredEntry[]> => {
  const before = (await readRecord(service)).length;
  await work();
  return (await readRecord(service)).slice(before);
};

/** Returns the place of an entry that is a whole change. */
export const createOwnChange = () => ({ change: new ObjectId(), changeIndex: 0, changeSize: 1 });

/** An entry that nobody publishes; without a field, one about the broker "alpha". */
export interface ForgedEntry {
  readonly key?: string;
  readonly kind?: string;
  /** Canonical JSON. */
  readonly value?: string;
}

/**
 * Writes an entry as somebody does who can write to the database, behind the last one of its key. Returns the number
 * that it gets.
 */
export const forgeEntry = (
  service: Service,
  { key = 'broker/alpha', kind = 'broker', value = '{"slug":"alpha"}' }: ForgedEntry,
): Promise<number> =>
  inDatabase(service, async (db) => {
    const entries = db.collection('recordEntries');
    const last = await entries.findOne({ key }, { sort: { sequence: -1 } });
    const _id = new ObjectId();
    const sequence = (last?.['sequence'] ?? -1) + 1;
    const entry = { _id, ...createOwnChange(), key, sequence, subject: 'broker/alpha', kind, cause: 'fact', value };
    await entries.insertOne({ ...entry, pending: 0 });
    return until('it has a number', 20_000, async () => (await entries.findOne({ _id }))?.['number'] as number);
  });
