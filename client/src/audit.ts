import { canonicalJson, toBase64 } from '@broker-transparency/contract/log';
import { createEntryCheck, type Replayed } from './audit/entries.ts';
import { type FileSource, readFile } from './audit/files.ts';
import { sha256 } from './audit/hash.ts';
import { compareLive, type LiveBroker } from './audit/live.ts';
import { createTree, type EntryRange, type Finding, firstOther, readEntries } from './audit/log.ts';
import { type VerifiedCheckpoint, verifyCheckpoint } from './verify.ts';

export type { Replayed } from './audit/entries.ts';
export { SourceFailure } from './audit/failure.ts';
export type { LiveBroker } from './audit/live.ts';
export type { Finding } from './audit/log.ts';

/** What is audited, and whom the auditor trusts. */
export interface AuditOptions {
  /** Address of the log: `https://` and its origin. */
  readonly url: string;
  /** A policy file (c2sp.org/tlog-policy). */
  readonly policy: string;
  /** A checkpoint that was kept from an earlier audit: the log must continue it. */
  readonly since?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Reads live answers about brokers, which are compared with the log. */
  readonly live?: (() => Promise<readonly LiveBroker[]>) | undefined;
  /** Told after each bundle how many entries are checked. */
  readonly onProgress?: (done: number, size: number) => void;
}

/** The result of an audit. */
export interface Audit extends Replayed {
  /** The signed checkpoint, to be kept for the next audit. */
  readonly checkpoint: string;
  readonly log: VerifiedCheckpoint;
  /** How many live answers were compared. */
  readonly live: number;
  /** Why live answers could not be compared; undefined if they were. */
  readonly liveFailure: string | undefined;
  /** Size of the earlier checkpoint, if there was one. */
  readonly since: number | undefined;
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Reads the value of an entry that is too long for the log. @throws Error if it is not the one that was hashed */
const readValue = async (source: FileSource, number: number, hash: string): Promise<unknown> => {
  const bytes = await readFile(source, `value/${number}`);
  if (toBase64(sha256(bytes)) !== hash) throw new Error('its value is not the one whose hash it has');
  const value = JSON.parse(decode(bytes)) as unknown;
  if (canonicalJson(value) !== decode(bytes)) throw new Error('its value is not canonical JSON');
  return value;
};

const otherMessage = ({ first, last }: EntryRange): string =>
  first === last
    ? `entry ${first} is not the one that the log signed: its hash is another one`
    : `one of the entries ${first} to ${last} is not the one that the log signed: their hashes lead to another one`;

/**
 * Audits a log: downloads every entry, checks that they lead to the signed root, and recomputes the scores of every day
 * by the published arithmetic. It runs on Node and asks the log alone.
 * @throws VerifyError if a checkpoint is not signed as the policy requires
 * @throws SourceFailure if the log cannot be read
 * @example
 * const { findings } = await audit({ url, policy }); // [] if all is well
 */
export const audit = async ({
  url,
  policy,
  since,
  live,
  fetch = globalThis.fetch,
  onProgress,
}: AuditOptions): Promise<Audit> => {
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const source: FileSource = { url: url.replace(/\/+$/, ''), fetch, wait };
  const earlier = since === undefined ? undefined : await verifyCheckpoint(since, policy);
  const checkpoint = decode(await readFile(source, 'checkpoint'));
  const log = await verifyCheckpoint(checkpoint, policy);
  const { size, root } = log;
  const tree = createTree(earlier ? [size, earlier.size] : [size]);
  const check = createEntryCheck((number, hash) => readValue(source, number, hash));
  for await (const entries of readEntries(source, size)) {
    for (const entry of entries) {
      tree.add(entry);
      await check.add(entry);
    }
    onProgress?.(check.result().entries, size);
  }
  const findings: Finding[] = [...check.result().findings];
  if (tree.rootAt(size) !== root) {
    const other = await firstOther(source, log, tree.hashes());
    findings.unshift(
      other === undefined
        ? { message: `the log signed the root ${root}, which none of its own files leads to` }
        : { number: other.first, message: otherMessage(other) },
    );
  }
  if (earlier && earlier.size > size)
    findings.unshift({ number: size, message: `the log had ${earlier.size} entries, and has ${size} now` });
  else if (earlier && tree.rootAt(earlier.size) !== earlier.root)
    findings.unshift({ message: `the first ${earlier.size} entries are not those of the earlier checkpoint` });
  let liveFailure: string | undefined;
  const answers = await (live?.() ?? Promise.resolve([])).catch((error: Error) => {
    liveFailure = error.message; // whoever refuses to answer must not hide what was found
    return [];
  });
  findings.push(...compareLive(answers, check.factsAt(new Date().toISOString()), size));
  return { ...check.result(), findings, checkpoint, log, live: answers.length, liveFailure, since: earlier?.size };
};
