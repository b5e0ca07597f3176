import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';

/** The mark of a broker. */
export interface StoredMark {
  /** Key of the broker. */
  readonly _id: string;
  /** SHA-256 of the picture, shortened: its address. */
  readonly hash: string;
  /** The picture as PNG. */
  readonly png: Buffer;
  readonly setAt: Date;
}

const BrokerMarks = defineModel(
  'BrokerMark',
  new Schema<StoredMark>(
    {
      _id: String,
      hash: { type: String, required: true },
      png: { type: Schema.Types.Buffer, required: true } as never,
      setAt: { type: Date, required: true },
    },
    STRICT,
  ).index({ hash: 1 }),
  'brokerMarks',
);

/** Returns the hash of a broker's mark, without its picture. */
export const findMarkHash = async (db: Db, key: string, tx?: Tx): Promise<string | undefined> =>
  (
    await BrokerMarks(db)
      .findById(key, { hash: 1 })
      .session(tx ?? null)
      .maxTimeMS(500)
      .lean<Pick<StoredMark, 'hash'>>()
      .exec()
  )?.hash;

/** Lists the keys of the other brokers that have the same mark. */
export const listKeysWithMark = async (db: Db, hash: string, key: string, tx: Tx): Promise<string[]> => {
  const found = await BrokerMarks(db)
    .find({ hash, _id: { $ne: key } }, { _id: 1 })
    .session(tx)
    .maxTimeMS(500)
    .lean<Pick<StoredMark, '_id'>[]>()
    .exec();
  return found.map(({ _id }) => _id);
};

/** Returns the picture with a hash. */
export const findPicture = async (db: Db, hash: string): Promise<Buffer | undefined> => {
  const found = await BrokerMarks(db)
    .findOne({ hash }, { _id: 0, png: 1 })
    .maxTimeMS(500)
    .lean<{ readonly png: { readonly buffer: Uint8Array } }>()
    .exec();
  return found ? Buffer.from(found.png.buffer) : undefined;
};

export const saveMark = async (mark: StoredMark, tx: Tx): Promise<void> => {
  await BrokerMarks(tx.db).replaceOne({ _id: mark._id }, mark, { upsert: true }).session(tx);
};

export const deleteMark = async (key: string, tx: Tx): Promise<void> => {
  await BrokerMarks(tx.db).deleteOne({ _id: key }).session(tx);
};
