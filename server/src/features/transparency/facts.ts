/** What moderation compares with its records, and shows. */
export { allCounts, findCounts } from './store.ts';
