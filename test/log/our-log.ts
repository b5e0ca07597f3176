import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import {
  append,
  canonicalJson,
  computeRoot,
  consistencyPlan,
  cosignatureText,
  EMPTY_TREE,
  encodeBundle,
  type Frontier,
  formatCheckpoint,
  formatCosignature,
  formatEntryExtra,
  formatNote,
  formatProof,
  formatVerifierKey,
  hashesInTiles,
  inclusionPlan,
  keyIdFrom,
  keyIdInput,
  leafInput,
  listTiles,
  makeProof,
  newTiles,
  type ProofPlan,
  parseNote,
  type Signature,
  type SignatureType,
  type Signer,
  signNote,
  type Tile,
  tilePath,
  toBase64,
} from '@broker-transparency/log';

/* A log in memory, made by our code alone. */

export const ORIGIN = 'log.example/ours';
const ENTRIES = 70_000;

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A new key. */
const newKey = (name: string, type: SignatureType) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = { name, type, publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32) };
  const keyId = keyIdFrom(sha256(keyIdInput(key)));
  const signer: Signer = { name, keyId, sign: (message) => sign(null, message, privateKey) };
  return { signer, verifierKey: formatVerifierKey({ ...key, keyId }) };
};

const createEntry = (number: number): string =>
  canonicalJson({ kind: 'broker', key: String(number), value: { name: `Brökér ${number} 😂`, score: number / 7 } });

const entries = Array.from({ length: ENTRIES }, (_, number) => createEntry(number));

/** All sizes of the tree, and the hashes of each level that tiles have. */
const trees: Frontier[] = [EMPTY_TREE];
const levels: Uint8Array[][] = [[], [], []];
for (const entry of entries) {
  const { tree, nodes } = append(trees.at(-1) ?? EMPTY_TREE, sha256(leafInput(utf8(entry))), sha256);
  trees.push(tree);
  for (const { level, hash } of nodes) if (level % 8 === 0) levels[level / 8]?.push(hash);
}

const growTree = (size: number): Frontier => trees[size] ?? EMPTY_TREE;

/** The bytes of a tile. */
const readTile = ({ level, index, width }: Tile): Uint8Array => {
  const [from, to] = [index * 256, index * 256 + width];
  return level === 'entries'
    ? encodeBundle(entries.slice(from, to).map(utf8))
    : Buffer.concat((levels[level] ?? []).slice(from, to));
};

/** Makes a proof from tiles alone. */
const buildProof = (plan: ProofPlan, size: number): readonly Uint8Array[] => {
  const tiles = new Map(listTiles(plan, size).map((tile) => [tilePath(tile), readTile(tile)]));
  return makeProof(
    plan,
    hashesInTiles(size, (tile) => tiles.get(tilePath(tile)) ?? new Uint8Array(), sha256),
    sha256,
  );
};

const inclusionProof = (index: number, size: number) => buildProof(inclusionPlan(index, size), size);
export const consistencyProof = (older: number, size: number) => buildProof(consistencyPlan(older, size), size);

const log = newKey(ORIGIN, 1);
export const verifierKey = log.verifierKey;

/** A signed checkpoint. */
export const signCheckpointAt = (size: number): string =>
  signNote(formatCheckpoint({ origin: ORIGIN, size, root: computeRoot(growTree(size), sha256), extensions: [] }), [
    log.signer,
  ]);

/** Adds signatures to a signed checkpoint. */
export const withSignatures = (checkpoint: string, signatures: readonly Signature[]): string => {
  const note = parseNote(checkpoint);
  return formatNote({ ...note, signatures: [...note.signatures, ...signatures] });
};

const cosign = ({ name, keyId, sign: by }: Signer, text: string, timestamp: number): Signature => {
  const signature = by(utf8(cosignatureText(text, timestamp)));
  return { name, keyId, signature: formatCosignature({ timestamp, signature }) };
};

export const createProof = (index: number, size: number, checkpoint: string): string =>
  formatProof({
    extra: formatEntryExtra({ entry: utf8(entries[index] ?? ''), day: undefined }),
    index,
    hashes: inclusionProof(index, size),
    checkpoint,
  });

const SIZES = [1, 2, 3, 255, 256, 257, 511, 4096, 65_535, 65_536, 65_537, 69_999, ENTRIES];

/** Pairs of numbers below the sizes. */
const pairs = (from: number) =>
  SIZES.flatMap((size) =>
    [from, 2, 100, 255, 256, 4095, 65_536, size - 1 + from].flatMap((other) =>
      other >= from && other < size + from ? [{ other, size }] : [],
    ),
  );

/** Creates the vectors that Go verifies. */
export const createVectors = () => {
  const witnesses = [1, 2].map((number) => newKey(`witness.example/ours-${number}`, 4));
  const plain = signCheckpointAt(ENTRIES);
  const cosigned = witnesses.map(({ signer }, at) => cosign(signer, parseNote(plain).text, 1_795_392_000 + at));
  const checkpoint = withSignatures(plain, cosigned);
  const known = witnesses.map((witness, at) => `witness w${at} ${witness.verifierKey}\n`).join('');
  return {
    entries,
    verifierKey,
    note: signNote('é\n\n金 😂\n', [log.signer]),
    roots: trees.map((tree) => toBase64(computeRoot(tree, sha256))),
    inclusion: pairs(0).map(({ other, size }) => ({
      index: other,
      size,
      hashes: inclusionProof(other, size).map(toBase64),
    })),
    consistency: pairs(1).map(({ other, size }) => ({
      older: other,
      size,
      hashes: consistencyProof(other, size).map(toBase64),
    })),
    tiles: newTiles(0, ENTRIES)
      .flatMap((tile): Tile[] => (tile.level === 0 ? [tile, { ...tile, level: 'entries' }] : [tile]))
      .map((tile) => ({ path: tilePath(tile), data: toBase64(readTile(tile)) })),
    checkpoint,
    policy: `log ${verifierKey}\n${known}group both all w0 w1\nquorum both\n`,
    proofs: [0, 255, 65_536, ENTRIES - 1].map((index) => ({ index, text: createProof(index, ENTRIES, checkpoint) })),
  };
};
