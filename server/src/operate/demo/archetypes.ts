import type { BrokerDetail, LicenseStatus } from '@broker-transparency/contract';

/** A kind of broker. An entry that a list repeats is drawn more often. */
export interface Archetype {
  readonly key: 'strong' | 'solid' | 'mixed' | 'weak' | 'unchecked' | 'gone';
  /** Share of all brokers. */
  readonly share: number;
  readonly statuses: readonly BrokerDetail['status'][];
  /** Tiers of the first entity's regulator; 0 means no licence. */
  readonly mainTiers: readonly number[];
  readonly mainStatuses: readonly LicenseStatus[];
  /** Numbers of further entities. */
  readonly others: readonly number[];
  readonly otherTiers: readonly number[];
  readonly otherStatuses: readonly LicenseStatus[];
  /** Range of years since the first licence. */
  readonly years: readonly [number, number];
  /** Probability that a disclosure is met. */
  readonly met: number;
  /** Mean rating in stars. */
  readonly stars: number;
  /** Probability that a broker has no reviews at all. */
  readonly unreviewed: number;
  /** Relative numbers of reviews and complaints. */
  readonly reviews: number;
  readonly complaints: number;
  /** Probabilities that a complaint is resolved, and that it is answered in time. */
  readonly resolved: number;
  readonly timely: number;
}

const ENDED_OR_DOUBTFUL = ['revoked', 'suspended', 'withdrawn', 'expired', 'unverified', 'pending'] as const;

export const ARCHETYPES: readonly Archetype[] = [
  {
    key: 'strong',
    share: 0.34,
    statuses: ['operating'],
    mainTiers: [1, 1, 1, 2],
    mainStatuses: ['active'],
    others: [0, 0, 0, 1, 1, 2],
    otherTiers: [1, 1, 1, 2, 2, 3, 4],
    otherStatuses: ['active', 'active', 'active', 'active', 'pending', 'withdrawn'],
    years: [6, 25],
    met: 0.93,
    stars: 4.35,
    unreviewed: 0,
    reviews: 3,
    complaints: 1,
    resolved: 0.85,
    timely: 0.93,
  },
  {
    key: 'solid',
    share: 0.2,
    statuses: ['operating'],
    mainTiers: [2, 2, 3],
    mainStatuses: ['active', 'active', 'active', 'restricted'],
    others: [0, 0, 1, 2],
    otherTiers: [2, 3, 4, 0],
    otherStatuses: ['active', 'active', 'restricted', 'expired', 'unverified'],
    years: [3, 15],
    met: 0.75,
    stars: 3.8,
    unreviewed: 0.1,
    reviews: 1.5,
    complaints: 2,
    resolved: 0.7,
    timely: 0.8,
  },
  {
    key: 'mixed',
    share: 0.16,
    statuses: ['operating'],
    mainTiers: [3, 3, 4],
    mainStatuses: ['active', 'active', 'restricted'],
    others: [0, 1, 1, 2],
    otherTiers: [3, 4, 4, 0, 0],
    otherStatuses: ['active', 'active', 'suspended', 'expired', 'unverified'],
    years: [2, 10],
    met: 0.6,
    stars: 3.2,
    unreviewed: 0.2,
    reviews: 1,
    complaints: 4,
    resolved: 0.5,
    timely: 0.6,
  },
  {
    key: 'weak',
    share: 0.17,
    statuses: ['operating', 'operating', 'operating', 'operating', 'suspected_clone'],
    mainTiers: [1, 2, 3, 4, 0],
    mainStatuses: ENDED_OR_DOUBTFUL,
    others: [0, 0, 1],
    otherTiers: [4, 0],
    otherStatuses: ENDED_OR_DOUBTFUL,
    years: [2, 8],
    met: 0.35,
    stars: 2.2,
    unreviewed: 0.25,
    reviews: 1,
    complaints: 8,
    resolved: 0.25,
    timely: 0.35,
  },
  {
    key: 'unchecked',
    share: 0.06,
    statuses: ['operating'],
    mainTiers: [1, 2, 3, 4],
    mainStatuses: ['unverified'],
    others: [0, 0, 1],
    otherTiers: [4, 0],
    otherStatuses: ['unverified'],
    years: [2, 8],
    met: 0,
    stars: 3.4,
    unreviewed: 0.5,
    reviews: 0.5,
    complaints: 1,
    resolved: 0.5,
    timely: 0.5,
  },
  {
    key: 'gone',
    share: 0.07,
    statuses: ['ceased', 'merged'],
    mainTiers: [1, 2, 3],
    mainStatuses: ['withdrawn', 'withdrawn', 'expired'],
    others: [0, 0, 1],
    otherTiers: [3, 4, 0],
    otherStatuses: ['withdrawn'],
    years: [4, 15],
    met: 0.3,
    stars: 3.3,
    unreviewed: 0.2,
    reviews: 0.5,
    complaints: 0,
    resolved: 0.5,
    timely: 0.5,
  },
];
