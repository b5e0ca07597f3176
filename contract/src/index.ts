export {
  ACCOUNT_BASE_PATH,
  AppealSubmission,
  accountContract,
  OwnComplaintList,
  OwnReport,
  OwnReportList,
  OwnReview,
  OwnReviewList,
  OwnReviewProof,
  ReportSubmission,
} from './account.ts';
export { MAIL_LANGUAGES, MAIL_SOURCES, MailCode, MailRequest, OwnMail } from './account-mail.ts';
export * from './contract.ts';
export {
  DISPUTE_CHANGES,
  DISPUTE_FIELDS,
  DISPUTE_STATUSES,
  Dispute,
  type DisputeChange,
  type DisputeField,
  type DisputeStatus,
} from './disputes.ts';
export { ENDED_LICENSE_STATUSES } from './ended-licenses.ts';
export { ProvenEntries, ProvenEntry } from './entries.ts';
export { BrokerAt, BrokerHistory, BrokerProof, HISTORY_PERIODS, HistoryStep, WinningEntry } from './history.ts';
export {
  classifyLicense,
  countLicenses,
  hasLicenseEnded,
  type LicensedBroker,
  type LicenseFilteredBroker,
  type LicenseStanding,
  listLicenseChoices,
} from './license-counts.ts';
export {
  BrokerEntity,
  LICENSE_TYPES,
  License,
  LicenseCounts,
  LicenseEntity,
  LicenseStatus,
  ServedCountries,
} from './licenses.ts';
export {
  type Access,
  CACHES,
  LIMITS,
  type RouteMeta,
  SCOPES,
  type Scope,
  scaleBudget,
} from './metadata.ts';
export {
  APPEAL_OUTCOMES,
  APPEAL_STATUSES,
  type AppealOutcome,
  DECISION_ORIGINS,
  DECISIONS,
  type DecisionKind,
  GIVEN_REASON_CODES,
  type GivenReasonCode,
  GROUNDS,
  ModerationAppeal,
  ModerationDecision,
  ModerationText,
  REASON_CODES,
  REASONS,
  REPORT_OUTCOMES,
  REPORT_STATUSES,
  type ReasonCode,
  type ReportOutcome,
  StatementOfReasons,
  StatementOpening,
} from './moderation.ts';
export { MOST_OPENINGS, Opening, OpeningList, Salts } from './openings.ts';
export {
  CalendarDate,
  Country,
  Cursor,
  CursorPagination,
  type ExtensibleValue,
  Language,
  Lei,
  Money,
  Month,
  NoBody,
  OffsetPagination,
  QueryInteger,
  RegulatorCode,
  Slug,
  Text,
  Tier,
  Timestamp,
  WebUrl,
} from './primitives.ts';
export { PROBLEM_CODES, PROBLEMS, Problem, type ProblemCode, ProblemItem, type ProblemWith } from './problem.ts';
export { Protections, Register, RegulatorRules, RegulatorSource } from './registers.ts';
export type { Idempotency } from './route.ts';
export type { PublishedRating, ScoreFacts } from './score/facts.ts';
export {
  CHECKLIST_KEYS,
  type ChecklistKey,
  COLORS,
  LICENSE_STATUSES,
  METHODOLOGY_VERSION,
} from './score/methodology.ts';
export {
  Color,
  ComplaintMonth,
  RatingMonth,
  Score,
  ScoreCap,
  ScoreComponent,
  ScoreConfidence,
  StarDistribution,
} from './score/schema.ts';
export { recomputeScore, toScoreColor } from './score/score.ts';
export { CanaryMark, ServiceLevelEntry, WrittenMark } from './service-level-routes.ts';
export { SourceKind } from './sources.ts';
export {
  ModerationCounts,
  ModerationDelay,
  ModerationTransparency,
  TRANSPARENCY_BASE_PATH,
  transparencyContract,
} from './transparency.ts';
export {
  type ClientProtection,
  decideVerdict,
  type EntityVerdict,
  type JudgedBroker,
  type LicenseEvidence,
  type PermissionState,
  type UnreadRegister,
  type Verdict,
} from './verdict.ts';
