import { createDemoBrokers, type DemoOptions } from './brokers.ts';
import { createDemoComplaints } from './complaints.ts';
import { createBrokerNames, toSlug } from './names.ts';
import { createDemoNews } from './news.ts';
import { createDemoReviews } from './reviews.ts';

const SEED = 'broker-transparency-demo-1';
const BROKERS = 300;

/** Returns the slugs of the demo brokers without building the whole set. */
export const listDemoSlugs = (): string[] => createBrokerNames(SEED, BROKERS).map(toSlug);

/**
 * Returns the demo set. Pure: the same anchor and regulators give the same data, byte for byte. All of it is fictional.
 */
export const createDemoSet = ({
  anchor,
  regulators,
  seed = SEED,
}: Omit<DemoOptions, 'seed'> & { readonly seed?: string }) => {
  const brokers = createDemoBrokers({ seed, anchor, regulators }, BROKERS);
  return {
    brokers: brokers.map(({ record }) => record),
    /** The same brokers, with the periods in which they had clients. */
    lives: brokers,
    reviews: createDemoReviews(brokers, seed, anchor, 20_000),
    complaints: createDemoComplaints(brokers, seed, anchor, 1500),
    news: createDemoNews(brokers, seed, anchor, 120),
  };
};
