import { fromBase64 } from './bytes.ts';

/* Common parts of the text formats: numbered lines, decimal numbers and hashes. */

/** Bytes of a SHA-256 hash. */
export const HASH_SIZE = 32;

const MOST_SHOWN = 60;

/** Returns an error that names a line, the expected text and the found one. */
export const wrongLine = (line: number, expected: string, found?: string): SyntaxError => {
  const shown = found !== undefined && found.length > MOST_SHOWN ? `${found.slice(0, MOST_SHOWN)}…` : found;
  return new SyntaxError(
    `line ${line}: expected ${expected}${shown === undefined ? '' : `, not ${JSON.stringify(shown)}`}`,
  );
};

/**
 * Splits a text into lines without their newlines.
 * @throws SyntaxError if the last line has no newline
 */
export const splitLines = (text: string, first = 1): readonly string[] => {
  const lines = text.split('\n');
  const rest = lines.pop();
  if (rest !== '') throw wrongLine(first + lines.length, 'a newline at the end', rest);
  return lines;
};

/** Returns whether a text is a decimal number without leading zeros, within the exact range of numbers. */
const isDecimal = (text: string): boolean => /^(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text));

/**
 * Parses a decimal number without leading zeros, up to 2^53 - 1.
 * @throws SyntaxError that names the line
 */
export const parseDecimal = (text: string | undefined, line: number, what: string): number => {
  if (text === undefined || !isDecimal(text)) throw wrongLine(line, `${what} as a decimal number`, text);
  return Number(text);
};

/**
 * Decodes base64.
 * @throws SyntaxError that names the line
 */
export const parseBase64 = (text: string | undefined, line: number, what: string): Uint8Array => {
  try {
    return fromBase64(text ?? '-');
  } catch {
    throw wrongLine(line, `${what} in base64`, text);
  }
};

/**
 * Decodes the base64 of a SHA-256 hash.
 * @throws SyntaxError that names the line
 */
export const parseHash = (text: string | undefined, line: number, what: string): Uint8Array => {
  const bytes = parseBase64(text, line, what);
  if (bytes.length !== HASH_SIZE) throw wrongLine(line, `${what} of ${HASH_SIZE} bytes in base64`, text);
  return bytes;
};

/**
 * Checks a number before it is written.
 * @throws RangeError if it is no whole number from 0 to 2^53 - 1
 */
export const requireWhole = (value: number, what: string): number => {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${what} must be a whole number, not ${value}`);
  return value;
};

/**
 * Checks a hash before it is written.
 * @throws RangeError if it has another length
 */
export const checkHash = (hash: Uint8Array, what: string): Uint8Array => {
  if (hash.length !== HASH_SIZE) throw new RangeError(`${what} must have ${HASH_SIZE} bytes, not ${hash.length}`);
  return hash;
};

/** Maximum number of hashes in a proof, for a tree of 2^63 leaves. */
export const MOST_HASHES = 63;

/** First line of a run, and the name of its lines in errors. */
interface LineRun {
  readonly from: number;
  readonly first: number;
  readonly what: string;
}

/**
 * Reads one hash per line up to an empty line, as in proofs before a checkpoint.
 * @param run `from` is an index into the lines, and `first` the number of the first line in errors
 * @returns the hashes, and the index of the line after the empty one
 * @throws SyntaxError if a line is no hash, if there are more than 63, or if the empty line is missing
 */
export const readHashes = (lines: readonly string[], { from, first, what }: LineRun) => {
  const hashes: Uint8Array[] = [];
  for (let at = from; ; at++) {
    const line = lines[at];
    if (line === undefined) throw wrongLine(first + at, `${what} or an empty line`, 'the end');
    if (line === '') return { hashes, next: at + 1 };
    if (hashes.length === MOST_HASHES) throw wrongLine(first + at, `at most ${MOST_HASHES} hashes`);
    hashes.push(parseHash(line, first + at, what));
  }
};
