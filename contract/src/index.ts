export * from './account.ts';
export * from './account-mail.ts';
export * from './brokers.ts';
export * from './complaints.ts';
export * from './contract.ts';
export * from './history.ts';
export * from './license-counts.ts';
export * from './licenses.ts';
export * from './metadata.ts';
export * from './moderation.ts';
export * from './news.ts';
export * from './openings.ts';
export * from './primitives.ts';
export * from './problem.ts';
export * from './registers.ts';
export * from './regulators.ts';
export * from './residences.ts';
export * from './reviews.ts';
export type { ComplaintCounts, PublishedRating, ScoredEntity, ScoredLicense, ScoreFacts } from './score/facts.ts';
export {
  CHECKLIST_KEYS,
  type ChecklistKey,
  COLORS,
  COMPLAINT_PRIOR,
  LICENSE_STATUSES,
  METHODOLOGY_VERSION,
} from './score/methodology.ts';
export * from './score/schema.ts';
export {
  bayesianAverage,
  complaintCounts,
  entityRegulation,
  nano,
  ratingSums,
  recomputeScore,
  scoreBroker,
  scoringLicenses,
  toScoreColor,
} from './score/score.ts';
export * from './search.ts';
export * from './service-level-routes.ts';
export * from './sources.ts';
export * from './transparency.ts';
export * from './verdict.ts';
