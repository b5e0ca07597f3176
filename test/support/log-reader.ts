/** Reads a log as anybody can, by HTTP and node:crypto: no code of the product takes part. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { type HttpResponse, type SendOptions, send } from './http.ts';

/** Number of entries in a bundle, and of hashes in a tile. */
export const WIDTH = 256;

const sha256 = (...parts: readonly Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();

/** The hash of an entry (RFC 6962, section 2.1). */
export const hashLeaf = (entry: Uint8Array): Buffer => sha256(Buffer.of(0), entry);

/** The root over leaf hashes, by the recursion of RFC 6962, section 2.1. */
export const computeRoot = (hashes: readonly Buffer[]): Buffer => {
  if (hashes.length <= 1) return hashes[0] ?? sha256();
  let left = 1;
  while (left * 2 < hashes.length) left *= 2;
  return sha256(Buffer.of(1), computeRoot(hashes.slice(0, left)), computeRoot(hashes.slice(left)));
};

/** A checkpoint as it is published. */
export interface ReadCheckpoint {
  readonly text: string;
  readonly origin: string;
  readonly size: number;
  /** In base64. */
  readonly root: string;
  /** Names of the keys that signed, in the order of the lines. */
  readonly signers: readonly string[];
}

/** Reads a signed checkpoint by its specification (c2sp.org/tlog-checkpoint). */
const readCheckpoint = (text: string): ReadCheckpoint => {
  const [body = '', signatures = ''] = text.split('\n\n');
  const [origin = '', size = '', root = '', ...extensions] = body.split('\n');
  if (extensions.length > 0 || !text.endsWith('\n')) throw new Error(`no checkpoint: ${text}`);
  const signers = signatures
    .trimEnd()
    .split('\n')
    .map((line) => /^— (\S+) \S+$/.exec(line)?.[1] ?? `no signature: ${line}`);
  return { text, origin, size: Number(size), root, signers };
};

const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Returns true if a line of a note is the signature of a verifier key (`name+id+base64`) over its text. */
export const isSignedBy = (note: string, verifierKey: string): boolean => {
  const [name, id, encoded = ''] = verifierKey.split(/\+/, 3) as [string, string, string];
  const rest = verifierKey.slice(`${name}+${id}+`.length) || encoded;
  const key = createPublicKey({
    key: Buffer.concat([SPKI, Buffer.from(rest, 'base64').subarray(1)]),
    format: 'der',
    type: 'spki',
  });
  const at = note.indexOf('\n\n');
  return note
    .slice(at + 2)
    .split('\n')
    .filter((line) => line.startsWith(`— ${name} `))
    .map((line) => Buffer.from(line.slice(`— ${name} `.length), 'base64'))
    .filter((signature) => signature.subarray(0, 4).toString('hex') === id)
    .some((signature) => verify(null, Buffer.from(note.slice(0, at + 1)), key, signature.subarray(4)));
};

/** The path of a tile (c2sp.org/tlog-tiles). */
export const buildTilePath = (level: string, index: number, width: number): string => {
  let path = String(index % 1000).padStart(3, '0');
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000))
    path = `x${String(rest % 1000).padStart(3, '0')}/${path}`;
  return `tile/${level}/${path}${width === WIDTH ? '' : `.p/${width}`}`;
};

/** Returns the paths of a log's files for a level with `count` hashes, or for `count` entries. */
export const listTilePaths = (level: string, count: number): string[] =>
  Array.from({ length: Math.ceil(count / WIDTH) }, (_, index) =>
    buildTilePath(level, index, Math.min(WIDTH, count - index * WIDTH)),
  );

const splitBundle = (bundle: Buffer): Buffer[] => {
  const entries: Buffer[] = [];
  for (let at = 0; at < bundle.length; ) {
    const end = at + 2 + bundle.readUInt16BE(at);
    if (end > bundle.length) throw new Error('the bundle ends within an entry');
    entries.push(bundle.subarray(at + 2, end));
    at = end;
  }
  return entries;
};

let readers = 0;

/** A reader of one log, at a loopback address of its own: each address has a budget. */
export const createLogReader = (url: string) => {
  const number = readers++;
  const from = `127.${80 + (Math.floor(number / 62_500) % 100)}.${Math.floor(number / 250) % 250}.${(number % 250) + 1}`;
  const ask = (path: string, asked: SendOptions = {}): Promise<HttpResponse> =>
    send(`${url}/${path}`, { from, ...asked });
  const read = async (path: string): Promise<Buffer> => {
    const { status, bytes, text } = await ask(path);
    if (status !== 200) throw new Error(`${path} is answered by ${status}: ${text}`);
    return bytes;
  };
  const readAll = async (paths: readonly string[]): Promise<Buffer[]> => {
    const all: Buffer[] = [];
    for (const path of paths) all.push(await read(path));
    return all;
  };
  return {
    ask,
    read,
    /** The published checkpoint; undefined if there is none. */
    checkpoint: async (): Promise<ReadCheckpoint | undefined> => {
      const { status, text } = await ask('checkpoint');
      return status === 200 ? readCheckpoint(text) : undefined;
    },
    /** The bytes of all entries of a tree of a size. */
    entries: async (size: number): Promise<Buffer[]> =>
      (await readAll(listTilePaths('entries', size))).flatMap(splitBundle),
    /** The hashes of a level of tiles. */
    hashes: async (level: number, count: number): Promise<Buffer[]> =>
      (await readAll(listTilePaths(String(level), count))).flatMap((tile) =>
        Array.from({ length: tile.length / 32 }, (_, at) => tile.subarray(at * 32, at * 32 + 32)),
      ),
  };
};

export type LogReader = ReturnType<typeof createLogReader>;
