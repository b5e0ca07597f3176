import type { LicenseStatus } from '@broker-transparency/contract';

/** One row of a register about a licence. */
export interface LicenceEntry {
  /** Place in the file, such as `line 5`. */
  readonly at: string;
  /** Code of the regulator. Null if the mapping does not know it; `regulatorText` has the words of the row. */
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
  /** Null if the mapping does not know the status. */
  readonly status: LicenseStatus | null;
  /** The status in the words of the register. Empty if the listing itself is the only statement. */
  readonly statusText: string;
  /** Day from which the status holds, YYYY-MM-DD. */
  readonly statusSince?: string;
  /** Day on which the licence began, YYYY-MM-DD. */
  readonly since?: string;
}

/** One row of an authority's list. */
export interface WarningEntry {
  /** Place in the file, such as `line 5`. */
  readonly at: string;
  /** Code of the authority. Null if the mapping does not know it; `authorityText` has the words of the row. */
  readonly authority: string | null;
  readonly authorityText: string;
  /** Id in the list; null if it has none. */
  readonly id: string | null;
  /** Names as written in the list. */
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
  /** True if the row mentions a clone, so that it may name the victim. */
  readonly mentionsClone: boolean;
}

/** Record of an identity register about an LEI. */
export interface IdentityEntry {
  /** Place in the file, such as `line 5`. */
  readonly at: string;
  readonly lei: string;
  readonly legalName: string;
  readonly otherNames: readonly string[];
  readonly country: string | null;
  /** Business register and number in it. */
  readonly registeredAt: string | null;
  readonly registeredAs: string | null;
  /** Status of the firm: ACTIVE or INACTIVE. */
  readonly entityStatus: string | null;
  /** Status of the LEI, never of a licence: ISSUED, LAPSED, …. */
  readonly leiStatus: string | null;
  readonly successor: string | null;
  readonly nextRenewal: string | null;
}

export type SourceEntry = LicenceEntry | WarningEntry | IdentityEntry;
