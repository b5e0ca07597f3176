import { type DemoOptions, demoBrokers } from './brokers.ts';
import { demoComplaints } from './complaints.ts';
import { brokerNames, slugOf } from './names.ts';
import { demoNews } from './news.ts';
import { demoReviews } from './reviews.ts';

const SEED = 'broker-transparency-demo-1';
const BROKERS = 300;

/** Returns the slugs of the demo brokers without building the whole set. */
export const demoSlugs = (): string[] => brokerNames(SEED, BROKERS).map(slugOf);

/**
 * Returns the demo set. Pure: the same anchor and regulators give the same data, byte for byte. All of it is fictional.
 */
export const demoSet = ({
  anchor,
  regulators,
  seed = SEED,
}: Omit<DemoOptions, 'seed'> & { readonly seed?: string }) => {
  const brokers = demoBrokers({ seed, anchor, regulators }, BROKERS);
  return {
    brokers: brokers.map(({ record }) => record),
    /** The same brokers, with when they had clients. */
    lives: brokers,
    reviews: demoReviews(brokers, seed, anchor, 20_000),
    complaints: demoComplaints(brokers, seed, anchor, 1500),
    news: demoNews(brokers, seed, anchor, 120),
  };
};
