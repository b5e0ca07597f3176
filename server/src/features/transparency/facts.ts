/** What moderation reads, and writes anew where it differs. */
export { allCounts, findCounts, replaceCounts } from './store.ts';
