import type { ScoredLicense, ScoreFacts } from '../score/facts.ts';
import type { ComplaintMonth, RatingMonth, Score } from '../score/schema.ts';
import { findMethodology } from '../score/score.ts';
import type { BrokerValue, LicenseValue, RegulatorValue, ReviewValue, WarningValue } from './entry.ts';

/** The record's facts of a broker at two times that its score needs. */
export interface RatedFacts {
  readonly broker: BrokerValue;
  readonly licenses: readonly LicenseValue[];
  readonly warnings: readonly WarningValue[];
  /** Tiers of regulators, by code. */
  readonly tiers: ReadonlyMap<string, RegulatorValue['tier']>;
  /** Published reviews of it and of the brokers merged into it, summed by `ratingMonths`. */
  readonly ratingsByMonth: readonly RatingMonth[];
  /** Complaints about the same brokers, as `addComplaintMonths` adds them up. */
  readonly complaintsByMonth: readonly ComplaintMonth[];
}

/** The tier of a licence whose regulator is not published. */
const UNKNOWN_TIER = 4;

/**
 * Sums up reviews by the month in which they were written, oldest month first.
 * @example ratingMonths([{ rating: 4.25, month: '2026-03' }]).map(({ month, sum }) => [month, sum]) // [['2026-03', 425]]
 */
export const ratingMonths = (reviews: Iterable<Pick<ReviewValue, 'rating' | 'month'>>): RatingMonth[] => {
  const months = new Map<string, RatingMonth>();
  for (const { rating, month } of reviews) {
    const sums = months.get(month) ?? {
      month,
      count: 0,
      sum: 0,
      sumOfSquares: 0,
      distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
    };
    const hundredths = Math.round(rating * 100); // whole numbers add up exactly
    sums.count += 1;
    sums.sum += hundredths;
    sums.sumOfSquares += hundredths * hundredths;
    sums.distribution[Math.round(hundredths / 100) as keyof RatingMonth['distribution']] += 1;
    months.set(month, sums);
  }
  return [...months.values()].sort((a, b) => (a.month < b.month ? -1 : 1));
};

/**
 * Adds up the complaint months of several brokers, oldest month first.
 * @example addComplaintMonths([{ month: '2026-03', closed: 2, resolved: 1, timely: 2 }])[0]?.resolved // 1
 */
export const addComplaintMonths = (months: Iterable<ComplaintMonth>): ComplaintMonth[] => {
  const sums = new Map<string, ComplaintMonth>();
  for (const { month, closed, resolved, timely } of months) {
    const known = sums.get(month) ?? { month, closed: 0, resolved: 0, timely: 0 };
    sums.set(month, {
      month,
      closed: known.closed + closed,
      resolved: known.resolved + resolved,
      timely: known.timely + timely,
    });
  }
  return [...sums.values()].sort((a, b) => (a.month < b.month ? -1 : 1));
};

const toScoredLicenses = ({ regulator, holders }: LicenseValue, tiers: RatedFacts['tiers']): ScoredLicense[] =>
  holders.map(({ legalName, type, status, activeSince }) => ({
    entity: { legalName },
    regulatorCode: regulator,
    type,
    status,
    tier: tiers.get(regulator) ?? UNKNOWN_TIER,
    ...(activeSince === undefined ? {} : { activeSince }),
  }));

/**
 * Scores a broker from its facts in the record.
 * @param version the methodology in force
 * @param validAt RFC 3339 time in UTC at which ages are measured
 * @throws RangeError as `scoreBroker` does, and for a version that this package does not know
 * @example scoreFromRecord({ broker: { slug: 'a', name: 'A', status: 'ceased', checked: true, entities: [], checklist: [] }, licenses: [], warnings: [], tiers: new Map(), ratingsByMonth: [], complaintsByMonth: [] }, '2026-1', '2026-03-01T00:00:00Z').color // 'gray'
 * @see docs/record.md#scores
 */
export const scoreFromRecord = (facts: RatedFacts, version: string, validAt: string): Score => {
  const { broker, licenses, warnings, tiers, ratingsByMonth, complaintsByMonth } = facts;
  const { score, countComplaints } = findMethodology(version);
  const scored: ScoreFacts = {
    status: broker.status,
    licensesCheckedAt: broker.checked ? validAt : null,
    entities: broker.entities,
    licenses: licenses.flatMap((license) => toScoredLicenses(license, tiers)),
    ratingsByMonth,
    complaints: countComplaints(complaintsByMonth, new Date(validAt)),
    checklist: broker.checklist,
    warnings,
  };
  return score(scored, validAt);
};
