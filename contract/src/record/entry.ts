import type { ServiceLevelDay, ServiceLevelMonth } from '@broker-transparency/service-level';
import type { DecisionKind, StatementOfReasons } from '../moderation.ts';
import type { ScoredEntity } from '../score/facts.ts';
import type { ComplaintMonth } from '../score/schema.ts';

/** Every kind of entry of the record. */
export const ENTRY_KINDS = [
  'broker',
  'license',
  'warning',
  'regulator',
  'check',
  'review',
  'complaints',
  'news',
  'methodology',
  'day',
  'service-level',
  'customer',
  'dispute',
  'statement',
] as const;
/** One of {@link ENTRY_KINDS}. */
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Why an entry was written. */
export const ENTRY_CAUSES = [
  'start',
  'fact',
  'correction',
  'identity',
  'check',
  'undo',
  'erasure',
  'methodology',
  'day',
  'restore',
] as const;
/** One of {@link ENTRY_CAUSES}. */
export type EntryCause = (typeof ENTRY_CAUSES)[number];

/** Commitments to the texts that people wrote, by field: SHA-256 of 32 random bytes and the text, in base64. */
export type TextCommitments = Readonly<Record<string, string>>;

/** The published facts of a broker, without licences and warnings. The value has more fields than these. */
export interface BrokerValue {
  readonly slug: string;
  readonly name: string;
  readonly status: string;
  /** True if its licences were ever checked; if not, it is not rated. */
  readonly checked: boolean;
  readonly entities: readonly ScoredEntity[];
  readonly checklist: readonly { readonly key: string; readonly met: boolean | null }[];
  /** The brokers that were merged into it, whose reviews and complaints count as about it. */
  readonly merged?: readonly string[] | undefined;
  /** Its former slugs, and the brokers that were merged into it. */
  readonly predecessors?: readonly { readonly slug: string }[] | undefined;
  readonly texts?: TextCommitments;
}

/** The licences of a broker's legal entities under one number of a regulator. */
export interface LicenseValue {
  readonly broker: string;
  readonly regulator: string;
  readonly number: string;
  readonly holders: readonly {
    readonly legalName: string;
    readonly type: string;
    readonly status: string;
    readonly activeSince?: string | undefined;
  }[];
}

/** A public warning of an authority. */
export interface WarningValue {
  readonly broker: string;
  /** Only warnings about `this_firm` count. */
  readonly about: string;
  readonly withdrawnAt?: string | undefined;
  /** States if a person checked an automatic match. */
  readonly match?: string | undefined;
}

/** A regulator. */
export interface RegulatorValue {
  readonly code: string;
  readonly tier: number;
}

/** A comparison of licences with a register's file. */
export interface CheckValue {
  readonly regulator: string;
  /** The time that the file describes, RFC 3339. */
  readonly asOf: string;
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string;
  /** Keys of the licences that the file does not confirm as they are published. */
  readonly unconfirmed: readonly string[];
}

/**
 * States of a review that is or was published. An `unverified` one is published and counts nowhere, since nobody
 * verified its author's identity.
 */
export const RECORDED_REVIEW_STATES = [
  'published',
  'removed',
  'withheld',
  'withdrawn',
  'erased',
  'unverified',
] as const;

/** A review that is or was published. */
export interface ReviewValue {
  /** The broker that it was written about. */
  readonly broker: string;
  /** 1 to 5 stars. */
  readonly rating: number;
  /** The UTC month in which it was written, `YYYY-MM`. */
  readonly month: string;
  readonly state: (typeof RECORDED_REVIEW_STATES)[number];
  readonly texts?: TextCommitments;
}

/** The complaints about a broker that a score counts, and the public summary. */
export interface ComplaintsValue {
  readonly broker: string;
  readonly months: readonly ComplaintMonth[];
  /** Absent for a broker that was merged into another one: it counts there. */
  readonly summary?: object;
}

/** A news item. */
export interface NewsValue {
  readonly url: string;
  readonly source: string;
  readonly publishedAt: string;
  readonly brokers: readonly string[];
  readonly regulators: readonly string[];
  readonly texts: TextCommitments;
}

/** The version of the methodology that is in force from this entry on. */
export interface MethodologyValue {
  readonly version: string;
  /** SHA-256 of its arithmetic as one file, in hexadecimal. */
  readonly sha256: string;
}

/** All scores at the start of a day. */
export interface DayValue {
  /** `YYYY-MM-DD`; the scores are those at 00:00 UTC. */
  readonly date: string;
  /** The scores follow from the entries up to this number. */
  readonly through: number;
  /** Number of published brokers. */
  readonly count: number;
  /** Root of the Merkle tree over `[slug, value, color]` of each, ordered by slug, in base64. */
  readonly root: string;
}

/** The vote of a prober. The time of the entry shows when the operator decided it. */
export interface ProberVote {
  readonly verifierKey: string;
  readonly since: string;
  readonly until?: string;
}

/**
 * The measured service level: of a day (`service-level/<YYYY-MM-DD>`), of a month (`service-level/<YYYY-MM>`); a mark
 * by which a prober measures the feed (`service-level/canary/<prober>`); or the vote of a prober
 * (`service-level/prober/<prober>`).
 */
export type ServiceLevelValue = ServiceLevelDay | ServiceLevelMonth | { readonly mark: string } | ProberVote;

/** A customer that is a broker or belongs to one. The entry has no other part of the agreement. */
export interface CustomerValue {
  /** Null for a natural person, who is never named. */
  readonly name: string | null;
  /** The broker that it is or belongs to. */
  readonly broker: string;
  /** Time since which it has an agreement, RFC 3339. */
  readonly since: string;
  /** End of the agreement; null if none is set. */
  readonly until: string | null;
}

/** Most disputes that have ended in an answer about a broker: the newest ones. Open ones are all there. */
export const MOST_ENDED_DISPUTES = 50;

/** A fact that a broker disputes, and the decision about it; never the text. */
export interface DisputeValue {
  readonly broker: string;
  readonly field: string;
  readonly status: string;
  /** RFC 3339, like the other times. */
  readonly since: string;
  readonly dueAt: string;
  readonly decidedAt?: string;
  /** How the fact changed; only if the dispute was upheld. */
  readonly change?: string;
  /** Number of the statement about the broker that changed the fact. */
  readonly statement?: number;
}

/** A statement of reasons without its text. Nobody is named. */
export interface StatementValue
  extends Pick<StatementOfReasons, 'reasonCode' | 'ground' | 'origin' | 'automatedMeans'> {
  /** The broker whose review it is about. */
  readonly broker: string;
  readonly decision: DecisionKind;
  /** SHA-256, in base64, of 32 random bytes followed by the canonical JSON of `{ reviewId, decision, statement }`. */
  readonly commitment: string;
}

/** The values of entries by kind. */
export interface EntryValues {
  readonly broker: BrokerValue;
  readonly license: LicenseValue;
  readonly warning: WarningValue;
  readonly regulator: RegulatorValue;
  readonly check: CheckValue;
  readonly review: ReviewValue;
  readonly complaints: ComplaintsValue;
  readonly news: NewsValue;
  readonly methodology: MethodologyValue;
  readonly day: DayValue;
  readonly 'service-level': ServiceLevelValue;
  readonly customer: CustomerValue;
  readonly dispute: DisputeValue;
  readonly statement: StatementValue;
}

/** The times of an entry, as far as they decide when it holds. */
export interface EntryTimes {
  readonly number: number;
  /** Time at which it got its number, RFC 3339 in UTC. */
  readonly time: string;
  readonly cause: string;
  readonly validFrom?: string;
  readonly validTo?: string;
}

/** An entry of the record: what one key is from now on. */
export interface Entry<K extends EntryKind = EntryKind> extends EntryTimes {
  readonly key: string;
  readonly kind: K;
  readonly cause: EntryCause;
  /** Set on the last entry of a change: entries that were written together, and that count together. */
  readonly last?: true;
  /** The published value; null if no longer published. */
  readonly value: EntryValues[K] | null;
}

/**
 * Returns the key of an entry.
 * @example entryKey('license', 'alpha-markets', 'fca', '1/2') // 'license/alpha-markets/fca/1%2F2'
 */
export const entryKey = (kind: EntryKind, ...parts: readonly string[]): string =>
  [kind, ...parts.map(encodeURIComponent)].join('/');

/**
 * Returns the kind and the decoded parts of a key.
 * @example parseEntryKey('license/alpha-markets/fca/1%2F2') // ['license', 'alpha-markets', 'fca', '1/2']
 */
export const parseEntryKey = (key: string): string[] => key.split('/').map(decodeURIComponent);
