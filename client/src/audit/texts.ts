import type { TextCommitments } from '@broker-transparency/contract/record';
import type { SaltedText } from '@broker-transparency/log';

/** The random bytes of public texts, by key of the entry and field, in base64. */
export type Openings = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Returns true if an entry commits to a text. */
export type CommitmentCheck = (salted: SaltedText, commitment: string) => boolean;

/** Stands for a text whose commitment an answer does not open. */
export interface UnopenedText {
  readonly unopened: string;
}

export const isUnopened = (value: unknown): value is UnopenedText =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'unopened');

const MISSING = 'a commitment whose random bytes are missing';

/** Returns true for a text that nobody can check, because its random bytes are gone. */
export const lacksRandomBytes = (value: unknown): boolean => isUnopened(value) && value.unopened === MISSING;

/**
 * Returns the text of an answer if it matches the commitment of the entry with this key; otherwise the entry's value.
 * An empty text without a commitment counts as none.
 */
export type TextOpener = (
  key: string,
  commitments: TextCommitments | undefined,
  field: string,
  text: string | undefined,
) => string | UnopenedText | undefined;

/** Creates a function that opens texts by these random bytes. */
export const createOpener =
  (openings: Openings, isCommitted: CommitmentCheck): TextOpener =>
  (key, commitments = {}, field, text) => {
    const [commitment, salt] = [commitments[field], openings.get(key)?.[field]];
    if (commitment === undefined) return text === '' ? text : undefined;
    if (salt === undefined) return { unopened: MISSING };
    if (text !== undefined && isCommitted({ salt, text }, commitment)) return text;
    return { unopened: text === undefined ? 'a commitment to a text' : 'a commitment to another text' };
  };
