import { importBrokers } from '../../features/brokers/actions.ts';
import type { BrokerRecord } from '../../features/brokers/record.rule.ts';
import { loadComplaints } from '../../features/complaints/actions.ts';
import { publishComplaints } from '../../features/complaints/entries.ts';
import { importNews } from '../../features/news/actions.ts';
import { stateVerified } from '../../features/regulators/actions.ts';
import { loadReviews } from '../../features/reviews/actions.ts';
import { type Context, inTransaction } from '../../platform/context.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { startOfUtcDay } from './calendar.ts';
import type { DemoRegulator } from './licenses.ts';
import { demoSet } from './set.ts';

/** Maximum number of documents per transaction, unless a single broker has more. */
const BATCH = 1000;

/** Splits a list that is ordered by broker into batches, without splitting a broker. */
const batches = <T extends { readonly broker: string }>(rows: readonly T[]): T[][] => {
  const result: T[][] = [[]];
  for (const group of Map.groupBy(rows, (row) => row.broker).values()) {
    const last = result.at(-1) as T[];
    if (last.length > 0 && last.length + group.length > BATCH) result.push(group);
    else last.push(...group);
  }
  return result;
};

/**
 * Ignores duplicate keys. A transaction stores a batch completely or not at all, so an interrupted load has already
 * stored this one.
 */
const once = (work: Promise<void>): Promise<void> =>
  work.catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });

/** States that the registers were read when the last licence was checked: no page gives two answers. */
const stateRead = (context: Context, brokers: readonly BrokerRecord[]): Promise<void> => {
  const checked = brokers
    .flatMap(({ licenses = [] }) => licenses)
    .filter(({ lastVerifiedAt }) => lastVerifiedAt !== null);
  const codes = [...new Set(checked.map(({ regulatorCode }) => regulatorCode))];
  const at = new Date(Math.max(...checked.map(({ lastVerifiedAt }) => Date.parse(lastVerifiedAt as string))));
  return inTransaction(context, (c) => stateVerified(c, codes, { register: 'demo', url: 'https://demo.example', at }));
};

/**
 * Loads the demo set into a database without broker profiles. Brokers come last, in one transaction: until they exist
 * the set is incomplete, and another load adds what is missing. That also works on another day, because persons,
 * references, addresses and batches do not depend on the date.
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
  await stateRead(context, brokers);
  await importBrokers(context, brokers, 'demo');
  await publishComplaints(context);
};
