import { canonicalJson, toBase64 } from '@broker-transparency/log';
import { resolveBase } from '../base.ts';
import { pause } from '../deadline.ts';
import { createFileSource, type FileSource, type TransferOptions } from '../transfer.ts';
import { type VerifiedCheckpoint, verifyCheckpoint } from '../verify/checkpoint.ts';
import { createEntryCheck, type ReplayResult } from './entries.ts';
import { readFile } from './files.ts';
import { sha256 } from './hash.ts';
import {
  type AnswerComparison,
  compareLive,
  createWatch,
  type LiveAnswers,
  listTextKeys,
  listTouchedKeys,
} from './live.ts';
import { createTree, type EntryRange, type Finding, firstOther, readEntries } from './log.ts';
import { readOpenings } from './openings.ts';
import type { Openings } from './texts.ts';

/** The audited log, and the auditor's policy of trust. Limits are those of each file of the log. */
export interface AuditOptions extends TransferOptions {
  /** Address of the log: `https://` and its origin. */
  readonly url: string;
  /** A policy file (c2sp.org/tlog-policy). */
  readonly policy: string;
  /** A checkpoint that was kept from an earlier audit: the log must continue it. */
  readonly since?: string | undefined;
  /** Reads live answers, which are compared with the log. */
  readonly live?: (() => Promise<LiveAnswers>) | undefined;
  /**
   * Address of the service that opens the commitments to texts, as `createClient` takes it. By default it is the one
   * that has the log.
   */
  readonly baseUrl?: string | undefined;
  /** Told after each bundle how many entries are checked. */
  readonly onProgress?: (done: number, size: number) => void;
}

/** The result of an audit. */
export interface Audit extends ReplayResult {
  /** The signed checkpoint, to be kept for the next audit. */
  readonly checkpoint: string;
  readonly log: VerifiedCheckpoint;
  /** The comparison of live answers, whose findings are among the others; undefined if there was none. */
  readonly live: AnswerComparison | undefined;
  /** Why live answers could not be compared; undefined if they were. */
  readonly liveFailure: string | undefined;
  /** Size of the earlier checkpoint, if there was one. */
  readonly since: number | undefined;
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Reads the value of an entry that is too long for the log. @throws Error if its hash differs */
const readValue = async (source: FileSource, number: number, hash: string): Promise<unknown> => {
  const bytes = await readFile(source, `/value/${number}`);
  if (toBase64(sha256(bytes)) !== hash) throw new Error('its value is not the one whose hash it has');
  const value = JSON.parse(decode(bytes)) as unknown;
  if (canonicalJson(value) !== decode(bytes)) throw new Error('its value is not canonical JSON');
  return value;
};

const otherMessage = ({ first, last }: EntryRange): string =>
  first === last
    ? `entry ${first} is not the one that the log signed: its hash is another one`
    : `one of the entries ${first} to ${last} is not the one that the log signed: their hashes lead to another one`;

/** Numbers are given and signed within a second. */
const NUMBERED_MS = 2000;

const NOTHING: LiveAnswers = {
  brokers: [],
  summaries: [],
  total: 0,
  regulators: [],
  regulatorDetails: [],
  reviews: [],
  news: [],
};

const NOTHING_READ = { answers: NOTHING, openings: new Map() as Openings };

/** Reads live answers, and what opens the commitments to their texts. */
const readLive = async (source: FileSource, { live, baseUrl }: Pick<AuditOptions, 'live' | 'baseUrl'>) => {
  if (!live) return NOTHING_READ;
  const answers = await live();
  const url =
    baseUrl === undefined
      ? new URL('../openings', source.settings.base).href
      : `${resolveBase(baseUrl)}/transparency/v1/openings`;
  return {
    answers,
    openings: await readOpenings({ ...source, settings: { ...source.settings, base: url } }, listTextKeys(answers)),
  };
};

/** Reads the checkpoint that is published now. @throws VerifyError if it is not signed as the policy requires */
const readCheckpoint = async (source: FileSource, policy: string) => {
  const text = decode(await readFile(source, '/checkpoint'));
  return { text, log: await verifyCheckpoint(text, policy) };
};

/** Returns the keys that changed after a checkpoint of `size` entries. */
const touchedAfter = async (source: FileSource, size: number, policy: string): Promise<string[]> => {
  const { log } = await readCheckpoint(source, policy);
  const touched: string[] = [];
  for await (const entries of readEntries(source, log.size, size))
    for (const entry of entries) touched.push(...listTouchedKeys(JSON.parse(decode(entry))));
  return touched;
};

/**
 * Audits a log: downloads every entry, checks that they lead to the signed root, and recomputes the scores of every day
 * by the published arithmetic. It compares live answers of the API, if given, with the entries. It runs on Node.
 * @throws VerifyError if a checkpoint is not signed as the policy requires
 * @throws DownloadError if the log cannot be read, or the reason of `signal`
 * @throws TypeError if `url` is no address, TypeError or RangeError for options that cannot be used
 * @example
 * const { findings } = await audit({ url, policy }); // [] if all is well
 */
export const audit = async ({
  url,
  policy,
  since,
  live,
  baseUrl,
  onProgress,
  ...options
}: AuditOptions): Promise<Audit> => {
  const source = createFileSource('audit', url, options);
  const earlier = since === undefined ? undefined : await verifyCheckpoint(since, policy);
  const before = live && (await readCheckpoint(source, policy)).log.size;
  let liveFailure: string | undefined;
  // answers are older than the checkpoint, so that the log has what they show
  const { answers, openings } = await readLive(source, { live, baseUrl }).catch((error: Error) => {
    liveFailure = error.message; // a server that refuses to answer must not hide findings
    return NOTHING_READ;
  });
  const touched = new Set<string>();
  const { text: checkpoint, log } = await readCheckpoint(source, policy);
  const { size, root } = log;
  const tree = createTree(earlier ? [size, earlier.size] : [size]);
  const check = createEntryCheck((number, hash) => readValue(source, number, hash), live && createWatch(answers));
  for await (const entries of readEntries(source, size)) {
    for (const entry of entries) {
      tree.add(entry);
      const added = await check.add(entry);
      if (added && before !== undefined && added.number >= before)
        for (const key of listTouchedKeys(added)) touched.add(key);
    }
    onProgress?.(check.result().entries, size);
  }
  check.end(size);
  const findings: Finding[] = [...check.result().findings];
  if (tree.rootAt(size) !== root) {
    const other = await firstOther(source, log, tree.hashes());
    findings.splice(
      check.missing(),
      0,
      other === undefined
        ? { message: `the log signed the root ${root}, which none of its own files leads to` }
        : { number: other.first, message: otherMessage(other) },
    );
  }
  if (earlier && earlier.size > size)
    findings.unshift({ number: size, message: `the log had ${earlier.size} entries, and has ${size} now` });
  else if (earlier && tree.rootAt(earlier.size) !== earlier.root)
    findings.unshift({ message: `the first ${earlier.size} entries are not those of the earlier checkpoint` });
  const known = live && liveFailure === undefined ? check.knownAt(new Date().toISOString()) : undefined;
  const evidence = known && { log: known, openings, touched, size };
  let comparison = evidence && compareLive(answers, evidence);
  if (evidence && comparison && comparison.findings.length > 0) {
    await pause(NUMBERED_MS, options.signal);
    for (const key of await touchedAfter(source, size, policy)) touched.add(key);
    comparison = compareLive(answers, evidence);
  }
  findings.push(...(comparison?.findings ?? []));
  return { ...check.result(), findings, checkpoint, log, live: comparison, liveFailure, since: earlier?.size };
};
