export { DownloadError } from './audit/failure.ts';
export { type DownloadedFile, type DownloadOptions, downloadMonth } from './service-level/download.ts';
export type { MonthFiles, MonthProblem } from './service-level/files.ts';
export {
  type MonthDifference,
  type PublishedMonth,
  type RecomputedDay,
  type RecomputedMonth,
  type RecomputeOptions,
  recomputeMonth,
} from './service-level/recompute.ts';
export type { TransferOptions } from './transfer.ts';
