import type { TxContext } from '../../ledger/context.ts';
import { replaceMonths, sumReviews } from './store.ts';

/** Replaces the rating months of these brokers with sums over their published reviews. */
export const recountMonths = async ({ tx }: TxContext, brokers: readonly string[]): Promise<void> =>
  replaceMonths(brokers, await sumReviews(brokers, tx), tx);
