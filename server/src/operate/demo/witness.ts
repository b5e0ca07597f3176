import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  checkSignatures,
  cosignatureText,
  EMPTY_ROOT,
  formatCosignature,
  formatSignature,
  formatVerifierKey,
  fromBase64,
  keyIdFrom,
  keyIdInput,
  parseAddCheckpoint,
  parseVerifierKey,
  SIGNATURE_TYPES,
  toBase64,
  verifyConsistency,
} from '@broker-transparency/log';
import { type LogKey, verifyEd25519 } from '../../ledger/log/keys.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { sha256 } from '../../platform/sha256.rule.ts';

/** Maximum bytes of a request. A log sends fewer: a checkpoint and a proof of 63 hashes. */
const MOST_BYTES = 20_000;

/** An answer as defined by c2sp.org/tlog-witness. */
interface WitnessResponse {
  readonly status: number;
  readonly body?: string;
}

/** The tree that a witness signed last. */
interface SeenTree {
  readonly size: number;
  /** Root in base64. */
  readonly root: string;
}

const NOTHING: SeenTree = { size: 0, root: toBase64(EMPTY_ROOT) };

const readSeen = async (file: string): Promise<SeenTree> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NOTHING;
    throw error;
  }
};

/** Returns the key by which a witness signs. Its type differs from that of a log's key. */
const createCosigner = ({ name, verifierKey }: LogKey) => {
  const key = { name, type: SIGNATURE_TYPES.cosignature, publicKey: parseVerifierKey(verifierKey).publicKey };
  return { ...key, keyId: keyIdFrom(sha256(keyIdInput(key))) };
};

const readBody = async (req: IncomingMessage): Promise<string | undefined> =>
  Number(req.headers['content-length'] ?? Number.POSITIVE_INFINITY) > MOST_BYTES ? undefined : text(req);

/** The options of a witness. */
interface WitnessOptions {
  readonly key: LogKey;
  /** The verifier key of the one log that it knows. */
  readonly log: string;
  /** The file with the last signed tree. */
  readonly seenIn: string;
}

/**
 * Starts a witness (c2sp.org/tlog-witness) for one log on this machine. It signs a checkpoint only if it continues the
 * last signed one.
 */
export const startWitness = async ({ key, log, seenIn }: WitnessOptions) => {
  const cosigner = createCosigner(key);
  const logKey = parseVerifierKey(log);
  let seen = await readSeen(seenIn);

  const cosign = async (body: string): Promise<WitnessResponse> => {
    const { oldSize, hashes, tree, note } = parseAddCheckpoint(body);
    if (tree.origin !== logKey.name) return { status: 404 };
    const signatures = await checkSignatures(note, [logKey], verifyEd25519);
    if (!signatures.some(({ isRight }) => isRight)) return { status: 403 };
    if (oldSize > tree.size) return { status: 400 };
    const root = toBase64(tree.root);
    if (oldSize !== seen.size || (tree.size === seen.size && root !== seen.root))
      return { status: 409, body: `${seen.size}\n` };
    const older = { size: seen.size, root: fromBase64(seen.root) };
    if (!(await verifyConsistency({ older, newer: tree, proof: hashes }, sha256))) return { status: 422 };
    const next = { size: tree.size, root };
    await replaceFile(seenIn, JSON.stringify(next));
    seen = next;
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = key.sign(Buffer.from(cosignatureText(note.text, timestamp)));
    const line = formatSignature({ ...cosigner, signature: formatCosignature({ timestamp, signature }) });
    return { status: 200, body: `${line}\n` };
  };

  let last: Promise<unknown> = Promise.resolve();
  /** Handles one request after another, since two at once could sign two trees. */
  const handleInTurn = (req: IncomingMessage): Promise<WitnessResponse> => {
    const answered = last.then(async () => {
      const body = await readBody(req);
      if (req.method !== 'POST' || req.url !== '/add-checkpoint') return { status: 404 };
      return body === undefined ? { status: 413 } : cosign(body);
    });
    last = answered.catch(() => {});
    return answered.catch(() => ({ status: 400 }));
  };

  const server = createServer(async (req, res) => {
    const { status, body = '' } = await handleInTurn(req);
    res.writeHead(status, { 'Content-Type': status === 409 ? 'text/x.tlog.size' : 'text/plain; charset=utf-8' });
    res.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    verifierKey: formatVerifierKey(cosigner),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
