import {
  type AppealOutcome,
  type ModerationCounts,
  REASON_CODES,
  type ReasonCode,
  type ReportOutcome,
  type ReviewStatus,
} from '@broker-transparency/contract';

/** Counts by their path in the published form, such as `reviews.rejected.insult`. */
export type CountCells = Readonly<Record<string, number>>;

export interface CountedReview {
  readonly status: ReviewStatus;
  readonly reasonCode?: ReasonCode | undefined;
}
export interface CountedCase<Outcome> {
  readonly status: 'open' | 'decided';
  readonly outcome?: Outcome | undefined;
}

/** Returns the places in which a review counts. A review without a stored reason counts under `other_with_text`. */
export const toReviewCells = ({ status, reasonCode = 'other_with_text' }: CountedReview): string[] => [
  'reviews.received',
  status === 'rejected' || status === 'removed' ? `reviews.${status}.${reasonCode}` : `reviews.${status}`,
];

export const toReportCells = ({ status, outcome }: CountedCase<ReportOutcome>): string[] => [
  'reports.received',
  ...(status === 'open' ? ['reports.open'] : []),
  ...(outcome === 'removed' ? ['reports.upheld'] : []),
];

export const toAppealCells = ({ status, outcome }: CountedCase<AppealOutcome>): string[] => [
  'appeals.received',
  ...(status === 'open' ? ['appeals.open'] : []),
  ...(outcome === 'reversed' ? ['appeals.reversed'] : []),
];

/** Returns the changes that move a record from its earlier places to its current ones. */
export const diffCells = (before: readonly string[], after: readonly string[]): CountCells => ({
  ...Object.fromEntries(before.filter((cell) => !after.includes(cell)).map((cell) => [cell, -1])),
  ...Object.fromEntries(after.filter((cell) => !before.includes(cell)).map((cell) => [cell, 1])),
});

/** Sums several changes. */
export const sumCells = (parts: Iterable<CountCells>): CountCells => {
  const sum: Record<string, number> = {};
  for (const part of parts) for (const [cell, count] of Object.entries(part)) sum[cell] = (sum[cell] ?? 0) + count;
  return sum;
};

const pickByReason = (cells: CountCells, place: string) =>
  Object.fromEntries(REASON_CODES.map((code) => [code, cells[`${place}.${code}`] ?? 0])) as Record<ReasonCode, number>;

/** Converts cells to the published form, which has every count. */
export const toCounts = (cells: CountCells): ModerationCounts => ({
  reviews: {
    received: cells['reviews.received'] ?? 0,
    pending: cells['reviews.pending'] ?? 0,
    published: cells['reviews.published'] ?? 0,
    withheld: cells['reviews.withheld'] ?? 0,
    withdrawn: cells['reviews.withdrawn'] ?? 0,
    rejected: pickByReason(cells, 'reviews.rejected'),
    removed: pickByReason(cells, 'reviews.removed'),
  },
  reports: {
    received: cells['reports.received'] ?? 0,
    open: cells['reports.open'] ?? 0,
    upheld: cells['reports.upheld'] ?? 0,
  },
  appeals: {
    received: cells['appeals.received'] ?? 0,
    open: cells['appeals.open'] ?? 0,
    reversed: cells['appeals.reversed'] ?? 0,
  },
});

/** Flattens nested counts into cells. */
export const flattenCounts = (value: object, place = ''): CountCells =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => {
      const here = place === '' ? key : `${place}.${key}`;
      return typeof child === 'number' ? [[here, child]] : Object.entries(flattenCounts(child, here));
    }),
  );
