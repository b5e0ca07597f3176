import type { ModerationDelay } from '@broker-transparency/contract';
import { Schema } from 'mongoose';
import { type Db, defineModel } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import { measureDelay } from './delays.rule.ts';
import { DELAY_DAYS } from './policy.rule.ts';
import { countDelays } from './store.ts';

const DAY = 86_400_000;

/** How long cases waited until people decided them, by what was decided. */
export type ModerationDelays = Record<'reviews' | 'reports' | 'appeals', ModerationDelay>;

interface DelaysDocument extends ModerationDelays {
  readonly _id: string;
}

const { Mixed } = Schema.Types;
const figure = { type: Mixed, required: true };

/** The figure of the last day: one document. */
const Delays = defineModel(
  'ModerationDelays',
  new Schema<DelaysDocument>({ _id: String, reviews: figure, reports: figure, appeals: figure }, STRICT),
  'moderationDelays',
);

/** Measures how long the cases waited that people decided within the last year, of all brokers together. */
const measureDelays = async (db: Db, now: Date): Promise<ModerationDelays> => {
  const since = new Date(now.getTime() - DELAY_DAYS * DAY);
  const [reviews, reports, appeals] = await Promise.all([
    countDelays(db, 'reviews', since),
    countDelays(db, 'reports', since),
    countDelays(db, 'appeals', since),
  ]);
  return { reviews: measureDelay(reviews), reports: measureDelay(reports), appeals: measureDelay(appeals) };
};

/** Measures and stores the figure of the day, which every broker's answer shows. */
export const refreshDelays = async (db: Db, now: Date): Promise<ModerationDelays> => {
  const delays = await measureDelays(db, now);
  await Delays(db).updateOne({ _id: 'all' }, { $set: delays }, { upsert: true });
  return delays;
};

/** Returns the figure of the day; before its job has run for the first time, measures it. */
export const readDelays = async (db: Db, now: Date): Promise<ModerationDelays> => {
  const stored = await Delays(db).findById('all', { _id: 0 }).maxTimeMS(500).lean<ModerationDelays>().exec();
  return stored ?? measureDelays(db, now);
};
