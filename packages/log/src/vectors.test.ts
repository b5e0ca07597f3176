import { createHash, createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fromBase64, toBase64, utf8 } from './bytes.ts';
import { formatCheckpoint, parseSignedCheckpoint } from './checkpoint.ts';
import { EMPTY_ROOT, leafInput } from './hash.ts';
import { formatNote, keyIdFrom, keyIdInput, parseNote, parseVerifierKey } from './note.ts';
import { isReached, parsePolicy } from './policy.ts';
import { formatProof, parseProof } from './proof.ts';
import { checkSignatures } from './signatures.ts';
import { decodeBundle, encodeBundle, newTiles, parseTilePath, tilePath } from './tiles.ts';
import { append, computeRoot, consistencyPlan, EMPTY_TREE, type Frontier, inclusionPlan, makeProof } from './tree.ts';
import vectors from './vectors.json' with { type: 'json' };
import { verifyConsistency, verifyInclusion } from './verify.ts';

/* What golang.org/x/mod/sumdb and filippo.io/torchwood made; test/log/go says how. */

const sha256 = (bytes: Uint8Array): Uint8Array => Uint8Array.from(createHash('sha256').update(bytes).digest());

const ed25519 = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean => {
  const x = Buffer.from(publicKey).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, message, key, signature);
};

const leafHashes = vectors.leaves.map((leaf) => sha256(leafInput(utf8(leaf))));
const trees: Frontier[] = [EMPTY_TREE];
const hashes = new Map<string, Uint8Array>();
for (const leafHash of leafHashes) {
  const { tree, nodes } = append(trees.at(-1) ?? EMPTY_TREE, leafHash, sha256);
  trees.push(tree);
  for (const { level, index, hash } of nodes) hashes.set(`${level}/${index}`, hash);
}
const hashAt = (level: number, index: number): Uint8Array => hashes.get(`${level}/${index}`) ?? EMPTY_ROOT;
const findRoot = (size: number): Uint8Array => computeRoot(trees[size] ?? EMPTY_TREE, sha256);
const made = (plan: ReturnType<typeof inclusionPlan>) =>
  makeProof(plan, ({ level, index }) => hashAt(level, index), sha256).map(toBase64);

test('a key has the id that Go computes', () => {
  for (const text of [vectors.verifierKey, ...vectors.witnesses]) {
    const key = parseVerifierKey(text);
    expect(keyIdFrom(sha256(keyIdInput(key)))).toBe(key.keyId);
  }
});

test('a note that Go signed is verified, and written as it was', async () => {
  const note = parseNote(vectors.note);
  expect(note.text).toBe(vectors.text);
  expect(formatNote(note)).toBe(vectors.note);
  const key = parseVerifierKey(vectors.verifierKey);
  expect(await checkSignatures(note, [key], ed25519)).toMatchObject([{ isRight: true }]);
  const changed = { ...note, text: `${note.text}\n` };
  expect(await checkSignatures(changed, [key], ed25519)).toMatchObject([{ isRight: false }]);
});

describe('trees', () => {
  test.each(Object.entries(vectors.roots))('the root of %s leaves', (size, root) => {
    expect(toBase64(findRoot(Number(size)))).toBe(root);
  });

  test.each(vectors.inclusion)('leaf $index of $size is proven alike', async ({ index, size, hashes: theirs }) => {
    expect(made(inclusionPlan(index, size))).toEqual(theirs);
    const leafHash = leafHashes[index] ?? EMPTY_ROOT;
    const claim = { index, size, root: findRoot(size), leafHash, proof: theirs.map(fromBase64) };
    expect(await verifyInclusion(claim, sha256)).toBe(true);
  });

  test.each(vectors.consistency)(
    'the proof from $older to $size entries is that of the vectors',
    async ({ older, size, hashes: theirs }) => {
      expect(made(consistencyPlan(older, size))).toEqual(theirs);
      const [from, to] = [older, size].map((each) => ({ size: each, root: findRoot(each) }));
      if (from === undefined || to === undefined) return;
      expect(await verifyConsistency({ older: from, newer: to, proof: theirs.map(fromBase64) }, sha256)).toBe(true);
    },
  );
});

describe('tiles', () => {
  test.each(Object.entries(vectors.paths))('%s', (path, [level, index, width]) => {
    const tile = { level: level === -1 ? ('entries' as const) : (level ?? 0), index: index ?? 0, width: width ?? 0 };
    expect(parseTilePath(path)).toEqual(tile);
    expect(tilePath(tile)).toBe(path);
  });

  test('the tiles of a tree have the bytes that Go computes', () => {
    const tiles = newTiles(0, vectors.leaves.length).map((tile) => {
      const parts = Array.from({ length: tile.width }, (_, at) => hashAt(tile.level * 8, tile.index * 256 + at));
      return { path: tilePath(tile), hash: toBase64(sha256(Buffer.concat(parts))) };
    });
    expect(tiles).toEqual(vectors.tiles);
  });

  test('reads and writes tiles of entries as Go does', () => {
    const bundle = fromBase64(vectors.bundle);
    const entries = decodeBundle(bundle);
    expect(entries.map((entry) => new TextDecoder().decode(entry))).toEqual(vectors.leaves.slice(256));
    expect(encodeBundle(entries)).toEqual(bundle);
  });
});

test('a checkpoint is written as it was, and its signatures are right', async () => {
  const { checkpoint, note } = parseSignedCheckpoint(vectors.checkpoint);
  expect(formatCheckpoint(checkpoint)).toBe(note.text);
  expect(checkpoint).toMatchObject({ size: 300, root: findRoot(300) });
  const keys = [vectors.verifierKey, ...vectors.witnesses].map(parseVerifierKey);
  const checked = await checkSignatures(note, keys, ed25519);
  expect(checked.map(({ key, isRight }) => [key, isRight])).toEqual(keys.slice(0, 3).map((key) => [key, true]));
  // a cosignature covers its time, so another time has another signature
  const [cosignature] = checked.slice(1).map(({ signature }) => signature);
  if (cosignature === undefined) throw new Error('there are cosignatures');
  cosignature.signature[7] = (cosignature.signature[7] ?? 0) ^ 1;
  expect((await checkSignatures({ ...note, signatures: [cosignature] }, keys, ed25519))[0]?.isRight).toBe(false);
});

test.each([
  ['alone', [], true],
  ['twoOf3', ['w1'], false],
  ['twoOf3', ['w1', 'w2'], true],
  ['allOf3', ['w1', 'w2'], false],
  ['w3', ['w1', 'w2'], false],
] as const)('the policy %s with the witnesses %j: %s', (name, cosigned, reached) => {
  expect(isReached(parsePolicy(vectors.policies[name]).quorum, new Set(cosigned))).toBe(reached);
});

test.each(['proof', 'dayProof'] as const)('the %s file is written as it was', (name) => {
  expect(formatProof(parseProof(vectors[name]))).toBe(vectors[name]);
});
