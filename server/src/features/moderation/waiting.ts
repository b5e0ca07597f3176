import type { Db } from '../../platform/mongo.ts';
import { brokersOf } from '../brokers/facts.ts';
import { countWritten, writtenAbout } from '../reviews/facts.ts';
import { BURST, isBurst } from './hints.rule.ts';

export { waitingReviews } from '../reviews/facts.ts';
/** What waits for moderators. */
export { waitingAppeals, waitingReports } from './store.ts';

const DAY = 86_400_000;

/** A broker with more reviews within a day than usual. */
export interface Burst {
  /** Its current slug. */
  readonly broker: string;
  readonly lastDay: number;
  /** Number in the days before. */
  readonly before: number;
}

/** Returns the brokers with a burst of reviews in the day before a time, by the rule of the hint. */
export const burstsAt = async (db: Db, now: Date): Promise<Burst[]> => {
  const dayBefore = new Date(now.getTime() - DAY);
  const many = await writtenAbout(db, dayBefore, BURST.reviews);
  const find = await brokersOf(
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
