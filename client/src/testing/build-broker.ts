import type {
  BrokerDetail,
  BrokerSummary,
  ComplaintMonth,
  RatingMonth,
  Review,
  StarDistribution,
  Tier,
} from '@broker-transparency/client';
import { countLicenses, hasLicenseEnded } from '@broker-transparency/contract';
import {
  bayesianAverage,
  complaintCounts,
  entityRegulation,
  nano,
  ratingSums,
  scoreBroker,
  scoringLicenses,
} from '@broker-transparency/contract/score';
import type { TestBrokerFacts } from './broker-facts.ts';
import { type RegulatorFacts, toRegisters } from './regulators.ts';
import type { StoredReview } from './stored.ts';

/** Returns true if the holder still has a licence. */
export const isHeld = (license: { readonly status: string }): boolean => !hasLicenseEnded(license);

/** Returns the public part of a published review. */
export const toReviewView = ({
  token,
  status,
  publishedAt,
  reply,
  decision,
  appeal,
  ...review
}: StoredReview): Review => ({
  ...review,
  ...(reply === undefined ? {} : { reply }),
  publishedAt: publishedAt ?? review.createdAt,
});

/** Sorts items from newest to oldest. */
export const sortNewestFirst = <T extends { readonly id: string }>(
  items: readonly T[],
  getTime: (item: T) => string,
): T[] => {
  const key = (item: T) => `${new Date(getTime(item)).toISOString()} ${item.id}`;
  return [...items].sort((a, b) => (key(a) < key(b) ? 1 : -1));
};

const noStars = (): StarDistribution => ({ 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 });

/** Sums reviews by the month in which they were written, in hundredths of a star. */
const sumMonths = (reviews: readonly StoredReview[]): RatingMonth[] => {
  const months = new Map<string, RatingMonth>();
  for (const { rating, createdAt } of reviews) {
    const month = new Date(createdAt).toISOString().slice(0, 7);
    const sums = months.get(month) ?? { month, count: 0, sum: 0, sumOfSquares: 0, distribution: noStars() };
    const hundredths = Math.round(rating * 100);
    sums.count += 1;
    sums.sum += hundredths;
    sums.sumOfSquares += hundredths ** 2;
    sums.distribution[Math.round(hundredths / 100) as keyof StarDistribution] += 1;
    months.set(month, sums);
  }
  return [...months.values()].sort((a, b) => (a.month < b.month ? -1 : 1));
};

const summariseRatings = (months: readonly RatingMonth[], at: string): BrokerDetail['ratingSummary'] => {
  const distribution = noStars();
  let [count, sum] = [0, 0];
  for (const month of months) {
    count += month.count;
    sum += month.sum;
    for (const star of [1, 2, 3, 4, 5] as const) distribution[star] += month.distribution[star];
  }
  return {
    average: count === 0 ? null : Math.round(sum / count) / 100,
    bayesianAverage: nano(bayesianAverage(ratingSums(months, new Date(at)))),
    count,
    distribution,
  };
};

/** Returns the complaints of a broker in numbers. */
export const summariseComplaints = ({ open, overdue, resolved, unresolved, timely }: TestBrokerFacts['complaints']) => {
  const closed = resolved + unresolved;
  const share = (part: number) => (closed === 0 ? null : Math.round((part / closed) * 10_000) / 10_000);
  return {
    open,
    overdue,
    closed,
    resolvedRate: share(resolved),
    timelyRate: share(timely),
    medianResponseDays: closed === 0 ? null : 6,
  };
};

/** Counts the complaints in their month, overdue ones as closed, unresolved and late. */
export const countComplaintMonths = (complaints: TestBrokerFacts['complaints']): ComplaintMonth[] => {
  const { month, overdue, resolved, unresolved, timely } = complaints;
  const closed = resolved + unresolved + overdue;
  return closed === 0 ? [] : [{ month, closed, resolved, timely }];
};

const RECENT = 5;

/** Builds a broker's detail answer. The contract's own arithmetic computes the score from the facts in the answer. */
export const buildBroker = (
  facts: TestBrokerFacts,
  published: readonly StoredReview[],
  regulators: Iterable<RegulatorFacts>,
  at: string,
): BrokerDetail => {
  const { profile, complaints, warnings } = facts;
  const licenses = [...facts.licenses];
  const checklist = [...facts.checklist];
  const ratingsByMonth = sumMonths(published);
  const entities = facts.entities.map((entity) => ({
    ...entity,
    regulationScore: entityRegulation(entity.legalName, licenses),
  }));
  const complaintsByMonth = countComplaintMonths(complaints);
  const scored = { ...profile, entities, licenses, ratingsByMonth, complaintsByMonth, checklist, warnings };
  const score = scoreBroker({ ...scored, complaints: complaintCounts(complaintsByMonth, new Date(at)) }, at);
  const tiers = scoringLicenses({ entities, licenses }).map(({ tier }) => tier);
  return {
    ...scored,
    color: score.color,
    score,
    ratingSummary: summariseRatings(ratingsByMonth, at),
    complaintSummary: summariseComplaints(complaints),
    licenseCount: licenses.filter(isHeld).length,
    licenseCounts: countLicenses({ ...profile, entities, licenses }),
    bestTier: tiers.length === 0 ? null : (Math.min(...tiers) as Tier),
    updatedAt: at,
    recentReviews: sortNewestFirst(published, ({ publishedAt = '' }) => publishedAt)
      .slice(0, RECENT)
      .map(toReviewView),
    registers: toRegisters(regulators, licenses),
  };
};

/** Returns the short form of a broker for lists. */
export const toSummary = (detail: BrokerDetail): BrokerSummary => {
  const { entities, licenses, ratingsByMonth, complaintsByMonth, checklist, recentReviews, ...rest } = detail;
  const { provenance, registers, ...summary } = rest;
  return summary;
};
