import type { ExtensibleValue, Tier } from '../primitives.ts';
import type { ChecklistKey, ComponentKey, LicenseStatus } from './methodology.ts';
import type { ComplaintMonth, RatingMonth } from './schema.ts';

/** The fields of a legal entity that the score needs. */
export interface ScoredEntity {
  readonly legalName: string;
  readonly retailClients: boolean;
}

/** The fields of a licence that the score needs. */
export interface ScoredLicense {
  readonly entity: { readonly legalName: string };
  readonly regulatorCode: string;
  readonly type: ExtensibleValue<'authorisation' | 'passport' | 'registration'>;
  readonly tier: ExtensibleValue<Tier>;
  readonly status: ExtensibleValue<LicenseStatus>;
  /** `YYYY-MM-DD` */
  readonly activeSince?: string | undefined;
}

/** The complaints by identity-verified people that a score counts: those closed or overdue in its months. */
export interface ComplaintCounts {
  readonly closed: number;
  readonly resolved: number;
  readonly timely: number;
}

/**
 * The facts that determine a score. The detail answer of a broker contains all of them. A licence counts only for the
 * entity with exactly its legal name. A licence without such an entity counts for nothing, and an entity without a
 * licence is unlicensed.
 */
export interface ScoreFacts {
  readonly status: ExtensibleValue<'operating' | 'ceased' | 'merged' | 'suspected_clone'>;
  /** Time of the last check of the licences against the registers. If null, the broker is not rated. */
  readonly licensesCheckedAt: string | null;
  readonly entities: readonly ScoredEntity[];
  readonly licenses: readonly ScoredLicense[];
  readonly ratingsByMonth: readonly RatingMonth[];
  /** As `complaintCounts` returns them for the time of the score. */
  readonly complaints: ComplaintCounts;
  readonly checklist: readonly { readonly key: ExtensibleValue<ChecklistKey>; readonly met: boolean | null }[];
  readonly warnings: readonly {
    readonly about: ExtensibleValue<'this_firm' | 'clone_of_it' | 'not_this_firm'>;
    readonly withdrawnAt?: string | undefined;
    readonly match?: ExtensibleValue<'unchecked' | 'confirmed'> | undefined;
  }[];
}

/** The part of a published broker that determines its score. The detail answer of the API satisfies it. */
export interface PublishedRating extends Omit<ScoreFacts, 'complaints'> {
  /** The complaints that a score counts by month. */
  readonly complaintsByMonth?: readonly ComplaintMonth[] | undefined;
  readonly score: {
    /** Version of the methodology that the score follows; by default the one in force. */
    readonly methodologyVersion?: string | undefined;
    readonly computedAt: string;
    readonly components: readonly {
      readonly key: ExtensibleValue<ComponentKey>;
      readonly inputs: Readonly<Record<string, number>>;
    }[];
  };
}
