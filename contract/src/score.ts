/* The score arithmetic alone: nothing here needs zod. */
export type { PublishedRating, ScoreFacts } from './score/facts.ts';
export { recomputeScore, scoreBroker } from './score/score.ts';
