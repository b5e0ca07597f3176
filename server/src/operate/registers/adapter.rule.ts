import type { LicenseStatus } from '@broker-transparency/contract';

/** One row of a register. */
export interface RegisterEntry {
  readonly line: number;
  /** Normalised reference number, by which a licence is found. */
  readonly referenceNumber: string;
  /** Other numbers of the same licence, normalised. */
  readonly otherNumbers: readonly string[];
  readonly entityName: string;
  /** Null if the status in the register is unknown to the adapter. */
  readonly status: LicenseStatus | null;
  /** The status in the words of the register. Empty if being listed is the only statement. */
  readonly statusText: string;
  /** Day from which the status holds, YYYY-MM-DD. */
  readonly statusSince?: string;
  /** Day on which the licence began, YYYY-MM-DD. */
  readonly since?: string;
}

/** Reads the file of a register as its regulator publishes it. */
export interface RegisterAdapter {
  readonly name: string;
  readonly regulatorCode: string;
  /** Name of the file in the message "is not …". */
  readonly title: string;
  readonly publisher: string;
  readonly sourceUrl: string;
  /** Licence of the data. Null if it is unknown, so that `--license` must give it. */
  readonly license: string | null;
  readonly attribution: string;
  /** True if the file lists only licences in force. A row that vanished then means that the licence ceased. */
  readonly currentOnly: boolean;
  /** Normalises a reference number as in the entries. */
  readonly normalise: (referenceNumber: string) => string;
  /** Reads the file row by row, in constant memory. @throws DomainError unreadable_file naming line and column */
  readonly read: (chunks: AsyncIterable<Buffer>) => AsyncGenerator<RegisterEntry>;
}
