import { findHints, type HintCode, type HintedReview } from './hints.rule.ts';

/** Returns the hints that a moderator would get from the text of a review alone, for its author before it is sent. */
export const findAdvice = (review: HintedReview): HintCode[] =>
  findHints(review, { candidates: [], lastDay: 0, before: 0 }).map(({ code }) => code);
