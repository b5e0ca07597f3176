import type { LicenseStatus } from '@broker-transparency/contract';

/** One row of a register. */
export interface RegisterEntry {
  readonly line: number;
  /** The number a licence is found by, normalised. */
  readonly referenceNumber: string;
  /** Other numbers of the same licence, normalised. */
  readonly otherNumbers: readonly string[];
  readonly entityName: string;
  /** Null: the register says something that is not understood. */
  readonly status: LicenseStatus | null;
  /** What the register says of the status; empty: that the row is there. */
  readonly statusText: string;
  /** Day from which the status holds, YYYY-MM-DD. */
  readonly statusSince?: string;
  /** Day the licence began, YYYY-MM-DD. */
  readonly since?: string;
}

/** A register as its regulator publishes it. */
export interface RegisterAdapter {
  readonly name: string;
  readonly regulatorCode: string;
  /** As in: "is not …". */
  readonly title: string;
  readonly publisher: string;
  readonly sourceUrl: string;
  /** Licence of the data; null: not known, to be given with `--license`. */
  readonly license: string | null;
  readonly attribution: string;
  /** The file lists what is in force, and nothing else: a row that vanished is a licence that ceased. */
  readonly currentOnly: boolean;
  /** A reference number in the form entries have. */
  readonly normalise: (referenceNumber: string) => string;
  /** Reads the file row by row, in constant memory. @throws DomainError unreadable_file naming line and column */
  readonly read: (chunks: AsyncIterable<Buffer>) => AsyncGenerator<RegisterEntry>;
}
