import type { License, Tier } from '@broker-transparency/client';
import type { KnownColor } from './fixtures.ts';
import type { KnownValue } from './known.ts';

type Range = readonly [min: number, max: number];

/** Ranges of facts from which the server draws a broker, so that its score gets a certain color. */
export interface Recipe {
  readonly tiers: readonly KnownValue<Tier>[];
  readonly licenseStatuses: readonly KnownValue<License['status']>[];
  /** Whether its licences have been checked. */
  readonly checked: boolean;
  /** Number of years since its licence became active. */
  readonly years: Range;
  /** Number of disclosures that it makes. */
  readonly met: Range;
  /** The ratings of its reviews, in half stars. */
  readonly halfStars: Range;
  readonly reviews: Range;
  readonly resolved: Range;
  readonly unresolved: Range;
}

export const RECIPES: Readonly<Record<KnownColor, Recipe>> = {
  green: {
    tiers: [1],
    licenseStatuses: ['active'],
    checked: true,
    years: [10, 22],
    met: [9, 10],
    halfStars: [8, 10],
    reviews: [14, 24],
    resolved: [2, 6],
    unresolved: [0, 1],
  },
  yellow: {
    tiers: [2, 3],
    licenseStatuses: ['active'],
    checked: true,
    years: [4, 8],
    met: [5, 7],
    halfStars: [5, 8],
    reviews: [4, 12],
    resolved: [2, 4],
    unresolved: [1, 3],
  },
  red: {
    tiers: [1, 2, 3, 4],
    licenseStatuses: ['revoked', 'suspended', 'withdrawn'],
    checked: true,
    years: [2, 8],
    met: [1, 4],
    halfStars: [2, 5],
    reviews: [2, 9],
    resolved: [0, 2],
    unresolved: [2, 6],
  },
  gray: {
    tiers: [2, 3, 4],
    licenseStatuses: ['unverified'],
    checked: false,
    years: [2, 6],
    met: [0, 0],
    halfStars: [4, 9],
    reviews: [0, 3],
    resolved: [0, 0],
    unresolved: [0, 0],
  },
};

/** The colors, in turn, of brokers that a fixture gives only by number. */
export const COLORS_IN_TURN: readonly KnownColor[] = [
  ...(['green', 'yellow', 'green', 'red', 'green'] as const),
  ...(['yellow', 'gray', 'green', 'yellow', 'red'] as const),
];
