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
import type { KnownValue, KnownValues } from './known.ts';

/** A color that a fixture can ask for. */
export type KnownColor = KnownValue<Color>;

/**
 * A published review of a broker. The server draws the fields that are left out.
 * @example const review: ReviewFixture = { rating: 1.5, title: 'Never paid out' };
 */
export interface ReviewFixture extends Partial<Omit<Review, 'brokerSlug'>> {
  /** From 1 to 5 stars. */
  readonly rating: number;
}

/**
 * A licence of a broker. The server draws the fields that are left out. The tier is that of the regulator, and the
 * holder is the first entity by default.
 * @example const license: LicenseFixture = { regulatorCode: 'test-xa', status: 'suspended' };
 */
export interface LicenseFixture extends Partial<Omit<KnownValues<License>, 'tier' | 'entity'>> {
  readonly regulatorCode: string;
  /** Legal name of the holder. */
  readonly legalName?: string;
}

/**
 * Number of complaints by verified people, by outcome. The score counts them in the month in which the server gets the
 * fixture.
 * @example const complaints: ComplaintsFixture = { open: 2, overdue: 1, resolved: 4, unresolved: 1 };
 */
export interface ComplaintsFixture {
  readonly open?: number;
  /** Forwarded more than 15 days ago, but not answered. */
  readonly overdue?: number;
  readonly resolved?: number;
  readonly unresolved?: number;
  /** Number of resolved and unresolved complaints that were answered within 15 days; all of them by default. */
  readonly timely?: number;
}

/** The fields of a broker that are neither computed nor lists of their own. */
export type Profile = Omit<
  KnownValues<BrokerDetail>,
  | 'color'
  | 'score'
  | 'ratingSummary'
  | 'complaintSummary'
  | 'licenseCount'
  | 'licenseCounts'
  | 'bestTier'
  | 'updatedAt'
  | 'entities'
  | 'licenses'
  | 'ratingsByMonth'
  | 'complaintsByMonth'
  | 'checklist'
  | 'warnings'
  | 'recentReviews'
  | 'registers'
>;

/**
 * Facts of a broker. The server draws the fields that are left out so that the score gets the `color`. A fixture cannot
 * set the score itself, because it is computed from the facts.
 * @example const broker: BrokerFixture = { slug: 'late-payer', color: 'yellow', complaints: { overdue: 3 } };
 */
export interface BrokerFixture extends Partial<Profile> {
  readonly slug: string;
  /**
   * The color that the facts must lead to; the server draws towards green by default. The server refuses a color that
   * the given facts do not lead to.
   */
  readonly color?: KnownColor;
  readonly entities?: readonly Omit<BrokerEntity, 'regulationScore'>[];
  readonly licenses?: readonly LicenseFixture[];
  /** The disclosures of the broker. The server draws the others. */
  readonly checklist?: Readonly<Partial<Record<KnownValue<ChecklistItem['key']>, boolean | null>>>;
  /** `[{}]` adds one warning about this firm. */
  readonly warnings?: readonly Partial<KnownValues<BrokerWarning>>[];
  /** The published reviews, or their number. */
  readonly reviews?: number | readonly ReviewFixture[];
  readonly complaints?: ComplaintsFixture;
}

/**
 * Facts of a regulator. The server invents the fields that are left out.
 * @example const regulator: RegulatorFixture = { code: 'my-authority', tier: 2 };
 */
export interface RegulatorFixture extends Partial<Omit<KnownValues<Regulator>, 'brokerCount'>> {
  readonly code: string;
}

/**
 * An item of news. The server draws the fields that are left out.
 * @example const item: NewsFixture = { category: 'warning', severity: 'critical', brokerSlugs: ['alpha-markets'] };
 */
export type NewsFixture = Partial<KnownValues<NewsItem>>;

/**
 * The initial data of a test server. By default the server draws 30 brokers, 6 regulators and 25 items of news from the
 * seed, all of them fictional.
 * @example const fixtures: Fixtures = { brokers: [{ slug: 'alpha-markets' }, { slug: 'no-licence', color: 'red' }], news: 0 };
 */
export interface Fixtures {
  /** The brokers, or the number of brokers to draw. */
  readonly brokers?: number | readonly BrokerFixture[];
  /** The regulators. */
  readonly regulators?: readonly RegulatorFixture[];
  /** The items of news, or the number of items to draw. */
  readonly news?: number | readonly NewsFixture[];
  /**
   * Former slugs of brokers that were renamed or merged, each with the slug of a broker: `{ alpha: 'alpha-markets' }`.
   * If there is a broker under the former slug, it goes, and its reviews move to the other one.
   */
  readonly formerSlugs?: Readonly<Record<string, string>>;
}
