import type { TextCommitments } from '@broker-transparency/contract/record';
import { commitmentInput, type SaltedText, toBase64 } from '@broker-transparency/log';
import type { FileSource } from '../transfer.ts';
import { DownloadError } from './failure.ts';
import { formatAddress, readFile } from './files.ts';
import { sha256 } from './hash.ts';

/** The random bytes of public texts, by key of the entry and field, in base64. */
export type Openings = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Keys that one request names: with the longest slugs it stays below the 16 kB that a request line may have. */
const AT_ONCE = 100;

/** Reads what opens the commitments of entries from the address of openings. @throws DownloadError */
export const readOpenings = async (source: FileSource, keys: readonly string[]): Promise<Openings> => {
  const openings = new Map<string, Readonly<Record<string, string>>>();
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const query = new URLSearchParams({ keys: keys.slice(at, at + AT_ONCE).join() });
    const answer = await readFile(source, `?${query}`).catch((error: unknown) => {
      if (!(error instanceof DownloadError)) throw error;
      const { message, isAnswered, status, cause } = error;
      const short = status === undefined ? message : `${formatAddress(source, '')} answers ${status}`;
      throw new DownloadError(short, isAnswered, { status, cause });
    });
    const { data } = JSON.parse(new TextDecoder().decode(answer));
    for (const { key, salts } of data) openings.set(key, { ...salts });
  }
  return openings;
};

const isCommitted = (salted: SaltedText, commitment: string): boolean => {
  try {
    return toBase64(sha256(commitmentInput(salted))) === commitment;
  } catch (error) {
    if (error instanceof SyntaxError) return false; // its random bytes are not base64
    throw error;
  }
};

/** Stands for a text whose commitment an answer does not open. */
export interface UnopenedText {
  readonly unopened: string;
}

export const isUnopened = (value: unknown): value is UnopenedText =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'unopened');

/** The commitments of an entry, and the random bytes that open them. */
interface Opening {
  readonly commitments: TextCommitments | undefined;
  /** Undefined where the service has none. */
  readonly salts: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns the text of an answer if it matches the entry's commitment; otherwise the entry's value. An empty text
 * without a commitment counts as none.
 */
export const openText = (
  field: string,
  text: string | undefined,
  { commitments = {}, salts = {} }: Opening,
): string | UnopenedText | undefined => {
  const [commitment, salt] = [commitments[field], salts[field]];
  if (commitment === undefined) return text === '' ? text : undefined;
  if (salt === undefined) return { unopened: 'a commitment whose random bytes are missing' };
  if (text !== undefined && isCommitted({ salt, text }, commitment)) return text;
  return { unopened: text === undefined ? 'a commitment to a text' : 'a commitment to another text' };
};
