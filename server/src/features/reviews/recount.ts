import type { TxContext } from '../../platform/context.ts';
import { replaceMonths, sumReviews } from './store.ts';

/** Counts the rating months of these brokers again, from the published reviews themselves. */
export const recountMonths = async ({ tx }: TxContext, brokers: readonly string[]): Promise<void> =>
  replaceMonths(brokers, await sumReviews(brokers, tx), tx);
