import type { Db } from '../../platform/mongo.ts';
import { resolveSlugs } from '../brokers/facts.ts';
import { countWritten, findBusyBrokers } from '../reviews/facts.ts';
import { BURST, isBurst } from './hints.rule.ts';

export { countWaitingReviews } from '../reviews/facts.ts';
/** Counts of the cases that wait for moderators. */
export { countWaitingAppeals, countWaitingReports } from './store.ts';

const DAY = 86_400_000;

/** A broker with more reviews within a day than usual. */
export interface ReviewBurst {
  /** Its current slug. */
  readonly broker: string;
  readonly lastDay: number;
  /** Number in the days before. */
  readonly before: number;
}

/** Returns the brokers with a burst of reviews in the day before a time, by the rule of the hint. */
export const findBursts = async (db: Db, now: Date): Promise<ReviewBurst[]> => {
  const dayBefore = new Date(now.getTime() - DAY);
  const many = await findBusyBrokers(db, dayBefore, BURST.reviews);
  const find = await resolveSlugs(
    db,
    many.map(({ broker }) => broker),
  );
  const all = await Promise.all(
    many.map(async ({ broker, count: lastDay }) => {
      const { slug, keys } = find(broker) ?? { slug: broker, keys: [broker] };
      const from = new Date(dayBefore.getTime() - BURST.days * DAY);
      return { broker: slug, lastDay, before: await countWritten(db, keys, from, dayBefore) };
    }),
  );
  return all.filter(isBurst);
};
