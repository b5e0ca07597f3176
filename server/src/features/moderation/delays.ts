import type { ModerationDelay } from '@broker-transparency/contract';
import type { Db } from '../../platform/mongo.ts';
import { measureDelay } from './delays.rule.ts';
import { DELAY_DAYS } from './policy.rule.ts';
import { countDelays } from './store.ts';

const DAY = 86_400_000;

/** Measures how long the cases waited that people decided within the last year, of all brokers together. */
export const measureDelays = async (
  db: Db,
  now: Date,
): Promise<Record<'reviews' | 'reports' | 'appeals', ModerationDelay>> => {
  const since = new Date(now.getTime() - DELAY_DAYS * DAY);
  const [reviews, reports, appeals] = await Promise.all([
    countDelays(db, 'reviews', since),
    countDelays(db, 'reports', since),
    countDelays(db, 'appeals', since),
  ]);
  return { reviews: measureDelay(reviews), reports: measureDelay(reports), appeals: measureDelay(appeals) };
};
