// Made from the contract by `pnpm generate`. Do not edit.

/**
 * A broker with everything that its score is made of.
 * Answer of `client.brokers.get`.
 * @example const answer: BrokerDetail = await client.brokers.get('alpha-markets');
 */
export interface BrokerDetail {
  /** Opaque id, which never changes. Requests take the `slug`. */
  id: string;
  /**
   * Names the broker in paths and requests.
   * Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.
   * At most 80 characters.
   * @example 'alpha-markets'
   */
  slug: Slug;
  /**
   * Name of the brand.
   * @example 'Alpha Markets'
   */
  name: string;
  /**
   * Legal name of the firm behind it.
   * @example 'Alpha Markets Ltd'
   */
  legalName: string;
  /**
   * Other names that it trades under.
   * @example ["AlphaFX"]
   */
  tradingNames: string[];
  /**
   * LEI of the firm behind it; absent where none is known.
   * Legal Entity Identifier (ISO 17442): 18 letters or digits and two check digits.
   * @example '529900T8BM49AURSDO55'
   */
  lei?: Lei | undefined;
  /**
   * Its own website.
   * Absolute `https` or `http` address, without a user name.
   * At most 2000 characters.
   * @example 'https://alpha-markets.example/fees'
   */
  website: WebUrl;
  /**
   * Its domain names.
   * @example ["alpha-markets.example"]
   */
  domains: string[];
  /**
   * Country of the firm behind it.
   * ISO 3166-1 alpha-2 code, in upper case.
   * @example 'GB'
   */
  country: Country;
  /**
   * Year in which it was founded; null: not known.
   * @example 2012
   */
  foundedYear: number | null;
  /** What it offers, in a few sentences. Can be empty. */
  description: string;
  /** `operating`, `ceased`, `merged` into another, or a `suspected_clone`, which pretends to be another. Ceased and merged ones are not rated, and take no reviews or complaints. */
  status: "operating" | "ceased" | "merged" | "suspected_clone" | (string & {});
  /**
   * Current slug of the broker that took its business over, if it has ceased or merged; absent where none is known.
   * Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.
   * At most 80 characters.
   * @example 'alpha-markets'
   */
  successor?: Slug | undefined;
  /** Its former slugs, and the brokers that were merged into it directly, oldest first; absent where there are none. */
  predecessors?: Predecessor[] | undefined;
  /**
   * Color of its score: the same as `score.color`.
   * Traffic light of a score: `green` from 70, `yellow` from 40, `red` below, `gray` not rated.
   */
  color: Color;
  /** Its score, taken apart. */
  score: Score;
  /** Its published reviews, in numbers. */
  ratingSummary: RatingSummary;
  /** Complaints about it, in numbers. */
  complaintSummary: ComplaintSummary;
  /** Licences held: not withdrawn, revoked or expired. */
  licenseCount: number;
  /**
   * Strongest tier among the licences that score; null: none does.
   * Strength of a regulator’s supervision, 1 (strongest) to 4. Editorial: the criteria stand in the methodology.
   */
  bestTier: Tier | null;
  /** Warnings of authorities, withdrawn ones too. */
  warnings: BrokerWarning[];
  /**
   * When its licences were last checked against the registers; null: never, so it is not rated.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  licensesCheckedAt: Timestamp | null;
  /**
   * When this was computed: the same as `score.computedAt`.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  updatedAt: Timestamp;
  /** Legal entities of the brand. A client contracts with one of them. */
  entities: BrokerEntity[];
  /** Licences of all its entities, ended ones too, ordered by regulator. */
  licenses: License[];
  /** All published reviews as sums by month, oldest month first. */
  ratingsByMonth: RatingMonth[];
  /** All complaints of identity-verified people that were closed or are overdue, by month, oldest month first. The score counts those of its own month and the 36 months before. Absent only from answers by methodology 2026-1. */
  complaintsByMonth?: ComplaintMonth[] | undefined;
  /** All disclosures, checked or not. */
  checklist: ChecklistItem[];
  /** The five newest published reviews, newest first. */
  recentReviews: Review[];
  /** Where the facts come from. */
  provenance: Provenance[];
}

/** A legal entity of a brand. */
export interface BrokerEntity {
  /**
   * Legal name.
   * 1 to 200 characters.
   * @example 'Alpha Markets Ltd'
   */
  legalName: string;
  /**
   * Its LEI; absent where none is known.
   * Legal Entity Identifier (ISO 17442): 18 letters or digits and two check digits.
   * @example '529900T8BM49AURSDO55'
   */
  lei?: Lei | undefined;
  /**
   * Country in which it is registered.
   * ISO 3166-1 alpha-2 code, in upper case.
   * @example 'GB'
   */
  country: Country;
  /** Whether it takes retail clients. */
  retailClients: boolean;
  /** Strength of its supervision, 0 to 100, by its own authorisations alone. */
  regulationScore: number;
}

/**
 * A page of brokers.
 * Answer of `client.brokers.list`.
 * @example const answer: BrokerList = await client.brokers.list();
 */
export interface BrokerList {
  /** Brokers of this page, best score first; those without a score come last. */
  data: BrokerSummary[];
  /** Place of this page in the list. */
  pagination: OffsetPagination;
}

/** A broker as lists and search show it. */
export interface BrokerSummary {
  /** Opaque id, which never changes. Requests take the `slug`. */
  id: string;
  /**
   * Names the broker in paths and requests.
   * Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.
   * At most 80 characters.
   * @example 'alpha-markets'
   */
  slug: Slug;
  /**
   * Name of the brand.
   * @example 'Alpha Markets'
   */
  name: string;
  /**
   * Legal name of the firm behind it.
   * @example 'Alpha Markets Ltd'
   */
  legalName: string;
  /**
   * Other names that it trades under.
   * @example ["AlphaFX"]
   */
  tradingNames: string[];
  /**
   * LEI of the firm behind it; absent where none is known.
   * Legal Entity Identifier (ISO 17442): 18 letters or digits and two check digits.
   * @example '529900T8BM49AURSDO55'
   */
  lei?: Lei | undefined;
  /**
   * Its own website.
   * Absolute `https` or `http` address, without a user name.
   * At most 2000 characters.
   * @example 'https://alpha-markets.example/fees'
   */
  website: WebUrl;
  /**
   * Its domain names.
   * @example ["alpha-markets.example"]
   */
  domains: string[];
  /**
   * Country of the firm behind it.
   * ISO 3166-1 alpha-2 code, in upper case.
   * @example 'GB'
   */
  country: Country;
  /**
   * Year in which it was founded; null: not known.
   * @example 2012
   */
  foundedYear: number | null;
  /** What it offers, in a few sentences. Can be empty. */
  description: string;
  /** `operating`, `ceased`, `merged` into another, or a `suspected_clone`, which pretends to be another. Ceased and merged ones are not rated, and take no reviews or complaints. */
  status: "operating" | "ceased" | "merged" | "suspected_clone" | (string & {});
  /**
   * Current slug of the broker that took its business over, if it has ceased or merged; absent where none is known.
   * Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.
   * At most 80 characters.
   * @example 'alpha-markets'
   */
  successor?: Slug | undefined;
  /** Its former slugs, and the brokers that were merged into it directly, oldest first; absent where there are none. */
  predecessors?: Predecessor[] | undefined;
  /**
   * Color of its score: the same as `score.color`.
   * Traffic light of a score: `green` from 70, `yellow` from 40, `red` below, `gray` not rated.
   */
  color: Color;
  /** Its score, taken apart. */
  score: Score;
  /** Its published reviews, in numbers. */
  ratingSummary: RatingSummary;
  /** Complaints about it, in numbers. */
  complaintSummary: ComplaintSummary;
  /** Licences held: not withdrawn, revoked or expired. */
  licenseCount: number;
  /**
   * Strongest tier among the licences that score; null: none does.
   * Strength of a regulator’s supervision, 1 (strongest) to 4. Editorial: the criteria stand in the methodology.
   */
  bestTier: Tier | null;
  /** Warnings of authorities, withdrawn ones too. */
  warnings: BrokerWarning[];
  /**
   * When its licences were last checked against the registers; null: never, so it is not rated.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  licensesCheckedAt: Timestamp | null;
  /**
   * When this was computed: the same as `score.computedAt`.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  updatedAt: Timestamp;
}

/** A public warning of an authority. */
export interface BrokerWarning {
  /**
   * The authority that warns.
   * 1 to 200 characters.
   * @example 'Financial Conduct Authority'
   */
  source: string;
  /**
   * Where the warning is published.
   * Absolute `https` or `http` address, without a user name.
   * At most 2000 characters.
   * @example 'https://alpha-markets.example/fees'
   */
  url: WebUrl;
  /**
   * Title of the warning.
   * 1 to 300 characters.
   */
  title: string;
  /**
   * When it was published.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  publishedAt: Timestamp;
  /**
   * When it was withdrawn; absent while it stands.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  withdrawnAt?: Timestamp | undefined;
  /** `this_firm`: it is about this broker, whose score is at most 19 while it stands. `clone_of_it`: somebody else pretends to be this broker; the score stays as it is. `not_this_firm`: it stood here by mistake until `correctedAt`; it does not count. */
  about: "this_firm" | "clone_of_it" | "not_this_firm" | (string & {});
  /** `unchecked`: matched to this broker automatically by LEI or licence number, and no person has checked it yet. `confirmed`: a person has. Absent where editors or the authority named the broker themselves. */
  match?: ("unchecked" | "confirmed" | (string & {})) | undefined;
  /**
   * When this service took it back; absent where it did not.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  correctedAt?: Timestamp | undefined;
}

/**
 * Calendar date `YYYY-MM-DD`, in UTC.
 * @example const value: CalendarDate = '2014-03-01';
 */
export type CalendarDate = string;

/** A disclosure that the broker should make. */
export interface ChecklistItem {
  /** What should be disclosed. */
  key: "legalEntity" | "registerLink" | "fees" | "executionPolicy" | "clientMoney" | "riskWarning" | "complaintProcedure" | "leverage" | "address" | "ownership" | (string & {});
  /** Whether the broker discloses it; null: not checked, which counts as false. */
  met: boolean | null;
  /**
   * The page that shows it; null: none is known.
   * Absolute `https` or `http` address, without a user name.
   * At most 2000 characters.
   * @example 'https://alpha-markets.example/fees'
   */
  sourceUrl: WebUrl | null;
  /**
   * When it was checked; null: never.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  checkedAt: Timestamp | null;
}

/** Traffic light of a score: `green` from 70, `yellow` from 40, `red` below, `gray` not rated. */
export type Color = "green" | "yellow" | "red" | "gray" | (string & {});

/** The complaints of identity-verified people that count in one month. */
export interface ComplaintMonth {
  /**
   * Month in which they were closed or, if they are overdue and not closed, became overdue.
   * Calendar month `YYYY-MM`, in UTC.
   * @example '2026-11'
   */
  month: Month;
  /**
   * Number of complaints. An overdue one counts as closed, unresolved and late until it is closed.
   * @example 3
   */
  closed: number;
  /**
   * How many of them were resolved.
   * @example 2
   */
  resolved: number;
  /**
   * How many of them the broker answered within 15 days.
   * @example 3
   */
  timely: number;
}

/**
 * Receipt of a complaint.
 * Answer of `client.complaints.create`.
 * @example const answer: ComplaintReceipt = await client.complaints.create(body);
 */
export interface ComplaintReceipt {
  /**
   * Names the complaint. Quote it to the operator.
   * @example 'C-7QK2M9XF4T'
   */
  reference: string;
  /**
   * The broker that it is about.
   * Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.
   * At most 80 characters.
   * @example 'alpha-markets'
   */
  brokerSlug: Slug;
  /** What it is about, as submitted. */
  category: "withdrawal" | "execution" | "pricing" | "account" | "conduct" | "misleading" | "other" | (string & {});
  /** The matter in a few words, as submitted. */
  title: string;
  /** How far it is: `received`, in `screening`, `forwarded` to the broker, `responded` to by the broker. It ends as `resolved`, `unresolved`, `rejected` or `withdrawn`. */
  status: "received" | "screening" | "forwarded" | "responded" | "resolved" | "unresolved" | "rejected" | "withdrawn" | (string & {});
  /** Whether it may be sent to the broker with your name, as submitted. */
  consentToForward: boolean;
  /**
   * When it was received.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  createdAt: Timestamp;
}

/**
 * A complaint. It is private: only counts are published.
 * Body of `client.complaints.create`.
 * @example const create = (body: ComplaintSubmission) => client.complaints.create(body);
 */
export interface ComplaintSubmission {
  /**
   * The broker that you complain about.
   * Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.
   * At most 80 characters.
   * @example 'alpha-markets'
   */
  broker: Slug;
  /** What the complaint is about. */
  category: "withdrawal" | "execution" | "pricing" | "account" | "conduct" | "misleading" | "other";
  /**
   * The matter in a few words.
   * 3 to 120 characters.
   */
  title: string;
  /**
   * What happened, in plain text.
   * 20 to 5000 characters.
   */
  content: string;
  /** How much money it is about. Leave it out where it is not about an amount. */
  amountInDispute?: Money | undefined;
  /**
   * When it happened: RFC 3339 time in UTC, ending in `Z` or `+00:00`.
   * @example '2026-11-02T09:30:00Z'
   */
  occurredAt?: string | undefined;
  /**
   * What the broker should do.
   * 3 to 1000 characters.
   */
  desiredResolution?: string | undefined;
  /** Whether the complaint may be sent to the broker with your name. */
  consentToForward: boolean;
}

/** Complaints about a broker, in numbers over all time. */
export interface ComplaintSummary {
  /** Complaints that are being handled and not overdue. */
  open: number;
  /** Complaints that the broker has had for more than 15 days and not answered. */
  overdue: number;
  /** Complaints that ended as resolved or unresolved. Rejected and withdrawn ones count nowhere. */
  closed: number;
  /** Share of the closed ones that were resolved, 0 to 1 with four decimals; null: none is closed. */
  resolvedRate: number | null;
  /** Share of the closed ones that were answered within 15 days, 0 to 1 with four decimals; null: none is closed. */
  timelyRate: number | null;
  /** Median of the days until the broker answered, rounded to one decimal; null: it has answered none. */
  medianResponseDays: number | null;
}

/** What a source says that is not published, since a stronger source or the editors say something else. */
export interface Contradiction {
  /**
   * Path of the field; members of lists are named by what identifies them.
   * 1 to 400 characters.
   * @example 'licenses.asic 000001 Alpha Markets Ltd.status'
   */
  field: string;
  /**
   * What it says; JSON unless it is text.
   * At most 4000 characters.
   * @example 'active'
   */
  says: string;
  /** Who says it. */
  source: FactSource;
  /**
   * Address of the source; null: it has none.
   * Absolute `https` or `http` address, without a user name.
   * At most 2000 characters.
   * @example 'https://alpha-markets.example/fees'
   */
  sourceUrl: WebUrl | null;
  /**
   * The time that it describes.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  asOf: Timestamp;
  /**
   * Why the editors do not publish it; absent where its rank alone decides.
   * 1 to 300 characters.
   */
  overruledBecause?: string | undefined;
}

/**
 * ISO 3166-1 alpha-2 code, in upper case.
 * @example const value: Country = 'GB';
 */
export type Country = string;

/**
 * Opaque position in a list. Take it from `pagination.nextCursor`; do not build or parse it.
 * At most 200 characters.
 */
export type Cursor = string;

/** Place of a page in a list whose newest items come first. */
export interface CursorPagination {
  /** Most items that a page has, as asked for. */
  limit: number;
  /** The `cursor` that asks for the next page; null: this is the last one. */
  nextCursor: string | null;
}

/** Who says a fact. */
export interface FactSource {
  /** What kind of source it is, which decides its rank. */
  kind: "authority" | "register" | "calendar" | "editor" | "dataset" | "broker" | "reference" | (string & {});
  /**
   * Its name.
   * 1 to 200 characters.
   * @example 'asic'
   */
  name: string;
}

/**
 * BCP 47 tag: language, optional script, optional region, in their usual case.
 * @example const value: Language = 'en';
 */
export type Language = string;

/**
 * Legal Entity Identifier (ISO 17442): 18 letters or digits and two check digits.
 * @example const value: Lei = '529900T8BM49AURSDO55';
 */
export type Lei = string;

/** A permission of one legal entity by one regulator. */
export interface License {
  /** The firm that holds it. Other entities of the brand do not inherit it. */
  entity: LicenseEntity;
  /**
   * The regulator in whose register it stands.
   * Usual acronym in lower case, with the country where acronyms collide (`fsc-mu`). Never renamed.
   * At most 40 characters.
   * @example 'fca'
   */
  regulatorCode: RegulatorCode;
  /**
   * Number in the regulator’s register.
   * 1 to 80 characters.
   * @example '000001'
   */
  referenceNumber: string;
  /** `authorisation`: the regulator supervises the firm. `passport`: the firm relies on a licence elsewhere. `registration`: it is listed, not supervised. Only authorisations score. */
  type: "authorisation" | "passport" | "registration" | (string & {});
  /**
   * Tier of the regulator.
   * Strength of a regulator’s supervision, 1 (strongest) to 4. Editorial: the criteria stand in the methodology.
   */
  tier: Tier;
  /**
   * State at the register.
   * State of a licence at its register. `active` and `restricted` ones score; `withdrawn`, `revoked` and `expired` ones are over; `unverified` ones are not confirmed there yet.
   */
  status: LicenseStatus;
  /**
   * Since when it has this status; null: not known.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  statusEffectiveAt: Timestamp | null;
  /**
   * Since when it is active, for longevity; absent where not known.
   * Calendar date `YYYY-MM-DD`, in UTC.
   * @example '2014-03-01'
   */
  activeSince?: CalendarDate | undefined;
  /**
   * What the firm may do.
   * @example ["Dealing in investments as principal"]
   */
  permissions: string[];
  /**
   * When it was granted; null: not known.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  issuedAt: Timestamp | null;
  /**
   * When it ends; absent where no end is known.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  expiresAt?: Timestamp | undefined;
  /**
   * Where the register shows it.
   * Absolute `https` or `http` address, without a user name.
   * At most 2000 characters.
   * @example 'https://alpha-markets.example/fees'
   */
  sourceUrl: WebUrl;
  /**
   * When the source was last opened; null: never.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  lastVerifiedAt: Timestamp | null;
  /** Whether that is longer ago than it may be for this regulator, or never happened: the state may be out of date. Renewed once a day; absent for a licence that has ended. */
  stale?: boolean | undefined;
}

/** The firm that holds a licence. */
export interface LicenseEntity {
  /**
   * Legal name: the licence counts for the entity that has exactly this one.
   * 1 to 200 characters.
   * @example 'Alpha Markets Ltd'
   */
  legalName: string;
  /**
   * Its LEI; absent where none is known.
   * Legal Entity Identifier (ISO 17442): 18 letters or digits and two check digits.
   * @example '529900T8BM49AURSDO55'
   */
  lei?: Lei | undefined;
}

/** State of a licence at its register. `active` and `restricted` ones score; `withdrawn`, `revoked` and `expired` ones are over; `unverified` ones are not confirmed there yet. */
export type LicenseStatus = "pending" | "active" | "restricted" | "suspended" | "withdrawn" | "revoked" | "expired" | "unverified" | (string & {});

/** An exact amount of money. */
export interface Money {
  /**
   * Number with exactly two decimals, as text; not negative, below 1 000 000 000 000.
   * @example '250.00'
   */
  amount: string;
  /**
   * ISO 4217 code, in upper case.
   * @example 'USD'
   */
  currency: string;
}

/**
 * Calendar month `YYYY-MM`, in UTC.
 * @example const value: Month = '2026-11';
 */
export type Month = string;

/** An item of industry news. */
export interface NewsItem {
  /** Opaque id, which never changes. */
  id: string;
  /**
   * Title, in plain text.
   * 3 to 300 characters.
   */
  title: string;
  /**
   * Short excerpt, in plain text.
   * 1 to 1000 characters.
   */
  summary: string;
  /**
   * Where the whole text is.
   * Absolute `https` or `http` address, without a user name.
   * At most 2000 characters.
   * @example 'https://alpha-markets.example/fees'
   */
  url: WebUrl;
  /**
   * Who published it.
   * 1 to 120 characters.
   * @example 'Financial Conduct Authority'
   */
  source: string;
  /** What it is about. */
  category: "warning" | "enforcement" | "license_change" | "market" | "product" | "service" | (string & {});
  /** How serious it is for clients, rising from `info` to `critical`. */
  severity: "info" | "notice" | "serious" | "critical" | (string & {});
  /** Brokers that it names. */
  brokerSlugs: Slug[];
  /** Regulators that it names or comes from. */
  regulatorCodes: RegulatorCode[];
  /**
   * Language of title and summary.
   * BCP 47 tag: language, optional script, optional region, in their usual case.
   * @example 'en'
   */
  language: Language;
  /**
   * When it was published.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  publishedAt: Timestamp;
}

/**
 * A page of news.
 * Answer of `client.news.list`.
 * @example const answer: NewsList = await client.news.list();
 */
export interface NewsList {
  /** Items of this page, newest first. */
  data: NewsItem[];
  /** Place of this page in the list. */
  pagination: CursorPagination;
}

/** Place of a page in a list, by number of items. */
export interface OffsetPagination {
  /** Most items that a page has, as asked for. */
  limit: number;
  /** Items skipped before this page. */
  offset: number;
  /** Items that match, on all pages together. */
  total: number;
}

/** What a broker was before: a former slug of it, or a broker merged into it. */
export interface Predecessor {
  /**
   * The former slug. A request with it is answered by a redirect to the current one.
   * Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.
   * At most 80 characters.
   * @example 'alpha-markets'
   */
  slug: Slug;
  /**
   * What it was called then.
   * @example 'Alpha FX'
   */
  name: string;
  /** `renamed`: it is the same broker. `merged`: it was another broker, whose reviews and complaints count here now. */
  how: "renamed" | "merged" | (string & {});
  /**
   * Until when it was so.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  until: Timestamp;
}

/**
 * One place in a request that is not valid: a `parameter`, or a `pointer` into the body.
 * Entry of `ApiError.errors`: one place in the request that is not valid.
 */
export interface ProblemItem {
  /**
   * JSON Pointer into the body, as a URI fragment (RFC 6901).
   * @example '#/rating'
   */
  pointer?: string | undefined;
  /**
   * Name of the query or path parameter, or of the header.
   * @example 'limit'
   */
  parameter?: string | undefined;
  /**
   * What is wrong, as a stable word; there can be more.
   * @example 'too_big'
   */
  code: string;
  /**
   * The same for a person, with what is expected.
   * @example '"limit" must be at most 100.'
   */
  detail: string;
}

/** What a regulator’s rules give retail clients. */
export interface Protections {
  /** Most that a statutory scheme pays a person when a firm fails; null: there is none, or it is not known. */
  compensationLimit: Money | null;
  /** Whether clients can lose no more than what is in their account; null: not known. */
  negativeBalance: boolean | null;
  /** Whether firms must keep client money apart from their own; null: not known. */
  segregation: boolean | null;
  /**
   * Highest leverage on major currency pairs, N of N:1; null: there is no cap, or it is not known.
   * @example 30
   */
  retailLeverageCap: number | null;
  /** What its licences allow with retail clients. `licensed`: leveraged FX or CFDs. `not_licensed`: it licenses no such business, so it sets no limits for it. `prohibited`: such products may not be sold to them; null: not known. Absent in answers of servers that do not say it. */
  retailLeveragedFx?: (("licensed" | "not_licensed" | "prohibited" | (string & {})) | null) | undefined;
}

/** Where a fact comes from. */
export interface Provenance {
  /**
   * Name of the field that it backs.
   * 1 to 80 characters.
   * @example 'licenses'
   */
  fact: string;
  /**
   * Address of the source.
   * Absolute `https` or `http` address, without a user name.
   * At most 2000 characters.
   * @example 'https://alpha-markets.example/fees'
   */
  sourceUrl: WebUrl;
  /**
   * When the source was last opened, or the time that it describes; null: never.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  lastVerifiedAt: Timestamp | null;
  /**
   * Whom to name, and under which licence; absent where the source does not ask for it.
   * 1 to 300 characters.
   */
  attribution?: string | undefined;
  /** Who says what is published. Only where it is not the editors’ own, and where sources differ. */
  statedBy?: FactSource | undefined;
  /** What other sources say instead, which is not published; absent where none differs. */
  contradicted?: Contradiction[] | undefined;
}

/**
 * Stars, 5 is best, with at most two decimals.
 * 1 to 5.
 */
export type Rating = number;

/** The published reviews of one month as sums, so that they add up exactly. */
export interface RatingMonth {
  /**
   * Month in which they were submitted.
   * Calendar month `YYYY-MM`, in UTC.
   * @example '2026-11'
   */
  month: Month;
  /** Number of published reviews. */
  count: number;
  /**
   * Sum of their ratings, in hundredths of a star.
   * @example 450
   */
  sum: number;
  /**
   * Sum of their squared ratings, in hundredths of a star squared.
   * @example 202500
   */
  sumOfSquares: number;
  /** The same reviews by nearest star. */
  distribution: StarDistribution;
}

/** The published reviews of a broker, in numbers. */
export interface RatingSummary {
  /** Plain mean in stars, 1 to 5, rounded to two decimals; null: there are no reviews. */
  average: number | null;
  /** Mean in stars, 1 to 5: old reviews count less, and few reviews keep it near 3. The score uses it. */
  bayesianAverage: number;
  /** Number of published reviews. */
  count: number;
  /** Published reviews by nearest star. */
  distribution: StarDistribution;
}

/** A broker as a regulator’s list shows it. */
export interface RegulatedBroker {
  /**
   * Names the broker in paths and requests.
   * Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.
   * At most 80 characters.
   * @example 'alpha-markets'
   */
  slug: Slug;
  /**
   * Name of the brand.
   * @example 'Alpha Markets'
   */
  name: string;
  /**
   * Color of its score.
   * Traffic light of a score: `green` from 70, `yellow` from 40, `red` below, `gray` not rated.
   */
  color: Color;
  /** Value of its score, 0 to 100 with one decimal; null: not rated. */
  score: number | null;
  /** Its licences here that are not withdrawn, revoked or expired. */
  licenses: RegulatedLicense[];
}

/** A licence as a regulator’s list shows it. */
export interface RegulatedLicense {
  /**
   * Legal name of the holder.
   * @example 'Alpha Markets Ltd'
   */
  entity: string;
  /**
   * Number in the regulator’s register.
   * @example '000001'
   */
  referenceNumber: string;
  /**
   * State at the register.
   * State of a licence at its register. `active` and `restricted` ones score; `withdrawn`, `revoked` and `expired` ones are over; `unverified` ones are not confirmed there yet.
   */
  status: LicenseStatus;
}

/** A financial regulator. */
export interface Regulator {
  /**
   * Names the regulator in paths and licences.
   * Usual acronym in lower case, with the country where acronyms collide (`fsc-mu`). Never renamed.
   * At most 40 characters.
   * @example 'fca'
   */
  code: RegulatorCode;
  /**
   * Name of the authority.
   * @example 'Financial Conduct Authority'
   */
  name: string;
  /**
   * Country of the authority.
   * ISO 3166-1 alpha-2 code, in upper case.
   * @example 'GB'
   */
  country: Country;
  /**
   * Its tier.
   * Strength of a regulator’s supervision, 1 (strongest) to 4. Editorial: the criteria stand in the methodology.
   */
  tier: Tier;
  /** Why it has this tier. */
  tierReason: string;
  /**
   * Its website.
   * Absolute `https` or `http` address, without a user name.
   * At most 2000 characters.
   * @example 'https://alpha-markets.example/fees'
   */
  website: WebUrl;
  /**
   * Where its register can be searched.
   * Absolute `https` or `http` address, without a user name.
   * At most 2000 characters.
   * @example 'https://alpha-markets.example/fees'
   */
  registerUrl: WebUrl;
  /**
   * Where clients can complain about a firm.
   * Absolute `https` or `http` address, without a user name.
   * At most 2000 characters.
   * @example 'https://alpha-markets.example/fees'
   */
  complaintsUrl: WebUrl;
  /** What its rules give retail clients. */
  protections: Protections;
  /** Where these facts come from. */
  sources: RegulatorSource[];
  /**
   * When its register or the sources were last checked, by a file of the register or by an editor; null: never.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  lastVerifiedAt: Timestamp | null;
  /** Whether that is longer ago than it may be for this regulator, or never happened. Renewed once a day. */
  stale?: boolean | undefined;
  /** Brokers with a licence here that is not withdrawn, revoked or expired. */
  brokerCount: number;
}

/**
 * Usual acronym in lower case, with the country where acronyms collide (`fsc-mu`). Never renamed.
 * At most 40 characters.
 * @example const value: RegulatorCode = 'fca';
 */
export type RegulatorCode = string;

/**
 * A regulator with all the brokers that it regulates.
 * Answer of `client.regulators.get`.
 * @example const answer: RegulatorDetail = await client.regulators.get('fca');
 */
export interface RegulatorDetail {
  /**
   * Names the regulator in paths and licences.
   * Usual acronym in lower case, with the country where acronyms collide (`fsc-mu`). Never renamed.
   * At most 40 characters.
   * @example 'fca'
   */
  code: RegulatorCode;
  /**
   * Name of the authority.
   * @example 'Financial Conduct Authority'
   */
  name: string;
  /**
   * Country of the authority.
   * ISO 3166-1 alpha-2 code, in upper case.
   * @example 'GB'
   */
  country: Country;
  /**
   * Its tier.
   * Strength of a regulator’s supervision, 1 (strongest) to 4. Editorial: the criteria stand in the methodology.
   */
  tier: Tier;
  /** Why it has this tier. */
  tierReason: string;
  /**
   * Its website.
   * Absolute `https` or `http` address, without a user name.
   * At most 2000 characters.
   * @example 'https://alpha-markets.example/fees'
   */
  website: WebUrl;
  /**
   * Where its register can be searched.
   * Absolute `https` or `http` address, without a user name.
   * At most 2000 characters.
   * @example 'https://alpha-markets.example/fees'
   */
  registerUrl: WebUrl;
  /**
   * Where clients can complain about a firm.
   * Absolute `https` or `http` address, without a user name.
   * At most 2000 characters.
   * @example 'https://alpha-markets.example/fees'
   */
  complaintsUrl: WebUrl;
  /** What its rules give retail clients. */
  protections: Protections;
  /** Where these facts come from. */
  sources: RegulatorSource[];
  /**
   * When its register or the sources were last checked, by a file of the register or by an editor; null: never.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  lastVerifiedAt: Timestamp | null;
  /** Whether that is longer ago than it may be for this regulator, or never happened. Renewed once a day. */
  stale?: boolean | undefined;
  /** Brokers with a licence here that is not withdrawn, revoked or expired. */
  brokerCount: number;
  /** All brokers with such a licence, best score first. */
  brokers: RegulatedBroker[];
}

/**
 * The regulators.
 * Answer of `client.regulators.list`.
 * @example const answer: RegulatorList = await client.regulators.list();
 */
export interface RegulatorList {
  /** All regulators, by code. */
  data: Regulator[];
}

/** Where a fact about a regulator comes from. */
export interface RegulatorSource {
  /**
   * What the source backs.
   * @example 'protections'
   */
  fact: string;
  /**
   * Address of the source.
   * Absolute `https` or `http` address, without a user name.
   * At most 2000 characters.
   * @example 'https://alpha-markets.example/fees'
   */
  url: WebUrl;
}

/** A published review. */
export interface Review {
  /** Opaque id, which never changes. */
  id: string;
  /**
   * The broker that it is about.
   * Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.
   * At most 80 characters.
   * @example 'alpha-markets'
   */
  brokerSlug: Slug;
  /**
   * How good the author finds the broker.
   * Stars, 5 is best, with at most two decimals.
   * 1 to 5.
   * @example 4.5
   */
  rating: Rating;
  /** The review in a few words. */
  title: string;
  /** What the author experienced, in plain text. */
  content: string;
  /**
   * Language of title and content.
   * BCP 47 tag: language, optional script, optional region, in their usual case.
   * @example 'en'
   */
  language: Language;
  /** Who wrote it, as far as it is public. */
  author: ReviewAuthor;
  /** Whether the author’s identity was verified when it was written. It does not say that the author is a client. */
  identityVerified: boolean;
  /**
   * When it was submitted.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  createdAt: Timestamp;
  /** The broker’s answer; absent where there is none. */
  reply?: ReviewReply | undefined;
  /**
   * When it was published. Lists are in this order.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  publishedAt: Timestamp;
}

/** Who wrote a review. */
export interface ReviewAuthor {
  /**
   * Name that the author goes by here.
   * @example 'Alice'
   */
  displayName: string;
  /**
   * Country of the author; absent where not known.
   * ISO 3166-1 alpha-2 code, in upper case.
   * @example 'GB'
   */
  country?: Country | undefined;
}

/**
 * A page of reviews.
 * Answer of `client.reviews.list`.
 * @example const answer: ReviewList = await client.reviews.list({ broker: 'alpha-markets' });
 */
export interface ReviewList {
  /** Reviews of this page, newest first. */
  data: Review[];
  /** Place of this page in the list. */
  pagination: CursorPagination;
}

/** A broker’s answer to a review. */
export interface ReviewReply {
  /** What the broker says, in plain text. */
  content: string;
  /**
   * When it was given.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  createdAt: Timestamp;
}

/**
 * A review to be published. Every field is required.
 * Body of `client.reviews.create`.
 * @example const create = (body: ReviewSubmission) => client.reviews.create(body);
 */
export interface ReviewSubmission {
  /**
   * The broker that you review.
   * Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.
   * At most 80 characters.
   * @example 'alpha-markets'
   */
  broker: Slug;
  /**
   * How good you find the broker.
   * Stars, 5 is best, with at most two decimals.
   * 1 to 5.
   * @example 4.5
   */
  rating: Rating;
  /**
   * The review in a few words.
   * 3 to 120 characters.
   */
  title: string;
  /**
   * What you experienced, in plain text.
   * 20 to 5000 characters.
   */
  content: string;
  /**
   * Language of title and content.
   * BCP 47 tag: language, optional script, optional region, in their usual case.
   * @example 'en'
   */
  language: Language;
}

/** A broker’s score with everything that led to it. */
export interface Score {
  /**
   * 0 to 100 with one decimal, 100 is best; null: not rated (color gray).
   * @example 81.9
   */
  value: number | null;
  /** Sum of the contributions, 0 to 100, before caps and rounding. */
  rawValue: number;
  /**
   * Color of the value.
   * Traffic light of a score: `green` from 70, `yellow` from 40, `red` below, `gray` not rated.
   */
  color: Color;
  /**
   * Version of the rules that it follows.
   * @example '2026-3'
   */
  methodologyVersion: string;
  /**
   * When it was computed. Ages are measured at this time.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  computedAt: Timestamp;
  /** How far the value may move because reviews are few or disagree. */
  confidence: ScoreConfidence;
  /** The parts of the value, in the order in which they are summed. */
  components: ScoreComponent[];
  /** The limits in force on the value. */
  caps: ScoreCap[];
}

/** A limit in force on the value, whether or not the value would be above it. */
export interface ScoreCap {
  /** Which cap it is. */
  code: "noScoringLicense" | "onlyLowTiers" | "fewReviews" | "officialWarning" | "uncheckedWarning" | (string & {});
  /** Highest value while it is in force, 0 to 100. */
  limit: number;
  /** Why it is in force, as an English sentence. */
  reason: string;
}

/** One part of a score. */
export interface ScoreComponent {
  /** What is measured. */
  key: "regulation" | "userRating" | "complaints" | "transparency" | "longevity" | (string & {});
  /**
   * Share of the value, 0 to 1. All weights add up to 1.
   * @example 0.4
   */
  weight: number;
  /** Points, 0 to 100, rounded to nine decimals. */
  score: number;
  /** Points added to the value: `weight` × `score`, rounded to nine decimals. */
  contribution: number;
  /**
   * The numbers that the formula took, by name.
   * @example {"met":8,"total":10}
   */
  inputs: {
    [key: string]: number;
  };
  /** The same as an English sentence. */
  explanation: string;
}

/** How sure a score is. */
export interface ScoreConfidence {
  /** By effective reviews: `low` below 10, `medium` from 10, `high` from 50. */
  level: "low" | "medium" | "high" | (string & {});
  /** Number of reviews after old ones faded: (Σw)²/Σw² over their weights by age; 0 without reviews. */
  effectiveReviews: number;
  /** Value at the lower end of the rating’s 95 % interval, 0 to 100; null: not rated. */
  low: number | null;
  /** Value at the upper end of the rating’s 95 % interval, 0 to 100; null: not rated. */
  high: number | null;
}

/**
 * What a search found.
 * Answer of `client.search`.
 * @example const answer: SearchResults = await client.search({ q: 'alpha mark' });
 */
export interface SearchResults {
  /**
   * Brokers that match, best match first.
   * At most 20 items.
   */
  data: BrokerSummary[];
}

/**
 * Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.
 * At most 80 characters.
 * @example const value: Slug = 'alpha-markets';
 */
export type Slug = string;

/** Number of reviews by nearest star. */
export interface StarDistribution {
  /** Reviews of 1 to below 1.5 stars. */
  1: number;
  /** Reviews of 1.5 to below 2.5 stars. */
  2: number;
  /** Reviews of 2.5 to below 3.5 stars. */
  3: number;
  /** Reviews of 3.5 to below 4.5 stars. */
  4: number;
  /** Reviews of 4.5 to 5 stars. */
  5: number;
}

/**
 * A review of your own, with its state.
 * Answer of `client.reviews.create`.
 * @example const answer: SubmittedReview = await client.reviews.create(body);
 */
export interface SubmittedReview {
  /** Opaque id, which never changes. */
  id: string;
  /**
   * The broker that it is about.
   * Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.
   * At most 80 characters.
   * @example 'alpha-markets'
   */
  brokerSlug: Slug;
  /**
   * How good the author finds the broker.
   * Stars, 5 is best, with at most two decimals.
   * 1 to 5.
   * @example 4.5
   */
  rating: Rating;
  /** The review in a few words. */
  title: string;
  /** What the author experienced, in plain text. */
  content: string;
  /**
   * Language of title and content.
   * BCP 47 tag: language, optional script, optional region, in their usual case.
   * @example 'en'
   */
  language: Language;
  /** Who wrote it, as far as it is public. */
  author: ReviewAuthor;
  /** Whether the author’s identity was verified when it was written. It does not say that the author is a client. */
  identityVerified: boolean;
  /**
   * When it was submitted.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  createdAt: Timestamp;
  /** `pending` until a moderator publishes or rejects it. A published one can be `removed`. `withdrawn`: its author took it back. */
  status: "pending" | "published" | "rejected" | "withdrawn" | "removed" | (string & {});
}

/** Strength of a regulator’s supervision, 1 (strongest) to 4. Editorial: the criteria stand in the methodology. */
export type Tier = 1 | 2 | 3 | 4 | (number & {});

/**
 * RFC 3339 time in UTC, ending in `Z`.
 * @example const value: Timestamp = '2026-11-02T09:30:00.000Z';
 */
export type Timestamp = string;

/**
 * Absolute `https` or `http` address, without a user name.
 * At most 2000 characters.
 * @example const value: WebUrl = 'https://alpha-markets.example/fees';
 */
export type WebUrl = string;

/**
 * What was known of a broker at one time about another.
 * Answer of `record.at`.
 * @example const answer: BrokerAt = await record.at('alpha-markets');
 */
export interface BrokerAt {
  /**
   * Its slug then.
   * Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.
   * At most 80 characters.
   * @example 'alpha-markets'
   */
  slug: Slug;
  /**
   * Entries up to this number count.
   * At least 0.
   */
  knownAt: number;
  /**
   * The time that the answer is about.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  validAt: Timestamp;
  /** Its score, computed from these facts for that time. */
  score: Score;
  /** The broker, its licences, warnings and complaints, and the regulators of its licences. */
  facts: WinningEntry[];
  /** Its published reviews then, by the month in which they were written. */
  ratingsByMonth: RatingMonth[];
  /** Its complaints, as far as a score counts them, by month. */
  complaintsByMonth: ComplaintMonth[];
}

/**
 * What changed about a broker, and its score after each change.
 * Answer of `record.history`.
 * @example const answer: BrokerHistory = await record.history('alpha-markets');
 */
export interface BrokerHistory {
  /**
   * Its current slug.
   * Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.
   * At most 80 characters.
   * @example 'alpha-markets'
   */
  slug: Slug;
  /**
   * When the record of it begins. What was published before is not known.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  since: Timestamp;
  /** What changed, oldest first. */
  data: HistoryStep[];
  /** `from` of the next page; null: this is the last one, or `before` was asked. */
  next: number | null;
}

/**
 * A proof that an entry about a broker is in the public log.
 * Answer of `record.proof`.
 * @example const answer: BrokerProof = await record.proof('alpha-markets');
 */
export interface BrokerProof {
  /**
   * Its current slug.
   * Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.
   * At most 80 characters.
   * @example 'alpha-markets'
   */
  slug: Slug;
  /**
   * The entry that is proven.
   * At least 0.
   */
  number: number;
  /**
   * The day whose score is proven; absent if another entry is.
   * Calendar date `YYYY-MM-DD`, in UTC.
   * @example '2014-03-01'
   */
  date?: CalendarDate | undefined;
  /** The proof as a text file (c2sp.org/tlog-proof). `broker-transparency verify` checks it. */
  proof: string;
}

/** A mark with the signature of the prober. */
export interface CanaryMark {
  /**
   * The minute in which it is written.
   * @example '2026-11-23T10:05Z'
   */
  mark: string;
  /**
   * By the key of the prober, over `canary <prober> <mark>`.
   * @example 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=='
   */
  signature: string;
}

/** An entry of the record that a broker’s score follows from, and the score after it. */
export interface HistoryStep {
  /**
   * Its number in the record.
   * At least 0.
   */
  number: number;
  /**
   * When it got its number.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  time: Timestamp;
  /** What it is about. */
  key: string;
  /** What kind of fact it is. */
  kind: "broker" | "license" | "warning" | "regulator" | "check" | "review" | "complaints" | "news" | "methodology" | "day" | "service-level" | (string & {});
  /** Why it was written. */
  cause: "start" | "fact" | "correction" | "identity" | "check" | "undo" | "erasure" | "methodology" | "day" | "restore" | (string & {});
  /**
   * Since when it holds in the world; absent where nobody knows.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  validFrom?: Timestamp | undefined;
  /** Value of the score after it, 0 to 100; null: not rated. */
  value: number | null;
  /**
   * Color of the score after it.
   * Traffic light of a score: `green` from 70, `yellow` from 40, `red` below, `gray` not rated.
   */
  color: Color;
}

/** An entry of the record about a day or a month of the service. */
export interface ServiceLevelEntry {
  /**
   * Its number in the record.
   * At least 0.
   */
  number: number;
  /**
   * When it got its number.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  time: Timestamp;
  /**
   * What the record says.
   * @example {"date":"2026-11-23","objectives":"2026-1"}
   */
  value: {
    [key: string]: unknown;
  };
  /** The proof as a text file (c2sp.org/tlog-proof), which `broker-transparency verify` checks; absent until a signed checkpoint covers the entry. */
  proof?: string | undefined;
}

/** An entry of the record that holds at the times asked for. */
export interface WinningEntry {
  /**
   * Its number in the record.
   * At least 0.
   */
  number: number;
  /**
   * When it got its number.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  time: Timestamp;
  /** What it is about. */
  key: string;
  /** What kind of fact it is. */
  kind: "broker" | "license" | "warning" | "regulator" | "check" | "review" | "complaints" | "news" | "methodology" | "day" | "service-level" | (string & {});
  /** Why it was written. */
  cause: "start" | "fact" | "correction" | "identity" | "check" | "undo" | "erasure" | "methodology" | "day" | "restore" | (string & {});
  /**
   * Since when it holds in the world; absent where nobody knows.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  validFrom?: Timestamp | undefined;
  /** What is published under the key. */
  value: {
    [key: string]: unknown;
  };
}

/** The mark that is in the record now. */
export interface WrittenMark {
  /**
   * The minute that the prober named.
   * @example '2026-11-23T10:05Z'
   */
  mark: string;
}

/**
 * Query of `client.search`.
 * @example const ask = (query: SearchQuery) => client.search(query);
 */
export interface SearchQuery {
  /**
   * Keywords. Only the first six count.
   * 1 to 100 characters.
   * @example 'alpha mark'
   */
  q: string;
}

/**
 * Query of `client.brokers.list`.
 * @example const ask = (query: BrokersListQuery) => client.brokers.list(query);
 */
export interface BrokersListQuery {
  /**
   * Most items to answer.
   * 1 to 100.
   * Default: 20.
   */
  limit?: number | undefined;
  /**
   * Items to skip.
   * 0 to 100000.
   * Default: 0.
   */
  offset?: number | undefined;
  /** Only brokers whose score has this color. */
  color?: ("green" | "yellow" | "red" | "gray") | undefined;
}

/**
 * Query of `client.reviews.list`.
 * @example const ask = (query: ReviewsListQuery) => client.reviews.list(query);
 */
export interface ReviewsListQuery {
  /**
   * Slug of the broker.
   * Lower-case letters and digits, joined by single hyphens. It can change; a former one stays known.
   * At most 80 characters.
   * @example 'alpha-markets'
   */
  broker: Slug;
  /**
   * Most items to answer.
   * 1 to 100.
   * Default: 20.
   */
  limit?: number | undefined;
  /**
   * Asks for the page after another one.
   * Opaque position in a list. Take it from `pagination.nextCursor`; do not build or parse it.
   * At most 200 characters.
   */
  cursor?: Cursor | undefined;
}

/**
 * Query of `client.news.list`.
 * @example const ask = (query: NewsListQuery) => client.news.list(query);
 */
export interface NewsListQuery {
  /**
   * Most items to answer.
   * 1 to 100.
   * Default: 20.
   */
  limit?: number | undefined;
  /**
   * Asks for the page after another one.
   * Opaque position in a list. Take it from `pagination.nextCursor`; do not build or parse it.
   * At most 200 characters.
   */
  cursor?: Cursor | undefined;
}

/**
 * Query of `record.history`.
 * @example const ask = (query: BrokersHistoryQuery) => record.history('alpha-markets', query);
 */
export interface BrokersHistoryQuery {
  /**
   * The first number.
   * 0 to 999999999.
   * Default: 0.
   */
  from?: number | undefined;
  /**
   * Only lower numbers, and the last `limit` of these. By default: the first ones from `from` on.
   * 1 to 999999999.
   */
  before?: number | undefined;
  /**
   * Steps of the answer: each `entry`, or only the last one of each `day` or `month` in UTC.
   * Default: entry.
   */
  per?: ("entry" | "day" | "month") | undefined;
  /**
   * Most steps of an answer.
   * 1 to 100.
   * Default: 50.
   */
  limit?: number | undefined;
}

/**
 * Query of `record.at`.
 * @example const ask = (query: BrokersAtQuery) => record.at('alpha-markets', query);
 */
export interface BrokersAtQuery {
  /**
   * What was known: up to this number, or at this time. By default: now.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  knownAt?: (number | Timestamp) | undefined;
  /**
   * The time in the world that it is about. Default: now.
   * RFC 3339 time in UTC, ending in `Z`.
   * @example '2026-11-02T09:30:00.000Z'
   */
  validAt?: Timestamp | undefined;
}

/**
 * Query of `record.proof`.
 * @example const ask = (query: BrokersProofQuery) => record.proof('alpha-markets', query);
 */
export interface BrokersProofQuery {
  /**
   * The day whose score is proven. Default: the last one.
   * Calendar date `YYYY-MM-DD`, in UTC.
   * @example '2014-03-01'
   */
  date?: CalendarDate | undefined;
  /**
   * Another entry to prove in place of a score.
   * 0 to 999999999.
   */
  number?: number | undefined;
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
    create: { args: [body: ReviewSubmission]; answer: SubmittedReview; codes: CommonCode | 'malformed_json' | 'authentication_required' | 'invalid_token' | 'kyc_required' | 'insufficient_scope' | 'broker_not_found' | 'review_exists' | 'state_conflict' | 'idempotency_in_progress' | 'content_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' };
  };
  complaints: {
    /**
     * Submit a complaint about a broker.
     * Private. Sent without an Idempotency-Key, a complaint that equals one of the same account within 24 hours is taken as its repetition. An account can send 10 within 24 hours, unless the operator says otherwise: beyond that 429 says when the next one is taken.
     * Needs a token with the scope `complaints:write`.
     * @example await client.complaints.create(body)
     */
    create: { args: [body: ComplaintSubmission]; answer: ComplaintReceipt; codes: CommonCode | 'malformed_json' | 'authentication_required' | 'invalid_token' | 'insufficient_scope' | 'broker_not_found' | 'state_conflict' | 'idempotency_in_progress' | 'content_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' };
  };
  news: {
    /**
     * Industry news, newest first.
     * @example await client.news.list()
     */
    list: { args: [query?: NewsListQuery]; answer: NewsList; item: NewsItem; codes: CommonCode };
  };
}

/** What each call of the record takes and answers. */
export interface RecordOperations {
  /**
   * What changed about a broker, and its score after each change.
   * @example await record.history('alpha-markets')
   */
  history: { args: [slug: Slug, query?: BrokersHistoryQuery]; answer: BrokerHistory; item: HistoryStep; codes: CommonCode | 'broker_not_found' };
  /**
   * What was known of a broker at one time about another.
   * @example await record.at('alpha-markets')
   */
  at: { args: [slug: Slug, query?: BrokersAtQuery]; answer: BrokerAt; codes: CommonCode | 'broker_not_found' };
  /**
   * A proof that a score of a broker, or another entry about it, is in the public log.
   * @example await record.proof('alpha-markets')
   */
  proof: { args: [slug: Slug, query?: BrokersProofQuery]; answer: BrokerProof; codes: CommonCode | 'broker_not_found' | 'not_found' };
}
