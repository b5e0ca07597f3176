/* The score arithmetic alone: nothing here needs zod. */
export type { ComplaintCounts, PublishedRating, ScoreFacts } from './score/facts.ts';
export { METHODOLOGIES, type Methodology } from './score/methodologies.ts';
export { complaintCounts, recomputeScore, scoreBroker, scoreByVersion } from './score/score.ts';
