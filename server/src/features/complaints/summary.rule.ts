import type { ComplaintMonth, ComplaintStatus, ComplaintSummary } from '@broker-transparency/contract';
import type * as z from 'zod';
import { computeDueAt, isOverdue, isTimely } from './deadlines.rule.ts';

/** The fields of a complaint that are counted. */
export interface CountedComplaint {
  readonly status: ComplaintStatus;
  readonly kycVerified: boolean;
  readonly forwardedAt?: Date;
  readonly respondedAt?: Date;
  readonly closedAt?: Date;
  /** True if the complaint was corrected and the record does not show it yet. */
  readonly correctionDue?: boolean;
}

const DAY = 86_400_000;
const isClosed = ({ status }: CountedComplaint): boolean => status === 'resolved' || status === 'unresolved';
const hasEnded = (complaint: CountedComplaint): boolean =>
  isClosed(complaint) || complaint.status === 'rejected' || complaint.status === 'withdrawn';

const computeShare = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

const computeMedian = (sorted: readonly number[]): number | null => {
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : Math.round(((low + high) / 2) * 10) / 10;
};

/** Returns the public counts of a broker's complaints, over all people and all time. */
const summarise = (complaints: readonly CountedComplaint[], at: Date): z.infer<typeof ComplaintSummary> => {
  const closed = complaints.filter(isClosed);
  const overdue = complaints.filter((complaint) => isOverdue(complaint, at)).length;
  const days = complaints
    .flatMap(({ forwardedAt, respondedAt }) =>
      forwardedAt && respondedAt ? [(respondedAt.getTime() - forwardedAt.getTime()) / DAY] : [],
    )
    .sort((a, b) => a - b);
  return {
    open: complaints.filter((complaint) => !hasEnded(complaint)).length - overdue,
    overdue,
    closed: closed.length,
    resolvedRate: computeShare(closed.filter(({ status }) => status === 'resolved').length, closed.length),
    timelyRate: computeShare(closed.filter(isTimely).length, closed.length),
    medianResponseDays: computeMedian(days),
  };
};

/** Returns the time at which a complaint counts for the score, or undefined if it does not count. */
const findCountedAt = (complaint: CountedComplaint, at: Date): Date | undefined => {
  if (!complaint.kycVerified) return undefined;
  if (isClosed(complaint)) return complaint.closedAt ?? at;
  return isOverdue(complaint, at) ? computeDueAt(complaint) : undefined;
};

/**
 * Returns the complaints of verified people by UTC month, oldest first: in the month in which they were closed or, if
 * still overdue, became overdue. An overdue complaint counts as closed, unresolved and late.
 */
const countByMonth = (complaints: readonly CountedComplaint[], at: Date): ComplaintMonth[] => {
  const months = new Map<string, ComplaintMonth>();
  for (const complaint of complaints) {
    const month = findCountedAt(complaint, at)?.toISOString().slice(0, 7);
    if (month === undefined) continue;
    const counts = months.get(month) ?? { month, closed: 0, resolved: 0, timely: 0 };
    counts.closed += 1;
    counts.resolved += complaint.status === 'resolved' ? 1 : 0;
    counts.timely += isClosed(complaint) && isTimely(complaint) ? 1 : 0;
    months.set(month, counts);
  }
  return [...months.values()].sort((a, b) => (a.month < b.month ? -1 : 1));
};

/** Returns the public counts of a broker's complaints at a time: over all time, and by month for the score. Pure. */
export const countComplaints = (complaints: readonly CountedComplaint[], at: Date) => ({
  summary: summarise(complaints, at),
  byMonth: countByMonth(complaints, at),
  /** True if the counts correct earlier ones. */
  isCorrection: complaints.some(({ correctionDue }) => correctionDue === true),
});
