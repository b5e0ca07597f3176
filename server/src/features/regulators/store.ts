import type { Regulator } from '@broker-transparency/contract';
import mongoose, { Schema } from 'mongoose';
import { nextIds, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { RegulatorState } from './record.rule.ts';

/** Stored in the form of the answer, under its code. */
export type RegulatorDocument = Omit<Regulator, 'code'> & { readonly _id: string };

const Regulators = mongoose.model(
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
      brokerCount: { type: Number, required: true },
      stale: Boolean,
    },
    STRICT,
  ),
  'regulators',
);

export const listRegulators = () =>
  Regulators.find({}).sort({ _id: 1 }).maxTimeMS(500).lean<RegulatorDocument[]>().exec();

export const findRegulator = (code: string) =>
  Regulators.findById(code).maxTimeMS(500).lean<RegulatorDocument>().exec();

export const findTiers = (tx?: Tx) =>
  Regulators.find({}, { tier: 1 })
    .session(tx ?? null)
    .lean<Pick<RegulatorDocument, '_id' | 'tier'>[]>()
    .exec();

export const findCounts = (tx: Tx) =>
  Regulators.find({}, { brokerCount: 1 }).session(tx).lean<Pick<RegulatorDocument, '_id' | 'brokerCount'>[]>().exec();

/** Returns when these regulators, or all, were last checked. */
export const findVerified = (codes?: readonly string[], tx?: Tx) =>
  Regulators.find(codes ? { _id: { $in: codes } } : {}, { lastVerifiedAt: 1 })
    .session(tx ?? null)
    .lean<Pick<RegulatorDocument, '_id' | 'lastVerifiedAt'>[]>()
    .exec();

export const setComputed = async (
  code: string,
  computed: Required<Pick<RegulatorDocument, 'brokerCount' | 'stale'>>,
  tx: Tx,
): Promise<void> => {
  await Regulators.updateOne({ _id: code }, { $set: computed }).session(tx);
};

/** Reads the stored facts byte for byte. */
export const readRegulators = async (codes: readonly string[], tx: Tx): Promise<Map<string, RegulatorState>> => {
  const rows = await Regulators.collection
    .find<RegulatorState>({ _id: { $in: codes as never[] } }, { session: tx, projection: { brokerCount: 0, stale: 0 } })
    .toArray();
  return new Map(rows.map((row) => [row._id, row]));
};

/** Inserts or replaces the facts of regulators, and keeps what is computed. Null removes a regulator. */
export const replaceRegulators = async (states: ReadonlyMap<string, RegulatorState | null>, tx: Tx): Promise<void> => {
  await Regulators.collection.bulkWrite(
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
export const nextRegulators = (code: string, limit: number): Promise<string[]> => nextIds(Regulators, code, limit);
