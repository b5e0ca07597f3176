/* The arithmetic of scores by itself: nothing here needs zod. */
export type { PublishedRating, ScoreFacts } from './score/facts.ts';
export { recomputeScore, scoreBroker } from './score/score.ts';
