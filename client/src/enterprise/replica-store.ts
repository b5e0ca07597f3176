import type { ReplicaTree } from './tree.ts';

/** An entry as a replica keeps it. */
export interface ReplicaEntry {
  readonly number: number;
  readonly key: string;
  readonly kind: string;
  /** The bytes that the log has: canonical JSON. */
  readonly line: string;
  /** True if nothing is published under the key from this entry on. */
  readonly isGone: boolean;
  /** Canonical JSON of a value that is too long for the log. */
  readonly value?: string;
}

/** The texts of one key by field, with the random bytes of their commitments. */
export type TextsOfKey = Readonly<Record<string, { readonly salt: string; readonly text: string }>>;

/** The change of a key's texts. */
export interface KeyTexts {
  readonly key: string;
  /** New texts, which replace all texts of the key; null to delete them in every copy. */
  readonly texts: TextsOfKey | null;
}

/** A tree that somebody vouches for. */
export interface VouchedTree extends ReplicaTree {
  /** The checkpoint, with its signatures. */
  readonly checkpoint: string;
  /** Proof that the checkpoint continues this tree (RFC 6962), in base64. */
  readonly consistency: readonly string[];
}

/**
 * The position of a replica. Everything in it is JSON.
 * @example const first = ({ tree }: ReplicaPosition): number => tree.size;
 */
export interface ReplicaPosition {
  /** The tree over all entries that were applied. */
  readonly tree: ReplicaTree;
  /** The largest of its trees that the log has signed; null if none yet. */
  readonly signed: VouchedTree | null;
  /** The largest of its trees that enough witnesses have signed; null if none yet, or the policy requires none. */
  readonly witnessed: VouchedTree | null;
  /** A signed checkpoint beyond the tree: at that size, the tree must have this root; null if none is known. */
  readonly ahead: { readonly size: number; readonly root: string } | null;
  /**
   * Size of the tree at the end of the record, when all its public texts were requested; null if never, for example
   * with a key that may not read texts.
   */
  readonly textsThrough: number | null;
}

/** The changes that a store applies atomically, in this order. */
export interface ReplicaBatch {
  /** True to delete everything in the store. Such a batch has nothing else, and no position. */
  readonly isReset: boolean;
  /** Entries with this number or a higher one never were: forget them. Keys say again what they said before. */
  readonly backTo?: number;
  /** Added in this order. The entry of a key with the highest number is the current one of the key. */
  readonly entries: readonly ReplicaEntry[];
  readonly texts: readonly KeyTexts[];
  /**
   * Null while incomplete, for example while a snapshot is read. The next reset then deletes the contents of the store.
   */
  readonly position: ReplicaPosition | null;
}

/**
 * The store of a replica.
 *
 * Entries from `position.signed.size` on can be taken back by `backTo`. Of every key the store therefore keeps its last
 * entry below that size, and all entries above; what is older it may drop. In a database that is one table of entries
 * by number, one of texts by key, and one row for the position, all written in one transaction.
 */
export interface ReplicaStore {
  /** Returns where the replica stands; undefined if it has no position. */
  load(): Promise<ReplicaPosition | undefined>;
  /**
   * Applies a batch atomically.
   * @returns after `backTo`, the numbers of the entries that are the last of their keys again: their texts are asked
   *   for once more. A store without texts need not return anything
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a store that returns nothing is one
  apply(batch: ReplicaBatch): Promise<readonly number[] | void>;
}

/** The reads of the stores of this package. */
export interface ReplicaReader {
  /** Returns the current entry of a key; undefined if it has none. */
  get(key: string): Promise<ReplicaEntry | undefined>;
  /** The texts of a key that its entry commits to. */
  readTexts(key: string): Promise<TextsOfKey>;
  /** Yields the current entry of every key, by key. */
  entries(): AsyncGenerator<ReplicaEntry, void, undefined>;
}
