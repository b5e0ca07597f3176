import {
  canonicalJson,
  leafInput,
  rootOfSubtrees,
  type Subtrees,
  subtreesOf,
  toBase64,
} from '@broker-transparency/contract/log';
import { sha256 } from './hash.ts';

/** A broker among the scores of a day, with the hash of its leaf in the tree of the day. */
export interface DayRow {
  readonly slug: string;
  readonly value: number | null;
  readonly color: string;
  readonly leafHash: Uint8Array;
}

/** Returns a row: the one before if it says the same. */
export const dayRow = (slug: string, value: number | null, color: string, before?: DayRow): DayRow => {
  if (before && before.value === value && before.color === color && before.slug === slug) return before;
  const leaf = new TextEncoder().encode(canonicalJson([slug, value, color]));
  return { slug, value, color, leafHash: sha256(leafInput(leaf)) };
};

/** Returns a function that hashes the scores of one day after the other: what is as on the day before is not hashed again. */
export const createDayRoots = () => {
  let subtrees: Subtrees = [];
  /** Returns the root of the tree over the scores of a day, in base64. */
  return (rows: readonly DayRow[]): string => {
    subtrees = subtreesOf(
      rows.map(({ leafHash }) => leafHash),
      sha256,
      subtrees,
    );
    return toBase64(rootOfSubtrees(subtrees, sha256));
  };
};
