import { importBrokers } from '../../features/brokers/actions.ts';
import { loadComplaints } from '../../features/complaints/actions.ts';
import { importNews } from '../../features/news/actions.ts';
import { loadReviews } from '../../features/reviews/actions.ts';
import type { Context } from '../../platform/context.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { startOfUtcDay } from './calendar.ts';
import type { DemoRegulator } from './licenses.ts';
import { demoSet } from './set.ts';

/** Documents in one transaction, unless a single broker has more. */
const BATCH = 1000;

/** Cuts a list that goes broker by broker into batches that keep each broker together. */
const batches = <T extends { readonly broker: string }>(rows: readonly T[]): T[][] => {
  const result: T[][] = [[]];
  for (const group of Map.groupBy(rows, (row) => row.broker).values()) {
    const last = result.at(-1) as T[];
    if (last.length > 0 && last.length + group.length > BATCH) result.push(group);
    else last.push(...group);
  }
  return result;
};

/** A batch is stored whole or not at all: where a part of it is there, an earlier load that was cut short has stored it. */
const once = (work: Promise<void>): Promise<void> =>
  work.catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });

/**
 * Loads the demo set into a database without broker profiles. Brokers come last, in one transaction: as long as there is
 * none, the set is not complete, and loading again adds what is missing. That works on another day too, since persons,
 * references, addresses and the division into batches do not depend on the date.
 */
export const loadDemo = async (
  context: Context,
  regulators: readonly DemoRegulator[],
  onProgress: (step: string) => void = () => {},
): Promise<void> => {
  const { brokers, reviews, complaints, news } = demoSet({ anchor: startOfUtcDay(context.clock()), regulators });
  onProgress(`${news.length} news items`);
  await importNews(context, news, 'demo');
  onProgress(`${reviews.length} reviews`);
  for (const batch of batches(reviews)) await once(loadReviews(context, batch));
  onProgress(`${complaints.length} complaints`);
  for (const batch of batches(complaints)) await once(loadComplaints(context, batch));
  onProgress(`${brokers.length} brokers`);
  await importBrokers(context, brokers, 'demo');
};
