import {
  canonicalJson,
  computeRoot,
  consistencyPlan,
  cosignatureText,
  encodeBundle,
  formatCheckpoint,
  formatCosignature,
  formatEntryExtra,
  formatNote,
  formatProof,
  formatVerifierKey,
  fromBase64,
  frontierNodes,
  hashSubtrees,
  inclusionPlan,
  keyIdFrom,
  keyIdInput,
  leafInput,
  makeProof,
  parseTilePath,
  SIGNATURE_TYPES,
  type SignatureType,
  type Subtrees,
  TILE_HEIGHT,
  TILE_WIDTH,
  type TreeNode,
  tileWidth,
  toBase64,
  type VerifierKey,
} from '@broker-transparency/log';
import { createSigner } from './ed25519.ts';
import { encodeScoreRow, type NumberedEntry, type ScoredDay, type TestRecord, toPublishedValue } from './record.ts';
import { sha256 } from './sha256.ts';

/** The name of the log in addresses. */
export const LOG_NAME = 'test';

/** The domain belongs to nobody (RFC 2606), so that a signature of this log never vouches for a real one. */
const HOST = 'broker-transparency.test';

const createKey = (name: string, type: SignatureType, publicKey: Uint8Array): VerifierKey => {
  const key = { name, type, publicKey };
  return { ...key, keyId: keyIdFrom(sha256(keyIdInput(key))) };
};

const LOG_SIGNER = createSigner(1, 'iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w=');
const WITNESS_SIGNER = createSigner(2, 'gTl3Dqh9F19Wo1Rmw0x+zMuNipG07jeiXfYPW4/Js5Q=');

/** The origin of the log, which names it. */
export const LOG_ORIGIN = `${HOST}/${LOG_NAME}`;

const LOG_KEY = createKey(LOG_ORIGIN, SIGNATURE_TYPES.ed25519, LOG_SIGNER.publicKey);
const WITNESS_KEY = createKey(`${HOST}/witness`, SIGNATURE_TYPES.cosignature, WITNESS_SIGNER.publicKey);

/** The key of the prober of test servers. Nothing is signed with it. */
export const PROBER_KEY = createKey('test-1', SIGNATURE_TYPES.ed25519, WITNESS_SIGNER.publicKey);

/** The verifier key of the log. */
export const LOG_VERIFIER_KEY = formatVerifierKey(LOG_KEY);

/** The policy that accepts the log if its witness has signed. */
export const POLICY = [
  `log ${LOG_VERIFIER_KEY}`,
  `witness witness ${formatVerifierKey(WITNESS_KEY)}`,
  'quorum witness',
  '',
].join('\n');

const utf8 = new TextEncoder();

/** Returns an entry as the log and the feed have it. */
export const toFeedEntry = (entry: NumberedEntry) => {
  const { number, time, key, kind, cause, end } = entry;
  const last = number === end - 1 ? { last: true as const } : {};
  return { number, time, key, kind, cause, ...last, value: toPublishedValue(entry) };
};

/** A file of the log. */
export interface LogFile {
  readonly bytes: Uint8Array;
  readonly type: string;
  /** True if the file never changes. */
  readonly isImmutable: boolean;
}

/** The keys whose newest entries are to be proven, and the tree that the checkpoint continues. */
export interface NewestEntriesQuery {
  readonly keys: readonly string[];
  /** Only entries up to this number count. */
  readonly knownAt?: number | undefined;
  /** The size of an earlier checkpoint. */
  readonly since: number;
}

/** A signed checkpoint, and the number of entries that it covers. */
interface SignedTree {
  readonly size: number;
  readonly text: string;
}

/** The log of a test server: the tree over the entries of its record, signed by the log and by one witness. */
export class TestLog {
  readonly #record: TestRecord;
  readonly #lines: Uint8Array[] = [];
  readonly #leafHashes: Uint8Array[] = [];
  #subtrees: Subtrees = [[]];
  #signed: { readonly size: number; readonly text: Promise<string> } | undefined;

  constructor(record: TestRecord) {
    this.#record = record;
  }

  /** Hashes the entries that are new, and returns the number of all. */
  #grow(): number {
    const { entries } = this.#record;
    if (entries.length > this.#lines.length) {
      for (const entry of entries.slice(this.#lines.length)) {
        const line = utf8.encode(canonicalJson(toFeedEntry(entry)));
        this.#lines.push(line);
        this.#leafHashes.push(sha256(leafInput(line)));
      }
      this.#subtrees = hashSubtrees(this.#leafHashes, sha256);
    }
    return entries.length;
  }

  readonly #readNode = ({ level, index }: TreeNode): Uint8Array => this.#subtrees[level]?.[index] as Uint8Array;

  /** Returns the hashes of the largest complete subtrees of the first entries, and the root over them. */
  head(size: number) {
    this.#grow();
    const hashes = frontierNodes(size).map(this.#readNode);
    return { size, hashes: hashes.map(toBase64), root: toBase64(computeRoot({ size, hashes }, sha256)) };
  }

  /** Signs the whole record. */
  async sign(at: Date): Promise<SignedTree> {
    const size = this.#grow();
    if (this.#signed?.size !== size) this.#signed = { size, text: this.#signTree(size, at) };
    return { size, text: await this.#signed.text };
  }

  async #signTree(size: number, at: Date): Promise<string> {
    const root = fromBase64(this.head(size).root);
    const text = formatCheckpoint({ origin: LOG_KEY.name, size, root, extensions: [] });
    const timestamp = Math.floor(at.getTime() / 1000);
    const signature = await LOG_SIGNER.sign(utf8.encode(text));
    const cosignature = await WITNESS_SIGNER.sign(utf8.encode(cosignatureText(text, timestamp)));
    return formatNote({
      text,
      signatures: [
        { ...LOG_KEY, signature },
        { ...WITNESS_KEY, signature: formatCosignature({ timestamp, signature: cosignature }) },
      ],
    });
  }

  /** Returns a signed checkpoint that covers the first entries, with the proof that it continues their tree. */
  async cover(older: number, at: Date) {
    const { size, text: checkpoint } = await this.sign(at);
    const consistency = makeProof(consistencyPlan(older, size), this.#readNode, sha256).map(toBase64);
    return { checkpoint, size, consistency };
  }

  /** Returns the proof of an entry, or of a broker's score in the entry of a day. */
  async prove(number: number, at: Date, scored?: { readonly day: ScoredDay; readonly slug: string }): Promise<string> {
    const { size, text: checkpoint } = await this.sign(at);
    const hashes = makeProof(inclusionPlan(number, size), this.#readNode, sha256);
    const entry = this.#lines[number] as Uint8Array;
    const extra = formatEntryExtra({ entry, day: scored && proveRow(scored.day, scored.slug) });
    return formatProof({ extra, index: number, hashes, checkpoint });
  }

  /** Returns the newest entry of each of these keys, all proven against one checkpoint. */
  async proveNewest({ keys, knownAt = Infinity, since }: NewestEntriesQuery, at: Date) {
    const newest = new Map<string, number>();
    for (const { key, number } of this.#record.entries) if (number <= knownAt) newest.set(key, number);
    const found = [...new Set(keys)].flatMap((key) => {
      const number = newest.get(key);
      return number === undefined ? [] : { key, number, salts: this.#record.findSalts(key) };
    });
    // the checkpoint covers what was found: nothing can be added before the next line waits
    const { size, text: checkpoint } = await this.sign(at);
    const prove = (plan: ReturnType<typeof inclusionPlan>) => makeProof(plan, this.#readNode, sha256).map(toBase64);
    return {
      checkpoint,
      consistency: since <= size ? prove(consistencyPlan(since, size)) : null,
      data: found.map(({ key, number, salts }) => ({
        key,
        number,
        entry: new TextDecoder().decode(this.#lines[number]),
        hashes: prove(inclusionPlan(number, size)),
        ...(salts && { salts }),
      })),
    };
  }

  /** Returns a file of the log by its path; undefined if there is none. */
  async readFile(path: string, at: Date): Promise<LogFile | undefined> {
    const { size, text } = await this.sign(at);
    const texts: Readonly<Record<string, string>> = { checkpoint: text, keys: `${LOG_VERIFIER_KEY}\n`, policy: POLICY };
    if (Object.hasOwn(texts, path))
      return { bytes: utf8.encode(texts[path]), type: 'text/plain; charset=utf-8', isImmutable: false };
    const tile = this.#readTile(path, size);
    return tile && { bytes: tile, type: 'application/octet-stream', isImmutable: true };
  }

  #readTile(path: string, size: number): Uint8Array | undefined {
    try {
      const { level, index, width } = parseTilePath(path);
      if (width > tileWidth(level, index, size)) return undefined;
      const [from, to] = [index * TILE_WIDTH, index * TILE_WIDTH + width];
      if (level === 'entries') return encodeBundle(this.#lines.slice(from, to));
      const hashes = this.#subtrees[level * TILE_HEIGHT]?.slice(from, to) ?? [];
      return Uint8Array.from(hashes.flatMap((hash) => [...hash]));
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}

const proveRow = ({ rows, tree }: ScoredDay, slug: string) => {
  const index = rows.findIndex((row) => row[0] === slug);
  const readNode = ({ level, index: at }: TreeNode): Uint8Array => tree[level]?.[at] as Uint8Array;
  const hashes = makeProof(inclusionPlan(index, rows.length), readNode, sha256);
  return { index, count: rows.length, leaf: encodeScoreRow(rows[index] as ScoredDay['rows'][number]), hashes };
};
