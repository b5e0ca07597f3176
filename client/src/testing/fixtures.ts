import type {
  BrokerDetail,
  BrokerEntity,
  BrokerWarning,
  ChecklistItem,
  Color,
  License,
  NewsItem,
  Regulator,
  Review,
} from '@broker-transparency/client';
import type { Known, KnownValues } from './known.ts';

/** Color that a broker can be given. */
export type KnownColor = Known<Color>;

/**
 * A published review of a broker. What is left out is drawn.
 * @example const review: ReviewFixture = { rating: 1.5, title: 'Never paid out' };
 */
export interface ReviewFixture extends Partial<Omit<Review, 'brokerSlug'>> {
  /** Stars, 1 to 5. */
  readonly rating: number;
}

/**
 * A licence of a broker. What is left out is drawn; the tier is the regulator's, the holder the first entity.
 * @example const license: LicenseFixture = { regulatorCode: 'test-xa', status: 'suspended' };
 */
export interface LicenseFixture extends Partial<Omit<KnownValues<License>, 'tier' | 'entity'>> {
  readonly regulatorCode: string;
  /** Legal name of the holder. */
  readonly legalName?: string;
}

/**
 * Complaints of verified people in the last 36 months, by what came of them.
 * @example const complaints: ComplaintsFixture = { open: 2, overdue: 1, resolved: 4, unresolved: 1 };
 */
export interface ComplaintsFixture {
  readonly open?: number;
  /** Forwarded more than 15 days ago and not answered. */
  readonly overdue?: number;
  readonly resolved?: number;
  readonly unresolved?: number;
  /** How many of the resolved and unresolved ones were answered within 15 days; all of them by default. */
  readonly timely?: number;
}

/** What of a broker is neither computed nor a list of its own. */
export type Profile = Omit<
  KnownValues<BrokerDetail>,
  | 'color'
  | 'score'
  | 'ratingSummary'
  | 'complaintSummary'
  | 'licenseCount'
  | 'bestTier'
  | 'updatedAt'
  | 'entities'
  | 'licenses'
  | 'ratingsByMonth'
  | 'checklist'
  | 'warnings'
  | 'recentReviews'
>;

/**
 * Facts of a broker. What is left out is drawn, so that the score comes out in the `color`. The score itself cannot be
 * given: it is computed from the facts.
 * @example const broker: BrokerFixture = { slug: 'late-payer', color: 'yellow', complaints: { overdue: 3 } };
 */
export interface BrokerFixture extends Partial<Profile> {
  readonly slug: string;
  /**
   * What the drawn facts lead to; green where it is left out. Together with facts that lead to another it is refused.
   */
  readonly color?: KnownColor;
  readonly entities?: readonly Omit<BrokerEntity, 'regulationScore'>[];
  readonly licenses?: readonly LicenseFixture[];
  /** What the broker discloses; the rest is drawn. */
  readonly checklist?: Readonly<Partial<Record<Known<ChecklistItem['key']>, boolean | null>>>;
  /** `[{}]` is a warning about this firm. */
  readonly warnings?: readonly Partial<KnownValues<BrokerWarning>>[];
  /** Published reviews, or how many. */
  readonly reviews?: number | readonly ReviewFixture[];
  readonly complaints?: ComplaintsFixture;
}

/**
 * Facts of a regulator. What is left out is made up.
 * @example const regulator: RegulatorFixture = { code: 'my-authority', tier: 2 };
 */
export interface RegulatorFixture extends Partial<Omit<KnownValues<Regulator>, 'brokerCount'>> {
  readonly code: string;
}

/**
 * An item of news. What is left out is drawn.
 * @example const item: NewsFixture = { category: 'warning', severity: 'critical', brokerSlugs: ['alpha-markets'] };
 */
export type NewsFixture = Partial<KnownValues<NewsItem>>;

/**
 * What a test server begins with. What is left out is drawn from the seed: 30 brokers, 6 regulators and 25 items of
 * news, all of them fictional.
 * @example const fixtures: Fixtures = { brokers: [{ slug: 'alpha-markets' }, { slug: 'no-licence', color: 'red' }], news: 0 };
 */
export interface Fixtures {
  /** The brokers that there are, or how many to draw. */
  readonly brokers?: number | readonly BrokerFixture[];
  /** The regulators that there are. */
  readonly regulators?: readonly RegulatorFixture[];
  /** The news that there is, or how many items to draw. */
  readonly news?: number | readonly NewsFixture[];
}
