import type { Extended, Tier } from '../primitives.ts';
import type { ChecklistKey, ComponentKey, LicenseStatus } from './methodology.ts';
import type { RatingMonth } from './schema.ts';

/** A legal entity of a broker, as the score needs it. */
export interface ScoredEntity {
  readonly legalName: string;
  readonly retailClients: boolean;
}

/** A licence, as the score needs it. */
export interface ScoredLicense {
  readonly entity: { readonly legalName: string };
  readonly regulatorCode: string;
  readonly type: Extended<'authorisation' | 'passport' | 'registration'>;
  readonly tier: Extended<Tier>;
  readonly status: Extended<LicenseStatus>;
  /** `YYYY-MM-DD` */
  readonly activeSince?: string | undefined;
}

/** Complaints of identity-verified people that were closed or fell overdue in the last 36 months. */
export interface ComplaintCounts {
  readonly closed: number;
  readonly resolved: number;
  readonly timely: number;
}

/**
 * The facts a score is made of. A broker's detail answer has them all. A licence counts for its entity only, found by
 * the exact legal name: one that names no listed entity counts for nothing, and an entity without one is unlicensed.
 */
export interface ScoreFacts {
  readonly status: Extended<'operating' | 'ceased' | 'merged' | 'suspected_clone'>;
  /** When the licences were last checked against the registers; null: never, so the broker is not rated. */
  readonly licensesCheckedAt: string | null;
  readonly entities: readonly ScoredEntity[];
  readonly licenses: readonly ScoredLicense[];
  readonly ratingsByMonth: readonly RatingMonth[];
  readonly complaints: ComplaintCounts;
  readonly checklist: readonly { readonly key: Extended<ChecklistKey>; readonly met: boolean | null }[];
  readonly warnings: readonly {
    readonly about: Extended<'this_firm' | 'clone_of_it'>;
    readonly withdrawnAt?: string | undefined;
  }[];
}

/** A published broker, as far as its score goes: the detail answer of the API fits. */
export interface PublishedRating extends Omit<ScoreFacts, 'complaints'> {
  readonly score: {
    /** Which rules it follows; where it is left out, those in force. */
    readonly methodologyVersion?: string | undefined;
    readonly computedAt: string;
    readonly components: readonly {
      readonly key: Extended<ComponentKey>;
      readonly inputs: Readonly<Record<string, number>>;
    }[];
  };
}
