import type { Tx } from '../../platform/mongo.ts';
import { replaceMonths, sumReviews } from './store.ts';

/** Counts the rating months of these brokers again, from the published reviews themselves. */
export const recountMonths = async (brokers: readonly string[], tx: Tx): Promise<void> =>
  replaceMonths(brokers, await sumReviews(brokers, tx), tx);
