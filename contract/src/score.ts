/* The score arithmetic alone: nothing here needs zod. */
export {
  type CountedLicense,
  type ExplainedComponent,
  type ExplainedScore,
  explainScore,
  type Formula,
  type WeighedMonth,
} from './score/explain.ts';
export type { ComplaintCounts, PublishedRating, ScoredEntity, ScoredLicense, ScoreFacts } from './score/facts.ts';
export { METHODOLOGIES, type Methodology } from './score/methodologies.ts';
export {
  bayesianAverage,
  complaintCounts,
  entityRegulation,
  nano,
  ratingSums,
  recomputeScore,
  scoreBroker,
  scoreByVersion,
  scoringLicenses,
} from './score/score.ts';
export { decideVerdict } from './verdict.ts';
export {
  classifyWarning,
  decideWarningChange,
  groupWarnings,
  isWarned,
  isWarningInForce,
  type WarningChange,
  type WarningStanding,
  type WarningState,
} from './warning-groups.ts';
