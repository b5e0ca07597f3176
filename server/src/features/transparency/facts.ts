/** The counts that moderation publishes and compares with its records. */
export { allCounts, findCounts } from './store.ts';
