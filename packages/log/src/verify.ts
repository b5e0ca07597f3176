import { sameBytes } from './bytes.ts';
import { type AnySha256, EMPTY_ROOT, nodeInput } from './hash.ts';

/*
 * Verification of proofs, by the steps of RFC 9162, section 2.1.3.2 and 2.1.4.2. It is asynchronous, so that one
 * implementation serves `node:crypto` and WebCrypto.
 */

/** The claim that a leaf is in a tree. */
export interface Inclusion {
  readonly index: number;
  readonly size: number;
  readonly root: Uint8Array;
  /** The hash of `leafInput`. */
  readonly leafHash: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/** The claim that a tree continues an older one. */
export interface Consistency {
  readonly older: { readonly size: number; readonly root: Uint8Array };
  readonly newer: { readonly size: number; readonly root: Uint8Array };
  readonly proof: readonly Uint8Array[];
}

/** Position on the way up from a leaf: the number of its node in the level, and the number of the level's last node. */
interface Position {
  readonly node: number;
  readonly last: number;
}

const half = (value: number): number => Math.floor(value / 2);
const parent = ({ node, last }: Position): Position => ({ node: half(node), last: half(last) });

/**
 * Returns whether the sibling is on the left. The last node of a level without a right sibling also meets its next one
 * on the left.
 */
const hasLeftSibling = ({ node, last }: Position): boolean => node % 2 === 1 || node === last;

/** Skips the levels in which the last node has no sibling. */
const skipLonely = (position: Position): Position => {
  let at = position;
  while (at.node % 2 === 0 && at.node !== 0) at = parent(at);
  return at;
};

/** Takes one step up with a sibling; undefined if there is no such step. */
const stepUp = (position: Position): { readonly isLeft: boolean; readonly above: Position } | undefined => {
  if (position.last === 0) return undefined;
  const isLeft = hasLeftSibling(position);
  return { isLeft, above: parent(isLeft ? skipLonely(position) : position) };
};

/**
 * Verifies that a leaf is in a tree.
 * @example verifyInclusion({ index: 0, size: 1, root: EMPTY_ROOT, leafHash: EMPTY_ROOT, proof: [] }, (bytes) => bytes) // true
 */
export const verifyInclusion = async (
  { index, size, root, leafHash, proof }: Inclusion,
  sha256: AnySha256,
): Promise<boolean> => {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return false;
  let at: Position = { node: index, last: size - 1 };
  let hash = leafHash;
  for (const sibling of proof) {
    const step = stepUp(at);
    if (step === undefined) return false;
    hash = await sha256(step.isLeft ? nodeInput(sibling, hash) : nodeInput(hash, sibling));
    at = step.above;
  }
  return at.last === 0 && sameBytes(hash, root);
};

const isPowerOfTwo = (size: number): boolean => {
  let rest = size;
  while (rest % 2 === 0) rest /= 2;
  return rest === 1;
};

/** Follows a proof upwards from the last complete subtree of the older tree, and computes both roots from it. */
const verifyLarger = async ({ older, newer, proof }: Consistency, sha256: AnySha256): Promise<boolean> => {
  // a complete older tree is itself the first subtree, so the proof leaves it out
  const [start, ...siblings] = isPowerOfTwo(older.size) ? [older.root, ...proof] : proof;
  if (start === undefined) return false;
  let at: Position = { node: older.size - 1, last: newer.size - 1 };
  while (at.node % 2 === 1) at = parent(at);
  let [olderHash, newerHash] = [start, start];
  for (const sibling of siblings) {
    const step = stepUp(at);
    if (step === undefined) return false;
    if (step.isLeft) olderHash = await sha256(nodeInput(sibling, olderHash));
    newerHash = await sha256(step.isLeft ? nodeInput(sibling, newerHash) : nodeInput(newerHash, sibling));
    at = step.above;
  }
  return at.last === 0 && sameBytes(olderHash, older.root) && sameBytes(newerHash, newer.root);
};

/**
 * Verifies that a tree continues an older one: that it begins with the leaves of the older one.
 * @example verifyConsistency({ older: { size: 0, root: EMPTY_ROOT }, newer: { size: 0, root: EMPTY_ROOT }, proof: [] }, (bytes) => bytes) // true
 */
export const verifyConsistency = async (claim: Consistency, sha256: AnySha256): Promise<boolean> => {
  const { older, newer, proof } = claim;
  if (older.size < 0 || older.size > newer.size) return false;
  if (older.size === 0 && !sameBytes(older.root, EMPTY_ROOT)) return false;
  if (older.size === newer.size) return proof.length === 0 && sameBytes(older.root, newer.root);
  return older.size === 0 ? proof.length === 0 : verifyLarger(claim, sha256);
};
