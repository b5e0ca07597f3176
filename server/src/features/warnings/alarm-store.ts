import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { Alarm, AlarmKind } from './alarms.rule.ts';

/** A stored alarm. */
export interface KeptAlarm extends Alarm {
  readonly raisedAt: Date;
  /** Reason why it needs no more attention; null while it is open. */
  readonly settled: { readonly at: Date; readonly why: string } | null;
}

const text = { type: String, required: true } as const;

const Alarms = defineModel(
  'BrokerAlarm',
  new Schema<KeptAlarm>(
    {
      _id: String,
      kind: text,
      regulator: String,
      value: text,
      brokers: { type: [String], required: true },
      isClone: { type: Boolean, required: true },
      raisedAt: { type: Date, required: true },
      settled: Schema.Types.Mixed,
    },
    STRICT,
  ),
  'brokerAlarms',
);

export const findAlarms = (db: Db, tx?: Tx): Promise<KeptAlarm[]> =>
  Alarms(db)
    .find({})
    .sort({ raisedAt: 1, _id: 1 })
    .session(tx ?? null)
    .lean<KeptAlarm[]>()
    .exec();

export const findAlarm = (id: string, tx: Tx): Promise<KeptAlarm | null> =>
  Alarms(tx.db).findById(id).session(tx).lean<KeptAlarm>().exec();

export const saveAlarm = async (alarm: KeptAlarm, tx: Tx): Promise<void> => {
  await Alarms(tx.db).replaceOne({ _id: alarm._id }, alarm, { upsert: true }).session(tx);
};

export const deleteAlarm = async (id: string, tx: Tx): Promise<void> => {
  await Alarms(tx.db).deleteOne({ _id: id }).session(tx);
};

export const countOpenAlarms = async (db: Db) =>
  Alarms(db)
    .aggregate<{ kind: AlarmKind; isClone: boolean; count: number }>([
      { $match: { settled: null } },
      { $group: { _id: { kind: '$kind', isClone: '$isClone' }, count: { $sum: 1 } } },
      { $project: { _id: 0, kind: '$_id.kind', isClone: '$_id.isClone', count: 1 } },
    ])
    .option({ maxTimeMS: 500 });
