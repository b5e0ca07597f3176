import type { ReplicaTree } from './tree.ts';

/** An entry as a replica keeps it. */
export interface ReplicaEntry {
  readonly number: number;
  readonly key: string;
  readonly kind: string;
  /** The bytes that the log has: canonical JSON. */
  readonly line: string;
  /** Whether nothing is published under the key from here on. */
  readonly isGone: boolean;
  /** Canonical JSON of a value that is too long for the log. */
  readonly value?: string;
}

/** The texts of one key by field, with the random bytes of their commitments. */
export type TextsOfKey = Readonly<Record<string, { readonly salt: string; readonly text: string }>>;

/** What becomes of the texts of a key. */
export interface KeyTexts {
  readonly key: string;
  /** They replace all texts of the key. Null: delete them, in every copy. */
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
 * Where a replica stands. Everything in it is JSON.
 * @example const first = ({ tree }: ReplicaPosition): number => tree.size;
 */
export interface ReplicaPosition {
  /** The tree over all entries that were applied. */
  readonly tree: ReplicaTree;
  /** The largest of its trees that the log has signed; null: none yet. */
  readonly signed: VouchedTree | null;
  /** The largest of its trees that enough witnesses have signed; null: none yet, or the policy requires none. */
  readonly witnessed: VouchedTree | null;
  /** A signed checkpoint beyond the tree: when the tree gets there, it has to have this root. Null: none is known. */
  readonly ahead: { readonly size: number; readonly root: string } | null;
  /**
   * Size of the tree at the end of the record, when every text was asked for that its entries say is public; null: never yet, as
   * with a key that may not read texts.
   */
  readonly textsThrough: number | null;
}

/** What a store does all at once, or not at all. The steps come in this order. */
export interface ReplicaBatch {
  /** Whether everything in the store is deleted. Such a batch has nothing else, and no position. */
  readonly isReset: boolean;
  /** Entries with this number or a higher one never were: forget them. Keys say again what they said before. */
  readonly backTo?: number;
  /** Added in this order. The entry of a key with the highest number is what the key says. */
  readonly entries: readonly ReplicaEntry[];
  readonly texts: readonly KeyTexts[];
  /** Null: not complete yet, as while a snapshot is read. What is then in the store is deleted by the next reset. */
  readonly position: ReplicaPosition | null;
}

/**
 * Where a replica is kept.
 *
 * Entries from `position.signed.size` on can be taken back by `backTo`. Of every key the store therefore keeps its last
 * entry below that size, and all entries above; what is older it may drop. In a database that is one table of entries
 * by number, one of texts by key, and one row for the position, all written in one transaction.
 */
export interface ReplicaStore {
  /** Returns where the replica stands; undefined if it has no position. */
  load(): Promise<ReplicaPosition | undefined>;
  /**
   * Applies a batch: all of it or nothing, whatever happens meanwhile.
   * @returns after `backTo`, the numbers of the entries that are the last of their keys again: their texts are asked for
   *   once more. A store without texts need not return anything
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a store that returns nothing is one
  apply(batch: ReplicaBatch): Promise<readonly number[] | void>;
}

/** What the stores of this package can be asked. */
export interface ReplicaReader {
  /** What a key says; undefined if it says nothing. */
  get(key: string): Promise<ReplicaEntry | undefined>;
  /** The texts of a key that its entry commits to. */
  textsOf(key: string): Promise<TextsOfKey>;
  /** What every key says, by key. */
  entries(): AsyncGenerator<ReplicaEntry, void, undefined>;
}
