import { EMPTY_ROOT, fromBase64, nodeInput, toBase64 } from '@broker-transparency/log';
import { sha256 } from '../verify/platform.ts';

/*
 * A growing tree by WebCrypto, which hashes asynchronously: as `append` and `computeRoot` of the contract, which need a
 * hash at once.
 */

/**
 * A tree (RFC 6962) as the hashes of its largest complete subtrees, left to right: it can be continued.
 * @example const empty: ReplicaTree = { size: 0, hashes: [] };
 */
export interface ReplicaTree {
  /** Number of entries. */
  readonly size: number;
  /** In base64. */
  readonly hashes: readonly string[];
}

/** The tree without entries. */
export const NO_TREE: ReplicaTree = { size: 0, hashes: [] };

/** Returns a tree with these leaves more. */
export const growTree = async ({ size, hashes }: ReplicaTree, leaves: readonly Uint8Array[]): Promise<ReplicaTree> => {
  const kept = hashes.map(fromBase64);
  let at = size;
  for (const leaf of leaves) {
    let hash = leaf;
    for (let index = at; index % 2 === 1; index = (index - 1) / 2)
      hash = await sha256(nodeInput(kept.pop() as Uint8Array, hash));
    kept.push(hash);
    at++;
  }
  return { size: at, hashes: kept.map(toBase64) };
};

/** Returns the root of a tree, in base64. */
export const computeTreeRoot = async ({ hashes }: ReplicaTree): Promise<string> => {
  const [last, ...rest] = hashes.map(fromBase64).reverse();
  let root = last ?? EMPTY_ROOT;
  for (const left of rest) root = await sha256(nodeInput(left, root));
  return toBase64(root);
};

/** Returns the number of subtrees of a tree: one for each 1 in the binary form of its size. */
const countSubtrees = (size: number): number => [...size.toString(2)].filter((digit) => digit === '1').length;

/** Returns true if these hashes belong to a tree of this size and root. */
export const hasRoot = async (tree: ReplicaTree, root: string): Promise<boolean> => {
  const isWhole = tree.hashes.length === countSubtrees(tree.size);
  return isWhole && (await computeTreeRoot(tree).catch(() => undefined)) === root; // a hash may be none
};
