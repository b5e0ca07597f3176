import { type Entry, entryKey } from '@broker-transparency/contract/record';
import { fromBase64, verifyInclusion } from '@broker-transparency/log';
import { createOpener, type Openings, type TextOpener } from '../audit/texts.ts';
import type { ProvenEntry } from '../generated/record.ts';
import type { RecordCalls } from '../record.ts';
import type { VerifiedCheckpoint } from '../verify/checkpoint.ts';
import { isCommitted } from '../verify/commitment.ts';
import { parsing, VerifyError } from '../verify/error.ts';
import { hashLeaf, sha256 } from '../verify/platform.ts';
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
  /** For an earlier state: the newest entries, whose texts the random bytes open. */
  readonly newest?: Evidence['entries'] | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Returns the commitments to the texts of an entry, by field. */
const listCommitments = (entry: LoggedEntry | undefined): Readonly<Record<string, string>> =>
  ((entry?.value ?? {}) as { readonly texts?: Readonly<Record<string, string>> }).texts ?? {};

/** Leaves out the random bytes of fields whose text is another one now: those of the earlier text are gone. */
const selectSalts = (data: readonly ProvenEntry[], entries: Evidence['entries'], newest: Evidence['entries']) =>
  new Map(
    data.map(({ key, salts = {} }) => {
      const [then, now] = [listCommitments(entries.get(key)), listCommitments(newest.get(key))];
      return [key, Object.fromEntries(Object.entries(salts).filter(([field]) => then[field] === now[field]))] as const;
    }),
  );

/** @throws VerifyError if the log has another entry at its place */
const requireLogged = async (
  { number, entry }: ProvenEntry,
  hashes: readonly string[],
  { size, root, origin }: VerifiedCheckpoint,
): Promise<void> => {
  const leafHash = await hashLeaf(entry);
  const proof = parsing('malformed', 'a hash of the proof', () => hashes.map(fromBase64));
  if (await verifyInclusion({ index: number, size, root: fromBase64(root), leafHash, proof }, sha256)) return;
  throw new VerifyError('not_in_log', `the entry ${number} is not what ${origin} has there`);
};

/** Opens the texts of an answer. */
const openTexts = async (salts: Openings, entries: Evidence['entries'], texts: AnswerTexts): Promise<TextOpener> => {
  const name = (salt: string, text: string, commitment: unknown) => `${salt} ${commitment} ${text}`;
  const opened = new Set<string>();
  for (const [key, own] of salts)
    for (const [field, salt] of Object.entries(own)) {
      const [text, commitment] = [texts.get(key)?.[field], listCommitments(entries.get(key))[field]];
      if (text !== undefined && (await isCommitted({ salt, text }, commitment)))
        opened.add(name(salt, text, commitment));
    }
  return createOpener(salts, ({ salt, text }, commitment) => opened.has(name(salt, text, commitment)));
};

/**
 * Reads the newest entries of keys and checks that they are in the log, and that the log only grew.
 * @throws VerifyError, or as calls of the client do
 */
export const readEvidence = async (
  record: RecordCalls,
  check: ReturnType<typeof createGrowthCheck>,
  { keys, knownAt, texts, newest, signal }: EvidenceQuery,
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
    for (const proven of parsing('malformed', 'the entries', () => [...read.data])) {
      const { key, number } = proven;
      const entry: LoggedEntry = parsing('malformed', `the entry ${key}`, () => JSON.parse(proven.entry));
      const isAsked = some.includes(key) && number <= (knownAt ?? number);
      if (!isAsked || entry?.key !== key || entry.number !== number)
        throw new VerifyError('malformed', `the entry ${number} of ${key} is not what was asked for`);
      data.push(proven);
      entries.set(key, entry);
      if (checkpoint && proven.hashes) await requireLogged(proven, proven.hashes, checkpoint);
      else uncovered.add(key);
    }
  }
  const salts = selectSalts(data, entries, newest ?? entries);
  return { entries, uncovered, checkpoint, open: await openTexts(salts, entries, texts) };
};

/** Returns the key of the entry of a broker. */
export const brokerKey = (name: string): string => entryKey('broker', name);
