// Made from the contract by `pnpm generate`. Do not edit.

/**
 * Answer of `client.brokers.get`.
 * @example const answer: BrokerDetail = await client.brokers.get('alpha-markets');
 */
export interface BrokerDetail {
  id: string;
  slug: Slug;
  name: string;
  legalName: string;
  tradingNames: string[];
  lei?: Lei | undefined;
  website: WebUrl;
  domains: string[];
  country: Country;
  foundedYear: number | null;
  description: string;
  status: "operating" | "ceased" | "merged" | "suspected_clone" | (string & {});
  color: Color;
  score: Score;
  ratingSummary: RatingSummary;
  complaintSummary: ComplaintSummary;
  /** Licences held: not withdrawn, revoked or expired */
  licenseCount: number;
  /** Strongest tier among the licences that score */
  bestTier: Tier | null;
  warnings: BrokerWarning[];
  licensesCheckedAt: Timestamp | null;
  updatedAt: Timestamp;
  entities: BrokerEntity[];
  licenses: License[];
  ratingsByMonth: RatingMonth[];
  checklist: ChecklistItem[];
  /** The five newest published reviews */
  recentReviews: Review[];
  provenance: Provenance[];
}

/** Part of `BrokerDetail`. */
export interface BrokerEntity {
  legalName: string;
  lei?: Lei | undefined;
  country: Country;
  retailClients: boolean;
  /** Strength of its supervision, 0–100 */
  regulationScore: number;
}

/**
 * Answer of `client.brokers.list`.
 * @example const answer: BrokerList = await client.brokers.list();
 */
export interface BrokerList {
  data: BrokerSummary[];
  pagination: OffsetPagination;
}

/** Part of `BrokerList`, `SearchResults`. */
export interface BrokerSummary {
  id: string;
  slug: Slug;
  name: string;
  legalName: string;
  tradingNames: string[];
  lei?: Lei | undefined;
  website: WebUrl;
  domains: string[];
  country: Country;
  foundedYear: number | null;
  description: string;
  status: "operating" | "ceased" | "merged" | "suspected_clone" | (string & {});
  color: Color;
  score: Score;
  ratingSummary: RatingSummary;
  complaintSummary: ComplaintSummary;
  /** Licences held: not withdrawn, revoked or expired */
  licenseCount: number;
  /** Strongest tier among the licences that score */
  bestTier: Tier | null;
  warnings: BrokerWarning[];
  licensesCheckedAt: Timestamp | null;
  updatedAt: Timestamp;
}

/** Part of `BrokerDetail`, `BrokerSummary`. */
export interface BrokerWarning {
  source: string;
  url: WebUrl;
  title: string;
  publishedAt: Timestamp;
  withdrawnAt?: Timestamp | undefined;
  about: "this_firm" | "clone_of_it" | (string & {});
}

/**
 * Part of `License`.
 * @example const value: CalendarDate = '2014-03-01';
 */
export type CalendarDate = string;

/** Part of `BrokerDetail`. */
export interface ChecklistItem {
  key: "legalEntity" | "registerLink" | "fees" | "executionPolicy" | "clientMoney" | "riskWarning" | "complaintProcedure" | "leverage" | "address" | "ownership" | (string & {});
  met: boolean | null;
  sourceUrl: WebUrl | null;
  checkedAt: Timestamp | null;
}

/** Part of `BrokerDetail`, `BrokerSummary`, `RegulatedBroker`, `Score`. */
export type Color = "green" | "yellow" | "red" | "gray" | (string & {});

/**
 * Answer of `client.complaints.create`.
 * @example const answer: ComplaintReceipt = await client.complaints.create(body);
 */
export interface ComplaintReceipt {
  /** @example C-7QK2M9XF4T */
  reference: string;
  brokerSlug: Slug;
  category: "withdrawal" | "execution" | "pricing" | "account" | "conduct" | "misleading" | "other" | (string & {});
  title: string;
  status: "received" | "screening" | "forwarded" | "responded" | "resolved" | "unresolved" | "rejected" | "withdrawn" | (string & {});
  consentToForward: boolean;
  createdAt: Timestamp;
}

/**
 * Body of `client.complaints.create`.
 * @example const create = (body: ComplaintSubmission) => client.complaints.create(body);
 */
export interface ComplaintSubmission {
  broker: Slug;
  category: "withdrawal" | "execution" | "pricing" | "account" | "conduct" | "misleading" | "other";
  title: string;
  content: string;
  amountInDispute?: Money | undefined;
  occurredAt?: Timestamp | undefined;
  desiredResolution?: string | undefined;
  /** Whether the complaint may be sent to the broker with your name */
  consentToForward: boolean;
}

/** Part of `BrokerDetail`, `BrokerSummary`. */
export interface ComplaintSummary {
  /** Received and neither closed nor overdue */
  open: number;
  /** Forwarded more than 15 days ago and not answered */
  overdue: number;
  /** Resolved or unresolved, over all time */
  closed: number;
  /** Resolved among closed, 0–1; null without closed ones */
  resolvedRate: number | null;
  /** Answered within 15 days among closed, 0–1 */
  timelyRate: number | null;
  /** Days from forwarding to the broker’s answer */
  medianResponseDays: number | null;
}

/**
 * Part of many types.
 * @example const value: Country = 'GB';
 */
export type Country = string;

/** Part of `ReviewsListQuery`, `NewsListQuery`. */
export type Cursor = string;

/** Part of `NewsList`, `ReviewList`. */
export interface CursorPagination {
  /** Items asked for */
  limit: number;
  /** Cursor of the next page; null on the last one */
  nextCursor: string | null;
}

/**
 * Part of `NewsItem`, `Review`, `ReviewSubmission`, `SubmittedReview`.
 * @example const value: Language = 'en';
 */
export type Language = string;

/**
 * Part of `BrokerDetail`, `BrokerEntity`, `BrokerSummary`, `LicenseEntity`.
 * @example const value: Lei = '529900T8BM49AURSDO55';
 */
export type Lei = string;

/** Part of `BrokerDetail`. */
export interface License {
  entity: LicenseEntity;
  regulatorCode: RegulatorCode;
  /** Number in the regulator’s register */
  referenceNumber: string;
  /** Only an authorisation scores */
  type: "authorisation" | "passport" | "registration" | (string & {});
  tier: Tier;
  status: LicenseStatus;
  statusEffectiveAt: Timestamp | null;
  activeSince?: CalendarDate | undefined;
  permissions: string[];
  issuedAt: Timestamp | null;
  expiresAt?: Timestamp | undefined;
  sourceUrl: WebUrl;
  /** When the source was last opened; null: never */
  lastVerifiedAt: Timestamp | null;
}

/** Part of `License`. */
export interface LicenseEntity {
  legalName: string;
  lei?: Lei | undefined;
}

/** Part of `License`, `RegulatedBroker`. */
export type LicenseStatus = "pending" | "active" | "restricted" | "suspended" | "withdrawn" | "revoked" | "expired" | "unverified" | (string & {});

/** Part of `ComplaintSubmission`, `Protections`. */
export interface Money {
  amount: string;
  currency: string;
}

/**
 * Part of `RatingMonth`.
 * @example const value: Month = '2026-11';
 */
export type Month = string;

/** Part of `NewsList`. */
export interface NewsItem {
  id: string;
  title: string;
  summary: string;
  url: WebUrl;
  source: string;
  category: "warning" | "enforcement" | "license_change" | "market" | "product" | "service" | (string & {});
  severity: "info" | "notice" | "serious" | "critical" | (string & {});
  brokerSlugs: Slug[];
  regulatorCodes: RegulatorCode[];
  language: Language;
  publishedAt: Timestamp;
}

/**
 * Answer of `client.news.list`.
 * @example const answer: NewsList = await client.news.list();
 */
export interface NewsList {
  data: NewsItem[];
  pagination: CursorPagination;
}

/** Part of `BrokerList`. */
export interface OffsetPagination {
  /** Items asked for */
  limit: number;
  /** Items skipped */
  offset: number;
  /** Items that match */
  total: number;
}

/** Entry of `ApiError.errors`: one place in the request that is not valid. */
export interface ProblemItem {
  /** JSON Pointer into the body, as a URI fragment (RFC 6901) */
  pointer?: string | undefined;
  /** Name of the query or path parameter, or of the header */
  parameter?: string | undefined;
  /** What is wrong, as a stable word: required, unknown, too_small, … */
  code: string;
  /** The same for a person, with what is expected */
  detail: string;
}

/** Part of `Regulator`, `RegulatorDetail`. */
export interface Protections {
  /** Statutory compensation per person */
  compensationLimit: Money | null;
  negativeBalance: boolean | null;
  segregation: boolean | null;
  /** N of N:1 on major currency pairs */
  retailLeverageCap: number | null;
}

/** Part of `BrokerDetail`. */
export interface Provenance {
  /** Name of the field it backs */
  fact: string;
  sourceUrl: WebUrl;
  /** When the source was last opened; null: never */
  lastVerifiedAt: Timestamp | null;
  /** Whom to name, and under which licence, where the source asks for it */
  attribution?: string | undefined;
}

/** Part of `Review`, `ReviewSubmission`, `SubmittedReview`. */
export type Rating = number;

/** Part of `BrokerDetail`. */
export interface RatingMonth {
  month: Month;
  /** Published reviews */
  count: number;
  /** Σ rating, in hundredths of a star */
  sum: number;
  /** Σ rating², in hundredths squared */
  sumOfSquares: number;
  distribution: StarDistribution;
}

/** Part of `BrokerDetail`, `BrokerSummary`. */
export interface RatingSummary {
  /** Plain mean in stars, two decimals; null without reviews */
  average: number | null;
  /** Age-weighted mean shrunk toward 3 stars, as the score uses it */
  bayesianAverage: number;
  count: number;
  distribution: StarDistribution;
}

/** Part of `RegulatorDetail`. */
export interface RegulatedBroker {
  slug: Slug;
  name: string;
  color: Color;
  /** Value, 0–100 */
  score: number | null;
  licenses: {
    /** Legal name of the holder */
    entity: string;
    referenceNumber: string;
    status: LicenseStatus;
  }[];
}

/** Part of `RegulatorList`. */
export interface Regulator {
  code: RegulatorCode;
  name: string;
  country: Country;
  tier: Tier;
  tierReason: string;
  website: WebUrl;
  registerUrl: WebUrl;
  complaintsUrl: WebUrl;
  protections: Protections;
  sources: {
    fact: string;
    url: WebUrl;
  }[];
  lastVerifiedAt: Timestamp | null;
  /** Brokers with a licence here that is not withdrawn, revoked or expired */
  brokerCount: number;
}

/**
 * Part of `License`, `NewsItem`, `Regulator`, `RegulatorDetail`.
 * @example const value: RegulatorCode = 'fca';
 */
export type RegulatorCode = string;

/**
 * Answer of `client.regulators.get`.
 * @example const answer: RegulatorDetail = await client.regulators.get('fca');
 */
export interface RegulatorDetail {
  code: RegulatorCode;
  name: string;
  country: Country;
  tier: Tier;
  tierReason: string;
  website: WebUrl;
  registerUrl: WebUrl;
  complaintsUrl: WebUrl;
  protections: Protections;
  sources: {
    fact: string;
    url: WebUrl;
  }[];
  lastVerifiedAt: Timestamp | null;
  /** Brokers with a licence here that is not withdrawn, revoked or expired */
  brokerCount: number;
  /** All of them, best score first */
  brokers: RegulatedBroker[];
}

/**
 * Answer of `client.regulators.list`.
 * @example const answer: RegulatorList = await client.regulators.list();
 */
export interface RegulatorList {
  data: Regulator[];
}

/** Part of `BrokerDetail`, `ReviewList`. */
export interface Review {
  id: string;
  brokerSlug: Slug;
  rating: Rating;
  title: string;
  content: string;
  language: Language;
  author: {
    displayName: string;
    country?: Country | undefined;
  };
  /** The author’s identity was verified (not that they are a customer) */
  identityVerified: boolean;
  createdAt: Timestamp;
  /** The broker’s answer */
  reply?: {
    content: string;
    createdAt: Timestamp;
  } | undefined;
  publishedAt: Timestamp;
}

/**
 * Answer of `client.reviews.list`.
 * @example const answer: ReviewList = await client.reviews.list({ broker: 'alpha-markets' });
 */
export interface ReviewList {
  data: Review[];
  pagination: CursorPagination;
}

/**
 * Body of `client.reviews.create`.
 * @example const create = (body: ReviewSubmission) => client.reviews.create(body);
 */
export interface ReviewSubmission {
  broker: Slug;
  rating: Rating;
  title: string;
  content: string;
  /** Language of title and content */
  language: Language;
}

/** Part of `BrokerDetail`, `BrokerSummary`. */
export interface Score {
  /** 0–100, one decimal; null: not rated (color gray) */
  value: number | null;
  /** Sum of the contributions, before caps and rounding */
  rawValue: number;
  color: Color;
  methodologyVersion: string;
  computedAt: Timestamp;
  confidence: {
    level: "low" | "medium" | "high" | (string & {});
    /** (Σw)²/Σw² over the age-weighted reviews */
    effectiveReviews: number;
    /** Value at the lower end of the rating’s 95 % interval */
    low: number | null;
    /** Value at its upper end */
    high: number | null;
  };
  components: ScoreComponent[];
  caps: ScoreCap[];
}

/** Part of `Score`. */
export interface ScoreCap {
  code: "noScoringLicense" | "onlyLowTiers" | "fewReviews" | "officialWarning" | (string & {});
  limit: number;
  reason: string;
}

/** Part of `Score`. */
export interface ScoreComponent {
  key: "regulation" | "userRating" | "complaints" | "transparency" | "longevity" | (string & {});
  /** Share of the value, 0–1 */
  weight: number;
  /** 0–100 */
  score: number;
  /** Points added to the value */
  contribution: number;
  inputs: {
    [key: string]: number;
  };
  explanation: string;
}

/**
 * Answer of `client.search`.
 * @example const answer: SearchResults = await client.search({ q: 'alpha mark' });
 */
export interface SearchResults {
  data: BrokerSummary[];
}

/**
 * Part of many types.
 * @example const value: Slug = 'alpha-markets';
 */
export type Slug = string;

/** Part of `RatingMonth`, `RatingSummary`. */
export interface StarDistribution {
  1: number;
  2: number;
  3: number;
  4: number;
  5: number;
}

/**
 * Answer of `client.reviews.create`.
 * @example const answer: SubmittedReview = await client.reviews.create(body);
 */
export interface SubmittedReview {
  id: string;
  brokerSlug: Slug;
  rating: Rating;
  title: string;
  content: string;
  language: Language;
  author: {
    displayName: string;
    country?: Country | undefined;
  };
  /** The author’s identity was verified (not that they are a customer) */
  identityVerified: boolean;
  createdAt: Timestamp;
  status: "pending" | "published" | "rejected" | "withdrawn" | "removed" | (string & {});
}

/** Part of many types. */
export type Tier = 1 | 2 | 3 | 4 | (number & {});

/**
 * Part of many types.
 * @example const value: Timestamp = '2026-11-02T09:30:00.000Z';
 */
export type Timestamp = string;

/**
 * Part of many types.
 * @example const value: WebUrl = 'https://alpha-markets.example/fees';
 */
export type WebUrl = string;

/**
 * Query of `client.search`.
 * @example const ask = (query: SearchQuery) => client.search(query);
 */
export interface SearchQuery {
  /**
   * Keywords; the first six count
   * @example alpha mark
   */
  q: string;
}

/**
 * Query of `client.brokers.list`.
 * @example const ask = (query: BrokersListQuery) => client.brokers.list(query);
 */
export interface BrokersListQuery {
  /**
   * Most items to answer
   * @default 20
   */
  limit?: number | undefined;
  /**
   * Items to skip
   * @default 0
   */
  offset?: number | undefined;
  /**
   * Only brokers whose score has this color
   * @enum {string}
   */
  color?: ("green" | "yellow" | "red" | "gray") | undefined;
}

/**
 * Query of `client.reviews.list`.
 * @example const ask = (query: ReviewsListQuery) => client.reviews.list(query);
 */
export interface ReviewsListQuery {
  /** Slug of the broker */
  broker: Slug;
  /**
   * Most items to answer
   * @default 20
   */
  limit?: number | undefined;
  /** Where to go on: `pagination.nextCursor` of the page before */
  cursor?: Cursor | undefined;
}

/**
 * Query of `client.news.list`.
 * @example const ask = (query: NewsListQuery) => client.news.list(query);
 */
export interface NewsListQuery {
  /**
   * Most items to answer
   * @default 20
   */
  limit?: number | undefined;
  /** Where to go on: `pagination.nextCursor` of the page before */
  cursor?: Cursor | undefined;
}

/**
 * Codes of the errors that every call can meet.
 * @example const ours: CommonCode = 'internal_error';
 */
export type CommonCode = 'invalid_request' | 'bad_request' | 'not_acceptable' | 'request_timeout' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'unavailable';

/** What each call takes and answers. */
export interface Operations {
  /**
   * The 20 brokers that match best.
   * Finds brokers by name, legal entity, trading name, domain or licence number. Word beginnings, typos and missing accents match. Equal matches are ordered by score.
   * @example await client.search({ q: 'alpha mark' })
   */
  search: { args: [query: SearchQuery]; answer: SearchResults; item: BrokerSummary; codes: CommonCode };
  brokers: {
    /**
     * Brokers, best score first.
     * Ordered by score, then slug; brokers without a score come last. `Link` has the next and previous page.
     * @example await client.brokers.list()
     */
    list: { args: [query?: BrokersListQuery]; answer: BrokerList; item: BrokerSummary; codes: CommonCode };
    /**
     * One broker, with its score taken apart.
     * @example await client.brokers.get('alpha-markets')
     */
    get: { args: [slug: Slug]; answer: BrokerDetail; codes: CommonCode | 'broker_not_found' };
  };
  regulators: {
    /**
     * All regulators, by code.
     * @example await client.regulators.list()
     */
    list: { args: []; answer: RegulatorList; item: Regulator; codes: CommonCode };
    /**
     * One regulator with all the brokers it regulates.
     * @example await client.regulators.get('fca')
     */
    get: { args: [code: RegulatorCode]; answer: RegulatorDetail; codes: CommonCode | 'regulator_not_found' };
  };
  reviews: {
    /**
     * Published reviews of a broker, newest first.
     * @example await client.reviews.list({ broker: 'alpha-markets' })
     */
    list: { args: [query: ReviewsListQuery]; answer: ReviewList; item: Review; codes: CommonCode | 'broker_not_found' };
    /**
     * Submit a review for moderation.
     * The review is stored as `pending` and appears once a moderator publishes it.
     * Needs a token with the scope `reviews:write`, of a person whose identity is verified (KYC).
     * @example await client.reviews.create(body)
     */
    create: { args: [body: ReviewSubmission]; answer: SubmittedReview; codes: CommonCode | 'malformed_json' | 'authentication_required' | 'invalid_token' | 'kyc_required' | 'insufficient_scope' | 'broker_not_found' | 'review_exists' | 'idempotency_in_progress' | 'content_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' };
  };
  complaints: {
    /**
     * Submit a complaint about a broker.
     * Private. Sent without an Idempotency-Key, a complaint that equals one of the same account within 24 hours is taken as its repetition. An account can send 10 within 24 hours, unless the operator says otherwise: beyond that 429 says when the next one is taken.
     * Needs a token with the scope `complaints:write`.
     * @example await client.complaints.create(body)
     */
    create: { args: [body: ComplaintSubmission]; answer: ComplaintReceipt; codes: CommonCode | 'malformed_json' | 'authentication_required' | 'invalid_token' | 'insufficient_scope' | 'broker_not_found' | 'idempotency_in_progress' | 'content_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' };
  };
  news: {
    /**
     * Industry news, newest first.
     * @example await client.news.list()
     */
    list: { args: [query?: NewsListQuery]; answer: NewsList; item: NewsItem; codes: CommonCode };
  };
}
