/* The score arithmetic alone: nothing here needs zod. */
export type { PublishedRating, ScoreFacts } from './score/facts.ts';
export { complaintCounts, recomputeScore, scoreBroker } from './score/score.ts';
