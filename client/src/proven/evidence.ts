import { type Entry, entryKey } from '@broker-transparency/contract/record';
import { fromBase64, leafInput, verifyInclusion } from '@broker-transparency/log';
import { createOpener, type TextOpener } from '../audit/texts.ts';
import type { ProvenEntry } from '../generated/record.ts';
import type { RecordCalls } from '../record.ts';
import type { VerifiedCheckpoint } from '../verify/checkpoint.ts';
import { isCommitted } from '../verify/commitment.ts';
import { parsing, VerifyError } from '../verify/error.ts';
import { sha256 } from '../verify/platform.ts';
import type { createGrowthCheck } from './growth.ts';

/** Keys that one request names. */
const AT_ONCE = 50;

/** An entry as the log has it. */
export type LoggedEntry = Entry & {
  /** In place of the value of an entry that is too long for the log: its SHA-256, in base64. */
  readonly valueHash?: string;
};

/** Public texts by the key of their entry and by field. */
export type AnswerTexts = ReadonlyMap<string, Readonly<Record<string, string | undefined>>>;

/** Entries that answers are compared with. */
export interface Evidence {
  /** By key. */
  readonly entries: ReadonlyMap<string, LoggedEntry>;
  /** Keys of those that the checkpoint does not cover. */
  readonly uncovered: ReadonlySet<string>;
  readonly open: TextOpener;
  /** The newest checkpoint; undefined if the service has signed none. */
  readonly checkpoint: VerifiedCheckpoint | undefined;
}

/** The entries to read. */
export interface EvidenceQuery {
  readonly keys: readonly string[];
  /** Only entries up to this number count. */
  readonly knownAt?: number | undefined;
  readonly texts: AnswerTexts;
  readonly signal: AbortSignal | undefined;
}

const parseEntry = ({ key, number, entry }: ProvenEntry): LoggedEntry => {
  const parsed: LoggedEntry = parsing('malformed', `the entry ${key}`, () => JSON.parse(entry));
  if (parsed.key === key && parsed.number === number) return parsed;
  throw new VerifyError('malformed', `the entry ${parsed.number} of ${parsed.key} is given as ${number} of ${key}`);
};

/** @throws VerifyError if the log has another entry at its place */
const requireLogged = async (
  { number, entry }: ProvenEntry,
  hashes: readonly string[],
  { size, root, origin }: VerifiedCheckpoint,
): Promise<void> => {
  const [leafHash, path] = await parsing('malformed', 'a hash of the proof', async () => [
    await sha256(leafInput(new TextEncoder().encode(entry))),
    hashes.map(fromBase64),
  ]);
  if (await verifyInclusion({ index: number, size, root: fromBase64(root), leafHash, proof: path }, sha256)) return;
  throw new VerifyError('not_in_log', `the entry ${number} is not what ${origin} has there`);
};

/** Opens the texts of an answer. */
const openTexts = async (
  data: readonly ProvenEntry[],
  entries: Evidence['entries'],
  texts: AnswerTexts,
): Promise<TextOpener> => {
  const name = (salt: string, text: string, commitment: unknown) => `${salt} ${commitment} ${text}`;
  const opened = new Set<string>();
  for (const { key, salts = {} } of data)
    for (const [field, salt] of Object.entries(salts)) {
      const { texts: commitments = {} } = (entries.get(key)?.value ?? {}) as { texts?: Record<string, string> };
      const [text, commitment] = [texts.get(key)?.[field], commitments[field]];
      if (text !== undefined && (await isCommitted({ salt, text }, commitment)))
        opened.add(name(salt, text, commitment));
    }
  return createOpener(new Map(data.map(({ key, salts = {} }) => [key, salts])), ({ salt, text }, commitment) =>
    opened.has(name(salt, text, commitment)),
  );
};

/**
 * Reads the newest entries of keys and checks that they are in the log, and that the log only grew.
 * @throws VerifyError, or as calls of the client do
 */
export const readEvidence = async (
  record: RecordCalls,
  check: ReturnType<typeof createGrowthCheck>,
  { keys, knownAt, texts, signal }: EvidenceQuery,
): Promise<Evidence> => {
  const wanted = [...new Set(keys)];
  const data: ProvenEntry[] = [];
  const entries = new Map<string, LoggedEntry>();
  const uncovered = new Set<string>();
  let checkpoint: VerifiedCheckpoint | undefined;
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const some = wanted.slice(at, at + AT_ONCE);
    const query = { keys: some.join(), ...(knownAt === undefined ? {} : { knownAt }) };
    const read = await check((since) => record.entries.list({ ...query, since }, { signal }));
    ({ checkpoint } = read);
    for (const proven of read.data) {
      const entry = parseEntry(proven);
      if (!some.includes(entry.key) || (knownAt !== undefined && entry.number > knownAt))
        throw new VerifyError('malformed', `the entry ${entry.number} of ${entry.key} was not asked for`);
      data.push(proven);
      entries.set(entry.key, entry);
      if (checkpoint && proven.hashes) await requireLogged(proven, proven.hashes, checkpoint);
      else uncovered.add(entry.key);
    }
  }
  return { entries, uncovered, checkpoint, open: await openTexts(data, entries, texts) };
};

/** Returns the key of the entry of a broker. */
export const brokerKey = (name: string): string => entryKey('broker', name);
