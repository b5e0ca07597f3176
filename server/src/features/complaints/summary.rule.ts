import {
  COMPLAINT_PRIOR,
  type ComplaintCounts,
  type ComplaintStatus,
  type ComplaintSummary,
} from '@broker-transparency/contract';
import type * as z from 'zod';
import { dueAt, isOverdue, isTimely } from './deadlines.rule.ts';

/** The fields of a complaint that are counted. */
export interface CountedComplaint {
  readonly status: ComplaintStatus;
  readonly kycVerified: boolean;
  readonly forwardedAt?: Date;
  readonly respondedAt?: Date;
  readonly closedAt?: Date;
}

const DAY = 86_400_000;
const isClosed = ({ status }: CountedComplaint): boolean => status === 'resolved' || status === 'unresolved';
const isOver = (complaint: CountedComplaint): boolean =>
  isClosed(complaint) || complaint.status === 'rejected' || complaint.status === 'withdrawn';

/** Returns the same day and time `months` earlier, or the last day of a shorter month. */
const monthsBefore = (at: Date, months: number): Date => {
  const first = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - months, 1));
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const time = at.getTime() - Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
  return new Date(first.getTime() + (Math.min(at.getUTCDate(), days) - 1) * DAY + time);
};

const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

const median = (sorted: readonly number[]): number | null => {
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
    open: complaints.filter((complaint) => !isOver(complaint)).length - overdue,
    overdue,
    closed: closed.length,
    resolvedRate: share(closed.filter(({ status }) => status === 'resolved').length, closed.length),
    timelyRate: share(closed.filter(isTimely).length, closed.length),
    medianResponseDays: median(days),
  };
};

/**
 * Returns the counts for the score: complaints of verified people that were closed or became overdue in the window. An
 * overdue complaint counts as closed, unresolved and late.
 */
const count = (complaints: readonly CountedComplaint[], at: Date): ComplaintCounts => {
  const from = monthsBefore(at, COMPLAINT_PRIOR.windowMonths);
  const verified = complaints.filter((complaint) => complaint.kycVerified);
  const closed = verified.filter((complaint) => isClosed(complaint) && (complaint.closedAt ?? at) >= from);
  const overdue = verified.filter((complaint) => isOverdue(complaint, at) && (dueAt(complaint) ?? at) >= from);
  return {
    closed: closed.length + overdue.length,
    resolved: closed.filter(({ status }) => status === 'resolved').length,
    timely: closed.filter(isTimely).length,
  };
};

/** Returns both counts of a broker's complaints at a time. Pure. */
export const countComplaints = (complaints: readonly CountedComplaint[], at: Date) => ({
  summary: summarise(complaints, at),
  scored: count(complaints, at),
});
