import type { TxContext } from '../platform/context.ts';
import type { Tx } from '../platform/mongo.ts';

/** How a person is recognised in what is stored. */
export interface Person {
  readonly accountIds: readonly string[];
  /** Hashes of the provider's references of the person. */
  readonly personHashes: readonly string[];
  /** What is younger belongs to a new account of theirs, and is not meant. */
  readonly until: Date;
}

/** What one feature holds about people. */
export interface PersonalDataSource {
  /** The collections it is in. */
  readonly collections: readonly string[];
  /** Everything about a person, by the name it has in an export. Must run on one snapshot. */
  readonly held: (person: Person, tx: Tx) => Promise<Readonly<Record<string, readonly object[]>>>;
  /** Erases up to `limit` things. Returns how many; fewer than `limit` means that none is left. */
  readonly erase: (c: TxContext, person: Person, limit: number) => Promise<number>;
}
