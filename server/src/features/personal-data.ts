import type { TxContext } from '../ledger/context.ts';
import type { Tx } from '../platform/mongo.ts';

/** How stored data refers to a person. */
export interface DataSubject {
  readonly accountIds: readonly string[];
  /** Hashes of the KYC provider's references to the person. */
  readonly personHashes: readonly string[];
  /** Only data written until then is meant. Later data belongs to a new account of the same person. */
  readonly until: Date;
}

/** The data that one feature holds about people. */
export interface PersonalDataSource {
  /** The collections that hold it. */
  readonly collections: readonly string[];
  /** Returns everything about a person, by its name in an export. All reads must use one snapshot. */
  readonly held: (person: DataSubject, tx: Tx) => Promise<Readonly<Record<string, readonly object[]>>>;
  /** Erases up to `limit` documents. Returns their number; fewer than `limit` means that none is left. */
  readonly erase: (c: TxContext, person: DataSubject, limit: number) => Promise<number>;
}
