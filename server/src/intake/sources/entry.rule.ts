import type { LicenseStatus } from '@broker-transparency/contract';

/** What one row of a register says of a licence. */
export interface LicenceEntry {
  /** Where it stands, such as `line 5`. */
  readonly at: string;
  /** Code of the regulator. Null if the row names one that the mapping does not know; its words are `regulatorText`. */
  readonly regulator: string | null;
  readonly regulatorText: string;
  /** Numbers of the licence, normalised; the first one is shown. Empty if the register has none. */
  readonly numbers: readonly string[];
  readonly lei: string | null;
  readonly name: string;
  readonly otherNames: readonly string[];
  /** Hosts of the holder's websites, lower case, without `www.`. */
  readonly domains: readonly string[];
  readonly country: string | null;
  /** Null if the word is unknown to the mapping. */
  readonly status: LicenseStatus | null;
  /** The status in the words of the register. Empty if being listed is the only statement. */
  readonly statusText: string;
  /** Day from which the status holds, YYYY-MM-DD. */
  readonly statusSince?: string;
  /** Day on which the licence began, YYYY-MM-DD. */
  readonly since?: string;
}

/** What one row of an authority's list says. */
export interface WarningEntry {
  /** Where it stands, such as `line 5`. */
  readonly at: string;
  /** Code of the authority. Null if the row names one that the mapping does not know; its words are `authorityText`. */
  readonly authority: string | null;
  readonly authorityText: string;
  /** Its id in the list; null where it has none. */
  readonly id: string | null;
  /** Names as the list writes them. */
  readonly names: readonly string[];
  readonly victims: readonly string[];
  readonly victimNumbers: readonly string[];
  readonly victimDomains: readonly string[];
  readonly domains: readonly string[];
  readonly numbers: readonly string[];
  readonly lei: string | null;
  /** Days, YYYY-MM-DD. */
  readonly date: string | null;
  readonly updated: string | null;
  readonly url: string | null;
  /** The kind of warning in the words of the list. */
  readonly category: string;
  readonly text: string;
  /** Whether the row says anything of a clone, so that it may name the victim. */
  readonly mentionsClone: boolean;
}

/** What an identity register says of an LEI. */
export interface IdentityEntry {
  /** Where it stands, such as `line 5`. */
  readonly at: string;
  readonly lei: string;
  readonly legalName: string;
  readonly otherNames: readonly string[];
  readonly country: string | null;
  /** Business register and number in it. */
  readonly registeredAt: string | null;
  readonly registeredAs: string | null;
  /** ACTIVE or INACTIVE: of the firm. */
  readonly entityStatus: string | null;
  /** ISSUED, LAPSED, …: of the LEI, never of a licence. */
  readonly leiStatus: string | null;
  readonly successor: string | null;
  readonly nextRenewal: string | null;
}

export type SourceEntry = LicenceEntry | WarningEntry | IdentityEntry;
