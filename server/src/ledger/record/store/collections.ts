import type { EntryCause, EntryKind } from '@broker-transparency/contract/record';
import { type Collection, Schema, type Types } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../../platform/mongo.ts';
import { MAJORITY_READ, STRICT } from '../../../platform/schema.ts';
import type { ChangePlace } from '../entry.rule.ts';

/** An entry within its change: the entries that one transaction wrote. */
export interface StoredPlace extends ChangePlace {
  readonly _id: Types.ObjectId;
  /** Id of the change; the same for all its entries. */
  readonly change: Types.ObjectId;
}

/** An entry as it is stored. It never changes, except that it gets its number. */
export interface StoredEntry extends StoredPlace {
  readonly key: string;
  /** Index among the entries of its key. */
  readonly sequence: number;
  readonly subject: string;
  readonly kind: EntryKind;
  readonly cause: EntryCause;
  readonly validFrom?: string;
  readonly validTo?: string;
  /** Canonical JSON. */
  readonly value: string;
  /** Set until the entry has a number: 0, or 1 for an entry that gets its number after all others. */
  readonly pending?: 0 | 1;
  readonly number?: number;
  readonly time?: string;
}

/** An entry that has its number. */
export type NumberedEntry = StoredEntry & Required<Pick<StoredEntry, 'number' | 'time'>>;

/** A public text, with the random bytes that open its commitment. */
export interface SaltedText {
  /** 32 bytes in base64. */
  readonly salt: string;
  readonly text: string;
}

/** The public texts of one key, by field. */
export interface StoredTexts {
  /** The key of the entry. */
  readonly _id: string;
  readonly texts: Readonly<Record<string, SaltedText>>;
}

/** The end of the record. */
export interface Head {
  /** The number of the next entry. Entries from here on do not count yet, even if they have a number. */
  readonly next: number;
  /** Time of the last entry. */
  readonly time: string;
}

/** Entries that are getting their numbers, in this order, from the end of the record on. */
export interface Batch {
  readonly time: string;
  readonly ids: readonly Types.ObjectId[];
}

/** The end of the record, with the batch that was begun there. The end does not move before the batch ends. */
export type NumberingState = Head & { readonly batch?: Batch };

const text = { type: String, required: true } as const;

/** Selects entries that correct or take back what was published. */
export const CORRECTING = { cause: { $in: ['correction', 'undo'] satisfies EntryCause[] } };

export const Entries = defineModel(
  'RecordEntry',
  new Schema<StoredEntry>(
    {
      key: text,
      sequence: { type: Number, required: true },
      subject: text,
      kind: text,
      cause: text,
      validFrom: String,
      validTo: String,
      value: text,
      change: { type: Schema.Types.ObjectId, required: true },
      changeIndex: { type: Number, required: true },
      changeSize: { type: Number, required: true },
      pending: Number,
      number: Number,
      time: String,
    },
    STRICT,
  )
    .index({ key: 1, sequence: -1 }, { unique: true })
    .index({ key: 1, number: -1 }, { partialFilterExpression: { number: { $exists: true } } })
    .index({ number: 1 }, { unique: true, partialFilterExpression: { number: { $exists: true } } })
    .index({ number: 1, cause: 1 }, { partialFilterExpression: CORRECTING })
    .index({ pending: 1, change: 1, changeIndex: 1 }, { partialFilterExpression: { pending: { $exists: true } } })
    .index({ subject: 1, number: 1 }, { partialFilterExpression: { number: { $exists: true } } }),
  'recordEntries',
);

export const Texts = defineModel(
  'RecordText',
  new Schema<StoredTexts>({ _id: String, texts: { type: Schema.Types.Mixed, required: true } }, STRICT),
  'recordTexts',
);

export const Heads = defineModel(
  'RecordHead',
  new Schema<NumberingState & { _id: string }>(
    { _id: String, next: Number, time: String, batch: Schema.Types.Mixed },
    STRICT,
  ),
  'recordHeads',
);

export const HEAD = { _id: 'record' } as const;

/** Returns a condition for texts that begin with this and a `/`; `0` is the character after `/`. */
export const matchPrefix = (prefix: string) => ({ $gte: `${prefix}/`, $lt: `${prefix}0` });

/**
 * Inserts documents. A single one is inserted by itself, since the driver inserts several through its bulk operations.
 */
export const insertRows = async (
  { collection }: { readonly collection: Collection },
  rows: readonly object[],
  tx: Tx,
) => {
  const [first] = rows;
  if (first && rows.length === 1) await collection.insertOne(first, { session: tx });
  else await collection.insertMany([...rows], { session: tx });
};

/** Returns the end of the record; undefined before the first entry. */
export const readHead = (db: Db, options: { readonly session?: Tx } = {}): Promise<Head | null> =>
  Heads(db).collection.findOne<Head>(HEAD as never, { projection: { next: 1, time: 1 }, ...MAJORITY_READ, ...options });
