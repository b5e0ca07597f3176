/** The counts that moderation publishes and compares with its records. */
export { findCounts, listCounts, sumDisputes, sumEveryCount } from './store.ts';
