import { canonicalJson } from '@broker-transparency/log';
import { BrokerTransparencyError } from '../base-error.ts';
import type { FeedEntry, SnapshotFile, SnapshotManifest } from '../generated/enterprise.ts';
import type { CallOptions } from '../options.ts';
import { hashLeaf, sha256 } from '../verify/platform.ts';
import { readPolicy } from '../verify/policy.ts';
import {
  type EnterpriseCalls,
  type EnterpriseClient,
  followPatiently,
  type SnapshotEntry,
  type SnapshotOptions,
} from './calls.ts';
import { checkCovering } from './checkpoint.ts';
import { ProofError } from './error.ts';
import type { TextsOfKey } from './replica-store.ts';
import { type LogLeaves, readLeaves } from './tiles.ts';
import { hasRoot } from './tree.ts';

/** The texts of a key. */
export interface SnapshotTexts {
  readonly key: string;
  readonly texts: TextsOfKey;
}

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const createAlteredError = ({ name }: SnapshotFile, what: string): ProofError =>
  new ProofError('file_altered', `${name} is not the file that the manifest names: ${what}`);

/** Returns the bytes of a file, which are bounded. @throws ProofError if they are others */
const readVerifiedBytes = async (
  file: SnapshotFile,
  pieces: AsyncIterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = new Uint8Array(file.bytes);
  let at = 0;
  for await (const piece of pieces) {
    if (at + piece.length > bytes.length) throw createAlteredError(file, `it has more than ${file.bytes} bytes`);
    bytes.set(piece, at);
    at += piece.length;
  }
  if (at !== bytes.length) throw createAlteredError(file, `it has ${at} bytes, not ${bytes.length}`);
  if (toHex(await sha256(bytes)) !== file.sha256) throw createAlteredError(file, 'it has another SHA-256');
  return bytes;
};

/** Yields the lines of a compressed file. */
async function* unpackLines(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<string, void, undefined> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const reader = stream.pipeThrough(new TextDecoderStream('utf-8', { fatal: true })).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Yields the lines of a file after checking its bytes against the manifest. @throws ProofError */
async function* readVerifiedLines(
  file: SnapshotFile,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const bytes = await readVerifiedBytes(file, pieces);
  let count = 0;
  for await (const line of unpackLines(bytes)) {
    count++;
    yield line;
  }
  if (count !== file.lines) throw createAlteredError(file, `it has ${count} lines, not ${file.lines}`);
}

/** The files that a replica reads: canonical lines, packed as every platform can unpack them. */
const isReadable = ({ format, compression }: SnapshotFile): boolean => format === 'ndjson' && compression === 'gzip';

/** Returns the entry in a line. @throws ProofError if it is not written as the log has it */
const parseEntryLine = (file: SnapshotFile, line: string): SnapshotEntry => {
  let entry: FeedEntry;
  try {
    entry = JSON.parse(line) as FeedEntry;
    if (canonicalJson(entry) === line && typeof entry.number === 'number') return { entry, line };
  } catch {
    // refused below
  }
  throw createAlteredError(file, 'a line of it is not the canonical JSON of an entry');
};

/** @throws ProofError if a manifest contradicts itself, or its checkpoint is not signed as a policy requires */
export const checkManifest = async (manifest: SnapshotManifest, policy: string | undefined): Promise<void> => {
  const { number, tree, hashes, signed } = manifest;
  if (tree.size !== number + 1 || !(await hasRoot({ size: tree.size, hashes }, tree.root)))
    throw new ProofError('file_altered', `the hashes of snapshot ${number} do not lead to its root`);
  if (policy === undefined) return;
  const { standing } = await checkCovering(tree, signed, await readPolicy(policy));
  if (standing === 'unsigned')
    throw new ProofError('not_in_log', `no checkpoint covers snapshot ${number} yet: nobody has signed it`);
};

/** Returns the contents of a snapshot; undefined for `latest` if there is none. */
export const findSnapshot = async (
  { snapshots }: Pick<EnterpriseCalls, 'snapshots'>,
  number: number | 'latest',
  options: CallOptions,
): Promise<SnapshotManifest | undefined> => {
  const list = number === 'latest' ? await snapshots.list(options) : undefined;
  const found = number === 'latest' ? list?.data[0]?.number : number;
  return found === undefined ? undefined : snapshots.get(found, options);
};

/** Yields the entries of a snapshot. @throws ProofError */
export async function* readSnapshotEntries(
  { files }: Pick<EnterpriseCalls, 'files'>,
  manifest: SnapshotManifest,
  { kinds, prove }: Pick<SnapshotOptions, 'kinds' | 'prove'>,
  options: CallOptions,
): AsyncGenerator<SnapshotEntry, void, undefined> {
  const leaves: LogLeaves | undefined = prove && (await readLeaves(files, manifest, options));
  for (const file of manifest.files) {
    if (file.content !== 'entries' || !isReadable(file) || kinds?.includes(file.kind) === false) continue;
    const pieces = files.readSnapshotFile(manifest.number, file.name, options);
    for await (const line of readVerifiedLines(file, pieces)) {
      const found = parseEntryLine(file, line);
      leaves?.require(found.entry.number, await hashLeaf(line));
      yield found;
    }
  }
}

/** Times that a file of texts is read again because a text was just erased from it. */
const MOST_REWRITES = 5;

/** Yields the texts of one file. If it was rewritten meanwhile, it is asked for once more. @throws ProofError */
async function* readFileTexts(
  client: Pick<EnterpriseCalls, 'files' | 'snapshots'>,
  { number }: SnapshotManifest,
  asked: SnapshotFile,
  options: CallOptions,
): AsyncGenerator<SnapshotTexts, void, undefined> {
  let file = asked;
  for (let tries = 1; ; tries++)
    try {
      const lines = readVerifiedLines(file, client.files.readSnapshotFile(number, file.name, options));
      for await (const line of lines) yield JSON.parse(line) as SnapshotTexts;
      return;
    } catch (error) {
      if (!(error instanceof ProofError) || tries === MOST_REWRITES) throw error;
      const { files } = await client.snapshots.get(number, options);
      const rewritten = files.find(({ name }) => name === file.name);
      if (!rewritten || rewritten.sha256 === file.sha256) throw error;
      file = rewritten;
    }
}

/** Yields the texts of a snapshot. @throws ProofError */
export async function* readSnapshotTexts(
  client: Pick<EnterpriseCalls, 'files' | 'snapshots'>,
  manifest: SnapshotManifest,
  options: CallOptions,
): AsyncGenerator<SnapshotTexts, void, undefined> {
  for (const file of manifest.files)
    if (file.content === 'texts' && isReadable(file)) yield* readFileTexts(client, manifest, file, options);
}

/**
 * Yields the entries of a snapshot. Each file is checked against its SHA-256 before its first entry is given.
 * @throws ProofError
 * @example for await (const { entry } of readSnapshot(client, 'latest')) console.log(entry.key);
 */
export async function* readSnapshot(
  { enterprise: client }: EnterpriseClient,
  number: number | 'latest',
  { kinds, policy, prove, ...options }: SnapshotOptions = {},
): AsyncGenerator<SnapshotEntry, void, undefined> {
  const asked = followPatiently(options);
  const manifest = await findSnapshot(client, number, asked);
  if (!manifest) throw new BrokerTransparencyError('the service has no snapshot yet: read the feed from its beginning');
  await checkManifest(manifest, policy);
  yield* readSnapshotEntries(client, manifest, { kinds, prove }, asked);
}
