import type { Regulator } from '@broker-transparency/contract';
import { Schema } from 'mongoose';
import { type Db, defineModel, nextIds, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { RegulatorState } from './record.rule.ts';

/** Stored in the form of the answer, under its code. */
export type RegulatorDocument = Omit<Regulator, 'code'> & { readonly _id: string };

const Regulators = defineModel(
  'Regulator',
  new Schema<RegulatorDocument>(
    {
      _id: String,
      name: { type: String, required: true },
      country: { type: String, required: true },
      tier: { type: Number, required: true },
      tierReason: { type: String, required: true },
      website: { type: String, required: true },
      registerUrl: { type: String, required: true },
      complaintsUrl: { type: String, required: true },
      protections: { type: Schema.Types.Mixed, required: true },
      sources: { type: Schema.Types.Mixed, required: true },
      lastVerifiedAt: String,
      registerReadAt: String,
      brokerCount: { type: Number, required: true },
      stale: Boolean,
    },
    STRICT,
  ),
  'regulators',
);

export const listRegulators = (db: Db) =>
  Regulators(db).find({}).sort({ _id: 1 }).maxTimeMS(500).lean<RegulatorDocument[]>().exec();

/** Lists all regulators as BSON, in the same order. */
export const listRawRegulators = (db: Db): Promise<Uint8Array[]> =>
  Regulators(db)
    .collection.find<Uint8Array>({}, { raw: true, sort: { _id: 1 }, maxTimeMS: 500 })
    .toArray();

export const findRegulator = (db: Db, code: string) =>
  Regulators(db).findById(code).maxTimeMS(500).lean<RegulatorDocument>().exec();

export const findTiers = (db: Db, tx?: Tx) =>
  Regulators(db)
    .find({}, { tier: 1 })
    .session(tx ?? null)
    .lean<Pick<RegulatorDocument, '_id' | 'tier'>[]>()
    .exec();

/** Returns the stored facts of all regulators. */
export const findStates = (tx: Tx) =>
  Regulators(tx.db).find({}, { brokerCount: 0, stale: 0 }).session(tx).lean<RegulatorState[]>().exec();

export const findCounts = (tx: Tx) =>
  Regulators(tx.db)
    .find({}, { brokerCount: 1 })
    .session(tx)
    .lean<Pick<RegulatorDocument, '_id' | 'brokerCount'>[]>()
    .exec();

/** Returns the times of the last checks of these regulators, or of all. */
export const findVerified = (db: Db, codes?: readonly string[], tx?: Tx) =>
  Regulators(db)
    .find(codes ? { _id: { $in: codes } } : {}, { lastVerifiedAt: 1 })
    .session(tx ?? null)
    .lean<Pick<RegulatorDocument, '_id' | 'lastVerifiedAt'>[]>()
    .exec();

export const setComputed = async (
  code: string,
  computed: Required<Pick<RegulatorDocument, 'brokerCount' | 'stale'>>,
  tx: Tx,
): Promise<void> => {
  await Regulators(tx.db).updateOne({ _id: code }, { $set: computed }).session(tx);
};

/** Reads the stored facts byte for byte. */
export const readRegulators = async (codes: readonly string[], tx: Tx): Promise<Map<string, RegulatorState>> => {
  const rows = await Regulators(tx.db)
    .collection.find<RegulatorState>(
      { _id: { $in: codes as never[] } },
      { session: tx, projection: { brokerCount: 0, stale: 0 } },
    )
    .toArray();
  return new Map(rows.map((row) => [row._id, row]));
};

/** Inserts or replaces the facts of regulators, and keeps what is computed. Null removes a regulator. */
export const replaceRegulators = async (states: ReadonlyMap<string, RegulatorState | null>, tx: Tx): Promise<void> => {
  await Regulators(tx.db).collection.bulkWrite(
    [...states].map(([code, state]) =>
      state === null
        ? { deleteOne: { filter: { _id: code as never } } }
        : {
            updateOne: {
              filter: { _id: code as never },
              update: [
                {
                  $replaceWith: {
                    $mergeObjects: [
                      { $literal: state },
                      {
                        brokerCount: { $ifNull: ['$brokerCount', 0] },
                        stale: { $ifNull: ['$stale', state.lastVerifiedAt === null] },
                      },
                    ],
                  },
                },
              ],
              upsert: true,
            },
          },
    ),
    { session: tx },
  );
};

/** Returns up to `limit` codes after this one, in order. */
export const nextRegulators = (db: Db, code: string, limit: number): Promise<string[]> =>
  nextIds(Regulators(db), code, limit);
