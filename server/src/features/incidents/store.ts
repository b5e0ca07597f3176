import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';

/** An incident as operators describe it. */
export interface Incident {
  readonly _id: string;
  readonly title: string;
  readonly from: Date;
  /** null while the incident is ongoing. */
  readonly to: Date | null;
  /** Oldest first. */
  readonly updates: readonly { readonly at: Date; readonly text: string }[];
  readonly openedAt: Date;
  /** Time of the retraction; a retracted incident is not published. */
  readonly retractedAt?: Date;
}

const text = { type: String, required: true } as const;
const date = { type: Date, required: true } as const;

const Incidents = defineModel(
  'Incident',
  new Schema<Incident>(
    {
      _id: String,
      title: text,
      from: date,
      to: { type: Date, default: null },
      updates: { type: [new Schema({ at: date, text }, { _id: false })], required: true },
      openedAt: date,
      retractedAt: Date,
    },
    STRICT,
  ).index({ from: -1 }),
  'incidents',
);

export const findIncident = (db: Db, id: string, tx?: Tx): Promise<Incident | null> =>
  Incidents(db)
    .findById(id)
    .session(tx ?? null)
    .lean<Incident>()
    .exec();

/** Lists incidents, including retracted ones, newest first. */
export const listIncidents = (db: Db, limit: number): Promise<Incident[]> =>
  Incidents(db).find().sort({ from: -1 }).limit(limit).lean<Incident[]>().exec();

/** Lists published incidents that are ongoing or ended after a time, newest first. */
export const publishedSince = (db: Db, since: Date, limit: number): Promise<Incident[]> =>
  Incidents(db)
    .find({ retractedAt: { $exists: false }, $or: [{ to: null }, { to: { $gte: since } }] })
    .sort({ from: -1 })
    .limit(limit)
    .maxTimeMS(1000)
    .lean<Incident[]>()
    .exec();

/** Stores an incident, replacing the one with its id. */
export const saveIncident = async (incident: Incident, tx: Tx): Promise<void> => {
  await Incidents(tx.db).replaceOne({ _id: incident._id }, incident, { upsert: true }).session(tx);
};
