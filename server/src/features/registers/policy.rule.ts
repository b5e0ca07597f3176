/** A complete file of a published list with a plausible number of entries. */
export interface KeptFile {
  readonly sha256: string;
  readonly bytes: number;
  readonly entries: number;
  /** Codes of the regulators with entries in it. */
  readonly regulators: readonly string[];
  /** Time of the data, RFC 3339. */
  readonly asOf: string;
  /** True if the file states that time itself. Otherwise it is the last time at which the publisher gave the file. */
  readonly isDated: boolean;
  readonly keptAt: Date;
  /** Origin: an address, or the name of a file. */
  readonly origin: string;
}

/** Values by which a publisher detects that a file is unchanged. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export const NO_VALIDATORS: Validators = { etag: null, lastModified: null };

/** Number of earlier files that are kept, so that a bad file can be dropped. */
export const FORMER_KEPT = 4;

/** Reasons to drop a file. */
export const DROP_REASONS = ['not_whole', 'another_list', 'wrong_day', 'other'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Number of dropped files that are remembered. */
export const DROPPED_KEPT = 20;

/** Returns a header that may be sent back as it came, or null. */
export const toValidator = (value: string | undefined): string | null =>
  value !== undefined && /^[\x20-\x7E]{1,500}$/.test(value) ? value : null;
