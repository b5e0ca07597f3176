import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concat } from './bytes.ts';
import { EMPTY_ROOT, leafInput, nodeInput } from './hash.ts';
import { hashesInTiles, listTiles, newTiles, TILE_WIDTH, tilePath, tileWidth } from './tiles.ts';
import {
  append,
  appendAll,
  computeRoot,
  computeSubtreesRoot,
  consistencyPlan,
  EMPTY_TREE,
  type Frontier,
  frontierNodes,
  hashSubtrees,
  inclusionPlan,
  makeProof,
  type TreeNode,
} from './tree.ts';
import { verifyConsistency, verifyInclusion } from './verify.ts';

const MOST = 2000;
const sha256 = (bytes: Uint8Array): Uint8Array => Uint8Array.from(createHash('sha256').update(bytes).digest());
const leafHashes = Array.from({ length: MOST }, (_, at) => sha256(leafInput(new TextEncoder().encode(`leaf ${at}`))));

/** The definition of RFC 6962, section 2.1, word by word. */
const mth = (start: number, end: number): Uint8Array => {
  if (start === end) return sha256(new Uint8Array());
  if (end - start === 1) return leafHashes[start] as Uint8Array;
  let k = 1;
  while (k * 2 < end - start) k *= 2;
  return sha256(nodeInput(mth(start, start + k), mth(start + k, end)));
};

const formatName = ({ level, index }: TreeNode): string => `${level}/${index}`;

/** Every tree up to the largest, and the hash of each complete subtree. */
const trees: Frontier[] = [EMPTY_TREE];
const stored = new Map<string, Uint8Array>();
for (const leafHash of leafHashes) {
  const { tree, nodes } = append(trees.at(-1) ?? EMPTY_TREE, leafHash, sha256);
  trees.push(tree);
  for (const node of nodes) {
    if (stored.has(formatName(node))) throw new Error(`${formatName(node)} is completed twice`);
    stored.set(formatName(node), node.hash);
  }
}
const roots = trees.map((tree) => computeRoot(tree, sha256));
const findRoot = (size: number): Uint8Array => roots[size] ?? EMPTY_ROOT;
const findHash = (node: TreeNode): Uint8Array => {
  const hash = stored.get(formatName(node));
  if (hash === undefined) throw new Error(`${formatName(node)} is not complete`);
  return hash;
};

/** The bytes of a tile, cut from the hashes of its level. */
const joinHashes = ({ level, index, width }: { level: number; index: number; width: number }): Uint8Array =>
  concat(...Array.from({ length: width }, (_, at) => findHash({ level: level * 8, index: index * 256 + at })));

/** All other spellings of a list of hashes that differ in one bit. */
const flipped = (hashes: readonly Uint8Array[], bit: number): readonly Uint8Array[] => {
  const at = bit % (hashes.length * 256);
  return hashes.map((hash, index) => {
    if (index !== Math.floor(at / 256)) return hash;
    const copy = Uint8Array.from(hash);
    copy[Math.floor((at % 256) / 8)] = (copy[Math.floor((at % 256) / 8)] ?? 0) ^ (1 << (at % 8));
    return copy;
  });
};

const leaves = fc
  .integer({ min: 1, max: MOST })
  .chain((size) => fc.record({ size: fc.constant(size), index: fc.nat(size - 1), bit: fc.nat() }));
const pairs = fc
  .integer({ min: 0, max: MOST })
  .chain((size) => fc.record({ size: fc.constant(size), older: fc.nat(size), bit: fc.nat() }));

describe('a growing tree', () => {
  test('a growing tree has the root that RFC 6962 defines, at any size', () => {
    expect(findRoot(0)).toEqual(sha256(new Uint8Array()));
    fc.assert(
      fc.property(fc.nat(MOST), (size) => {
        expect(findRoot(size)).toEqual(Uint8Array.from(mth(0, size)));
      }),
    );
  });

  test('a growing tree can be continued from its nodes', () => {
    fc.assert(
      fc.property(fc.nat(MOST), (size) => {
        expect(frontierNodes(size).map(findHash)).toEqual(trees[size]?.hashes);
      }),
    );
  });

  test('keeps a hash for each bit of its size', () => {
    for (const { size, hashes } of trees)
      expect(hashes.length).toBe([...size.toString(2)].filter((bit) => bit === '1').length);
  });
});

describe('leaves that are appended together', () => {
  test('leaves appended together complete the same nodes as one after the other, from any size', () => {
    const leaf = (at: number): Uint8Array => new TextEncoder().encode(`leaf ${at}`);
    fc.assert(
      fc.property(pairs, ({ size, older }) => {
        const more = Array.from({ length: size - older }, (_, at) => leaf(older + at));
        const { tree, nodes } = appendAll(trees[older] as Frontier, more, sha256);
        expect(tree).toEqual(trees[size]);
        for (const node of nodes) expect(node.hash).toEqual(findHash(node));
        expect(nodes.filter(({ level }) => level === 0).map(({ index }) => index)).toEqual(
          more.map((_, at) => older + at),
        );
      }),
      { numRuns: 30 },
    );
  });
});

describe('all subtrees of a tree', () => {
  test('the subtrees of a tree are its complete nodes, and have its root', () => {
    fc.assert(
      fc.property(fc.nat(MOST), (size) => {
        const subtrees = hashSubtrees(leafHashes.slice(0, size), sha256);
        for (const [level, hashes] of subtrees.entries())
          expect(hashes).toEqual(Array.from(hashes, (_, index) => findHash({ level, index })));
        expect(subtrees.map(({ length }) => length)).toEqual(
          Array.from(subtrees, (_, level) => Math.floor(size / 2 ** level)),
        );
        expect(computeSubtreesRoot(subtrees, sha256)).toEqual(findRoot(size));
      }),
      { numRuns: 30 },
    );
  });
});

describe('a proof that a leaf is in a tree', () => {
  const proveInclusion = (index: number, size: number) => makeProof(inclusionPlan(index, size), findHash, sha256);

  test('verifies, for any leaf of any tree', async () => {
    await fc.assert(
      fc.asyncProperty(leaves, async ({ size, index }) => {
        const [leafHash, root] = [leafHashes[index] as Uint8Array, findRoot(size)];
        const claim = { index, size, root, leafHash, proof: proveInclusion(index, size) };
        expect(await verifyInclusion(claim, sha256)).toBe(true);
        expect(await verifyInclusion(claim, async (bytes) => sha256(bytes))).toBe(true);
      }),
    );
  });

  test('fails with any bit flipped, for another leaf, index or size, and with a hash more or less', async () => {
    await fc.assert(
      fc.asyncProperty(leaves, async ({ size, index, bit }) => {
        const proof = proveInclusion(index, size);
        const leafHash = leafHashes[index] as Uint8Array;
        const claim = { index, size, root: findRoot(size), leafHash, proof };
        const [otherLeaf] = flipped([leafHash], bit);
        const [otherRoot] = flipped([claim.root], bit);
        const wrong = [
          { ...claim, leafHash: otherLeaf as Uint8Array },
          { ...claim, root: otherRoot as Uint8Array },
          { ...claim, proof: [...proof, EMPTY_ROOT] },
          { ...claim, index: size },
          { ...claim, index: -1 },
          { ...claim, index: index + 0.5 },
          ...(size > 1
            ? [
                { ...claim, proof: flipped(proof, bit) },
                { ...claim, proof: proof.slice(1) },
                { ...claim, proof: proof.slice(0, -1) },
                { ...claim, index: (index + 1) % size },
              ]
            : []),
        ];
        for (const each of wrong) expect(await verifyInclusion(each, sha256)).toBe(false);
      }),
    );
  });

  test('refuses a proof that ends below the root', async () => {
    const [leafHash] = leafHashes as [Uint8Array];
    const claim = { index: 0, root: leafHash, leafHash, proof: [] };
    expect(await verifyInclusion({ ...claim, size: 1 }, sha256)).toBe(true);
    expect(await verifyInclusion({ ...claim, size: 2 }, sha256)).toBe(false);
  });

  test('makes no proof for a leaf that the tree does not have', () => {
    expect(() => inclusionPlan(3, 3)).toThrow(new RangeError('a tree of 3 leaves has no leaf 3'));
    expect(() => inclusionPlan(-1, 3)).toThrow(RangeError);
    expect(() => inclusionPlan(0, 0)).toThrow(RangeError);
  });

  test('takes few nodes of trees far beyond 2^32 leaves', () => {
    const size = 2 ** 52 + 12345;
    const plan = inclusionPlan(2 ** 40 + 7, size);
    expect(plan).toHaveLength(53);
    for (const { level, index } of plan.flat()) expect((index + 1) * 2 ** level).toBeLessThanOrEqual(size);
  });
});

describe('a proof that a tree continues another', () => {
  const proveConsistency = (older: number, size: number) => makeProof(consistencyPlan(older, size), findHash, sha256);
  const createClaim = (older: number, size: number) => ({
    older: { size: older, root: findRoot(older) },
    newer: { size, root: findRoot(size) },
    proof: proveConsistency(older, size),
  });

  test('verifies, for any two sizes', async () => {
    await fc.assert(
      fc.asyncProperty(pairs, async ({ size, older }) => {
        expect(await verifyConsistency(createClaim(older, size), async (bytes) => sha256(bytes))).toBe(true);
      }),
    );
  });

  test('verifies, for all small sizes', async () => {
    for (let size = 0; size <= 34; size++)
      for (let older = 0; older <= size; older++)
        expect(await verifyConsistency(createClaim(older, size), sha256), `${older} to ${size}`).toBe(true);
  });

  test('fails with any bit flipped, for another root or size, and with a hash more or less', async () => {
    await fc.assert(
      fc.asyncProperty(pairs, async ({ size, older, bit }) => {
        const claim = createClaim(older, size);
        const { proof } = claim;
        const other = (root: Uint8Array) => flipped([root], bit)[0] as Uint8Array;
        const wrong = [
          { ...claim, older: { ...claim.older, root: other(claim.older.root) } },
          { ...claim, proof: [...proof, EMPTY_ROOT] },
          { ...claim, older: { ...claim.older, size: size + 1 } },
          // any tree continues the empty one, so then the newer root is not part of the claim
          ...(older > 0 ? [{ ...claim, newer: { ...claim.newer, root: other(claim.newer.root) } }] : []),
          ...(proof.length > 0
            ? [
                { ...claim, proof: flipped(proof, bit) },
                { ...claim, proof: proof.slice(1) },
                { ...claim, proof: proof.slice(0, -1) },
              ]
            : []),
        ];
        for (const each of wrong) expect(await verifyConsistency(each, sha256)).toBe(false);
      }),
    );
  });

  test('refuses a proof that ends below the root', async () => {
    const trees = { older: { size: 1, root: findRoot(1) }, newer: { size: 3, root: findRoot(2) } };
    const proof = proveConsistency(1, 2);
    expect(await verifyConsistency({ ...trees, newer: { size: 2, root: findRoot(2) }, proof }, sha256)).toBe(true);
    expect(await verifyConsistency({ ...trees, proof }, sha256)).toBe(false);
  });

  test('makes no proof that a tree continues a larger one', () => {
    expect(() => consistencyPlan(4, 3)).toThrow(new RangeError('a tree of 3 leaves does not continue one of 4'));
  });
});

describe('tiles', () => {
  test('tiles are enough for every proof', () => {
    fc.assert(
      fc.property(pairs, leaves, (two, one) => {
        for (const [plan, size] of [
          [inclusionPlan(one.index, one.size), one.size],
          [consistencyPlan(two.older, two.size), two.size],
          [[frontierNodes(two.size)].filter((nodes) => nodes.length > 0), two.size],
        ] as const) {
          const loaded = new Map(listTiles(plan, size).map((tile) => [tilePath(tile), joinHashes(tile)]));
          const read = hashesInTiles(size, (tile) => loaded.get(tilePath(tile)) ?? expect.unreachable(), sha256);
          expect(makeProof(plan, read, sha256)).toEqual(makeProof(plan, findHash, sha256));
        }
      }),
    );
  });

  test('tiles only grow: a tile of a tree is a prefix of that tile in each larger tree', () => {
    fc.assert(
      fc.property(pairs, ({ size, older }) => {
        for (const tile of newTiles(0, older)) {
          const width = tileWidth(tile.level, tile.index, size);
          expect(width).toBeGreaterThanOrEqual(tile.width);
          expect(joinHashes({ ...tile, width }).subarray(0, tile.width * 32)).toEqual(joinHashes(tile));
        }
      }),
    );
  });

  test('the new tiles are those that differ', () => {
    fc.assert(
      fc.property(pairs, ({ size, older }) => {
        const had = new Set(newTiles(0, older).map(tilePath));
        const isNew = newTiles(0, size).filter((tile) => !had.has(tilePath(tile)));
        expect(newTiles(older, size)).toEqual(isNew);
      }),
    );
  });

  test('the proofs of all leaves of a tile hash each of its nodes once', () => {
    let hashed = 0;
    const count = (bytes: Uint8Array) => {
      hashed++;
      return sha256(bytes);
    };
    const size = TILE_WIDTH;
    const read = hashesInTiles(size, joinHashes, count);
    for (let index = 0; index < size; index++) makeProof(inclusionPlan(index, size), read, count);
    expect(hashed).toBe(size - 2); // all but the leaves and the root
  });

  test('tiles with too few bytes are refused', () => {
    const read = hashesInTiles(3, () => new Uint8Array(64), sha256);
    expect(() => read({ level: 0, index: 0 })).toThrow('tile/0/000.p/3 has no hash 0: it has 64 bytes');
  });
});
