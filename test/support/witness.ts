/** A witness (c2sp.org/tlog-witness) by node:http and node:crypto: no code of the product takes part. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { isSignedBy } from './log-reader.ts';

const sha256 = (...parts: readonly Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
const hashNode = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);

/** Size and root of a tree. */
interface SeenTree {
  readonly size: number;
  readonly root: Buffer;
}

/** Verifies that a tree continues an older one, by the steps of RFC 9162, section 2.1.4.2. */
const isConsistent = (older: SeenTree, newer: SeenTree, proof: readonly Buffer[]): boolean => {
  if (older.size === 0) return proof.length === 0;
  if (older.size === newer.size) return proof.length === 0 && older.root.equals(newer.root);
  const isPower = (older.size & (older.size - 1)) === 0;
  const [first, ...rest] = isPower ? [older.root, ...proof] : proof;
  if (!first || proof.length === 0) return false;
  let [fn, sn] = [older.size - 1, newer.size - 1];
  for (; fn % 2 === 1; fn >>= 1) sn >>= 1;
  let [fr, sr] = [first, first];
  for (const hash of rest) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [hashNode(hash, fr), hashNode(hash, sr)];
      for (; fn % 2 === 0 && fn !== 0; fn >>= 1) sn >>= 1;
    } else sr = hashNode(sr, hash);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 && fr.equals(older.root) && sr.equals(newer.root);
};

/** A request as it came. */
interface SubmittedCheckpoint {
  readonly old: number;
  readonly size: number;
  readonly proof: readonly Buffer[];
  /** The signed note. */
  readonly note: string;
  /** Status of the answer; 0 if there was none. */
  readonly status: number;
}

/** Answers instead of the witness. */
export type WitnessBehaviour = (req: IncomingMessage, res: ServerResponse) => void;

export interface TestWitness {
  readonly url: string;
  readonly verifierKey: string;
  /** The line of a policy that names it. */
  readonly formatLine: (name: string) => string;
  /** All requests, the oldest first. */
  readonly submissions: readonly SubmittedCheckpoint[];
  readonly tree: () => SeenTree;
  /** Sets what it has seen. */
  readonly sees: (tree: SeenTree) => void;
  /** Lets it answer in another way, or as it should again. */
  readonly behave: (behaviour?: WitnessBehaviour) => void;
  /** Lets it take this long for each answer, as one far away does. */
  readonly takeMs: (ms: number) => void;
  /** Cosigns the text of a checkpoint; `forged` with another key, or with a time `ago` seconds in the past. */
  readonly cosign: (text: string, how?: { readonly forged?: boolean; readonly ago?: number }) => string;
  readonly close: () => Promise<void>;
}

const NOTHING: SeenTree = { size: 0, root: sha256() };

const newKey = (name: string, type: number) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const bytes = Buffer.concat([Buffer.of(type), publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)]);
  const id = sha256(Buffer.from(`${name}\n`), bytes).subarray(0, 4);
  return { id, privateKey, verifierKey: `${name}+${id.toString('hex')}+${bytes.toString('base64')}` };
};

/** Starts a witness for one log. */
export const startWitness = async (log: {
  readonly origin: string;
  readonly verifierKey: string;
}): Promise<TestWitness> => {
  const name = `witness.example/${randomBytes(4).toString('hex')}`;
  const [key, other] = [newKey(name, 4), newKey(name, 4)];
  let tree = NOTHING;
  let behaviour: WitnessBehaviour | undefined;
  let takesMs = 0;
  let lastTime = 0;
  const submissions: SubmittedCheckpoint[] = [];

  const cosign: TestWitness['cosign'] = (text, { forged = false, ago = 0 } = {}) => {
    lastTime = Math.max(Math.floor(Date.now() / 1000), lastTime + 1); // no two are the same
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(lastTime - ago));
    const message = Buffer.from(`cosignature/v1\ntime ${lastTime - ago}\n${text}`);
    const signature = sign(null, message, (forged ? other : key).privateKey);
    return `— ${name} ${Buffer.concat([key.id, time, signature]).toString('base64')}\n`;
  };

  /** Returns a signature of another key and kind, to be ignored. */
  const foreign = (): string => `— other.example/w ${randomBytes(2400).toString('base64')}\n`;

  const judge = (old: number, note: string, proof: readonly Buffer[]): { status: number; body: string } => {
    const text = note.slice(0, note.indexOf('\n\n') + 1);
    const [origin, size, root = ''] = text.split('\n');
    const newer = { size: Number(size), root: Buffer.from(root, 'base64') };
    if (origin !== log.origin) return { status: 404, body: 'unknown log\n' };
    if (!isSignedBy(note, log.verifierKey)) return { status: 403, body: 'no known signature\n' };
    if (old > newer.size) return { status: 400, body: 'the old size is the larger one\n' };
    if (old !== tree.size || (old === newer.size && !tree.root.equals(newer.root)))
      return { status: 409, body: `${tree.size}\n` };
    if (!isConsistent(tree, newer, proof)) return { status: 422, body: 'the proof does not verify\n' };
    tree = newer;
    return { status: 200, body: foreign() + cosign(text) };
  };

  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = await textOf(req);
    const blank = body.indexOf('\n\n');
    const [first = '', ...lines] = body.slice(0, blank).split('\n');
    const [note, old] = [body.slice(blank + 2), Number(/^old (0|[1-9]\d*)$/.exec(first)?.[1])];
    const proof = lines.map((line) => Buffer.from(line, 'base64'));
    if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs));
    const isOurs = req.method === 'POST' && req.url === '/below/add-checkpoint';
    const judged = behaviour || !isOurs ? undefined : judge(old, note, proof);
    submissions.push({ old, size: Number(note.split('\n')[1]), proof, note, status: judged?.status ?? 0 });
    if (judged) {
      const type = judged.status === 409 ? 'text/x.tlog.size' : 'text/plain; charset=utf-8';
      res.writeHead(judged.status, { 'Content-Type': type }).end(judged.body);
    } else if (behaviour) behaviour(req, res);
    else res.writeHead(404).end();
  };

  const server = createServer((req, res) => void answer(req, res)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/below`;
  return {
    url,
    verifierKey: key.verifierKey,
    formatLine: (as) => `witness ${as} ${key.verifierKey} ${url}\n`,
    submissions,
    tree: () => tree,
    sees: (seen) => {
      tree = seen;
    },
    behave: (as) => {
      behaviour = as;
    },
    takeMs: (ms) => {
      takesMs = ms;
    },
    cosign,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
