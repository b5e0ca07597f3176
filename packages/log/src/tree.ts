import { EMPTY_ROOT, leafInput, nodeInput, type Sha256 } from './hash.ts';
import { requireWhole } from './lines.ts';

/*
 * Trees and proofs of RFC 6962. A node is a complete subtree: the one at level 3 and index 2 is over the leaves 16 to
 * 23. Numbers are halved and not shifted, since shifts end at 2^32.
 */

/** The place of a complete subtree. */
export interface TreeNode {
  /** The subtree has 2^level leaves. */
  readonly level: number;
  /** Number of subtrees of this level to its left. */
  readonly index: number;
}

/** A complete subtree with its hash. */
export interface HashedNode extends TreeNode {
  readonly hash: Uint8Array;
}

/** A growing tree, as the hashes of its complete subtrees. It has at most 53 of them, the largest first. */
export interface Frontier {
  readonly size: number;
  readonly hashes: readonly Uint8Array[];
}

/**
 * The tree without leaves.
 * @see append
 */
export const EMPTY_TREE: Frontier = { size: 0, hashes: [] };

/** Result of appending leaves. */
export interface AppendResult {
  readonly tree: Frontier;
  /** The nodes that are now complete: the leaf, and each subtree that it fills. Their hashes never change again. */
  readonly nodes: readonly HashedNode[];
}

/**
 * Appends a leaf. With n leaves this takes at most log2(n) hashes.
 * @param leafHash the hash of {@link leafInput}
 * @example append(EMPTY_TREE, EMPTY_ROOT, (bytes) => bytes).tree.size // 1
 */
export const append = ({ size, hashes }: Frontier, leafHash: Uint8Array, sha256: Sha256): AppendResult => {
  const kept = [...hashes];
  const nodes: HashedNode[] = [{ level: 0, index: size, hash: leafHash }];
  let hash = leafHash;
  let index = size;
  for (let level = 1; index % 2 === 1; level++) {
    hash = sha256(nodeInput(kept.pop() as Uint8Array, hash));
    index = (index - 1) / 2;
    nodes.push({ level, index, hash });
  }
  return { tree: { size: size + 1, hashes: [...kept, hash] }, nodes };
};

/**
 * Appends leaves, as {@link append} does with one. The nodes are in the order in which they were completed.
 * @param leaves the bytes of the leaves, which are not hashed yet
 * @example appendAll(EMPTY_TREE, [EMPTY_ROOT, EMPTY_ROOT], () => EMPTY_ROOT).nodes.map(({ level }) => level) // [0, 0, 1]
 */
export const appendAll = (from: Frontier, leaves: Iterable<Uint8Array>, sha256: Sha256): AppendResult => {
  const nodes: HashedNode[] = [];
  let tree = from;
  for (const leaf of leaves) {
    const added = append(tree, sha256(leafInput(leaf)), sha256);
    ({ tree } = added);
    nodes.push(...added.nodes);
  }
  return { tree, nodes };
};

/** Hashes neighbours from right to left, as for a range that is no complete subtree. */
const joinHashes = (hashes: readonly Uint8Array[], sha256: Sha256): Uint8Array =>
  hashes.reduceRight((right, left) => sha256(nodeInput(left, right)));

/**
 * Returns the root of a tree.
 * @example computeRoot(EMPTY_TREE, (bytes) => bytes) === EMPTY_ROOT // true
 */
export const computeRoot = ({ hashes }: Frontier, sha256: Sha256): Uint8Array =>
  hashes.length === 0 ? EMPTY_ROOT : joinHashes(hashes, sha256);

/** Returns the largest power of two below a number. */
const findPowerBelow = (size: number): number => {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
};

/** Returns the complete subtrees of a range of leaves, from left to right. */
const listNodes = (start: number, end: number): TreeNode[] => {
  const nodes: TreeNode[] = [];
  let at = start;
  while (at < end) {
    let [level, width] = [0, 1];
    while (at % (width * 2) === 0 && at + width * 2 <= end) [level, width] = [level + 1, width * 2];
    nodes.push({ level, index: at / width });
    at += width;
  }
  return nodes;
};

/**
 * Returns the nodes of a {@link Frontier}: a tree can be continued from their hashes.
 * @example frontierNodes(5) // [{ level: 2, index: 0 }, { level: 0, index: 4 }]
 */
export const frontierNodes = (size: number): readonly TreeNode[] => listNodes(0, requireWhole(size, 'a size'));

/** The hashes of all complete subtrees of a tree, by level and index. Level 0 has those of the leaves. */
export type Subtrees = readonly (readonly Uint8Array[])[];

/**
 * Hashes all complete subtrees of a tree.
 * @param leafHashes hashes of {@link leafInput}
 * @example hashSubtrees([EMPTY_ROOT, EMPTY_ROOT, EMPTY_ROOT], () => EMPTY_ROOT).map(({ length }) => length) // [3, 1]
 */
export const hashSubtrees = (leafHashes: readonly Uint8Array[], sha256: Sha256): Subtrees => {
  const levels = [leafHashes];
  for (let below = leafHashes; below.length > 1; ) {
    const level: Uint8Array[] = [];
    for (let at = 0; at + 1 < below.length; at += 2)
      level.push(sha256(nodeInput(below[at] as Uint8Array, below[at + 1] as Uint8Array)));
    levels.push(level);
    below = level;
  }
  return levels;
};

/**
 * Returns the root of the tree with these subtrees.
 * @example computeSubtreesRoot([[]], (bytes) => bytes) === EMPTY_ROOT // true
 */
export const computeSubtreesRoot = (subtrees: Subtrees, sha256: Sha256): Uint8Array => {
  const size = subtrees[0]?.length ?? 0;
  const hashes = frontierNodes(size).map(({ level, index }) => subtrees[level]?.[index] as Uint8Array);
  return computeRoot({ size, hashes }, sha256);
};

/** Plan of a proof: for each of its hashes, the nodes that it is made from. */
export type ProofPlan = readonly (readonly TreeNode[])[];

const planInclusion = (index: number, start: number, end: number): TreeNode[][] => {
  if (end - start === 1) return [];
  const middle = start + findPowerBelow(end - start);
  return index < middle
    ? [...planInclusion(index, start, middle), listNodes(middle, end)]
    : [...planInclusion(index, middle, end), listNodes(start, middle)];
};

/**
 * Returns the plan of the proof that a leaf is in a tree.
 * @throws RangeError if the tree has no such leaf
 * @example inclusionPlan(0, 3) // [[{ level: 0, index: 1 }], [{ level: 0, index: 2 }]]
 */
export const inclusionPlan = (index: number, size: number): ProofPlan => {
  if (requireWhole(index, 'an index') >= requireWhole(size, 'a size'))
    throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`);
  return planInclusion(index, 0, size);
};

/** `known`: the older root is the one of this range, so the verifier has it. */
const planConsistency = (older: number, start: number, end: number, known: boolean): TreeNode[][] => {
  if (older === end) return known ? [] : [listNodes(start, end)];
  const middle = start + findPowerBelow(end - start);
  return older <= middle
    ? [...planConsistency(older, start, middle, known), listNodes(middle, end)]
    : [...planConsistency(older, middle, end, false), listNodes(start, middle)];
};

/**
 * Returns the plan of the proof that a tree continues an older one. It is empty if the older tree is empty, or if both
 * are the same.
 * @throws RangeError if the older tree is the larger one
 * @example consistencyPlan(2, 3) // [[{ level: 0, index: 2 }]]
 */
export const consistencyPlan = (older: number, size: number): ProofPlan => {
  if (requireWhole(older, 'a size') > requireWhole(size, 'a size'))
    throw new RangeError(`a tree of ${size} leaves does not continue one of ${older}`);
  return older === 0 ? [] : planConsistency(older, 0, size, true);
};

/**
 * Makes a proof.
 * @param readHash returns the hash of a complete subtree from any storage
 * @example makeProof(inclusionPlan(0, 2), () => EMPTY_ROOT, (bytes) => bytes).map(toBase64) // ['47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=']
 */
export const makeProof = (
  plan: ProofPlan,
  readHash: (node: TreeNode) => Uint8Array,
  sha256: Sha256,
): readonly Uint8Array[] => plan.map((nodes) => joinHashes(nodes.map(readHash), sha256));
