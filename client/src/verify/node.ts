export { type Audit, type AuditOptions, audit } from '../audit/audit.ts';
export type { ReplayResult } from '../audit/entries.ts';
export { DownloadError } from '../audit/failure.ts';
export { type AnswerFields, type AnswerKind, FIELDS, REASONS, type Reason } from '../audit/fields.ts';
export type { AnswerComparison, LiveAnswers, LiveReviews } from '../audit/live.ts';
export type { Finding } from '../audit/log.ts';
export { readSample } from '../audit/sample.ts';
export { type DownloadedFile, type DownloadOptions, downloadMonth } from '../service-level/download.ts';
export type { MonthFiles, MonthProblem } from '../service-level/files.ts';
export {
  type MonthDifference,
  type PublishedMonth,
  type RecomputedDay,
  type RecomputedMonth,
  type RecomputeOptions,
  recomputeMonth,
} from '../service-level/recompute.ts';
export type { TransferOptions } from '../transfer.ts';
