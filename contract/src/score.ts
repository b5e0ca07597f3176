/* The arithmetic of scores by itself: nothing here needs zod. */
export { type PublishedRating, recomputeScore, type ScoreFacts, scoreBroker } from './score/score.ts';
