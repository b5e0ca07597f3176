/** The counts that moderation publishes and compares with its records. */
export { findCounts, listCounts, sumDisputes } from './store.ts';
