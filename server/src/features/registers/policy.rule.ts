/** A file of a published list that was whole and had as many entries as was to be expected. */
export interface KeptFile {
  readonly sha256: string;
  readonly bytes: number;
  readonly entries: number;
  /** Codes of the regulators that it has entries of. */
  readonly regulators: readonly string[];
  /** The time that it tells of, RFC 3339. */
  readonly asOf: string;
  /** Whether that is its own time. If not, it tells of the last time at which the publisher gave it. */
  readonly isDated: boolean;
  readonly keptAt: Date;
  /** Where it comes from: an address, or the name of a file. */
  readonly origin: string;
}

/** By which a publisher tells whether a file has changed. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export const NO_VALIDATORS: Validators = { etag: null, lastModified: null };

/** Files before the current one that are kept, so that a bad one can be dropped. */
export const FORMER_KEPT = 4;

/** Why a file is dropped. */
export const DROP_REASONS = ['not_whole', 'another_list', 'wrong_day', 'other'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Files that were dropped of which it is known. */
export const DROPPED_KEPT = 20;

/** Returns a header that may be sent back as it came, or null. */
export const toValidator = (value: string | undefined): string | null =>
  value !== undefined && /^[\x20-\x7E]{1,500}$/.test(value) ? value : null;
