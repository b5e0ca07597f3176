import { concat, decodeUtf8, toBase64, utf8 } from './bytes.ts';
import { checkHash, MOST_HASHES, parseDecimal, parseHash, requireWhole, splitLines, wrongLine } from './lines.ts';

/**
 * What our proofs carry in `extra`: lines of UTF-8, each ended by a newline.
 *
 * ```
 * {"kind":"day",…}              the entry's bytes, which are the leaf of the log
 * day 17 76                     if it is about one leaf of a day: the leaf's index among how many,
 * ["alpha",81.9,"green"]  that leaf's bytes,
 * <base64>                      and its path to the root that the entry names, one hash a line
 * ```
 *
 * The bytes stand as they are, because canonical JSON has no newline: a verifier hashes the first line and never
 * canonicalises. No signature covers `extra`: its lines count only once the hashes lead to the signed root.
 */
export interface EntryExtra {
  /** The leaf of the log. */
  readonly entry: Uint8Array;
  readonly day: DayPart | undefined;
}

/** One leaf in the tree of a day, whose root the entry of the day names. */
export interface DayPart {
  readonly index: number;
  /** Number of leaves in the tree of the day. */
  readonly count: number;
  /** Canonical JSON on one line, such as `["alpha",81.9,"green"]`. */
  readonly leaf: Uint8Array;
  readonly hashes: readonly Uint8Array[];
}

/** Returns the bytes of a line unchanged. */
const bytesIn = (line: string | undefined, number: number, what: string): Uint8Array => {
  if (!line) throw wrongLine(number, what, line);
  return utf8(line);
};

const dayIn = ([head, leaf, ...path]: readonly string[]): DayPart => {
  const [, index, count] = /^day (\S+) (\S+)$/.exec(head ?? '') ?? [];
  if (index === undefined) throw wrongLine(2, 'day, an index and a count', head);
  if (path.length > MOST_HASHES) throw wrongLine(4 + MOST_HASHES, `at most ${MOST_HASHES} hashes`);
  return {
    index: parseDecimal(index, 2, 'an index'),
    count: parseDecimal(count, 2, 'a count'),
    leaf: bytesIn(leaf, 3, 'the leaf of the day'),
    hashes: path.map((line, at) => parseHash(line, 4 + at, 'a hash')),
  };
};

/**
 * Parses the `extra` of a proof. It verifies nothing.
 * @throws SyntaxError that names the line of `extra`
 * @example parseEntryExtra(fromBase64('e30K')).day // undefined
 */
export const parseEntryExtra = (extra: Uint8Array): EntryExtra => {
  const [entry, ...day] = splitLines(decodeUtf8(extra));
  return { entry: bytesIn(entry, 1, 'the entry'), day: day.length === 0 ? undefined : dayIn(day) };
};

const oneLine = (bytes: Uint8Array, what: string): string => {
  const text = decodeUtf8(bytes);
  if (text === '' || text.includes('\n')) throw new RangeError(`${what} must be one line of JSON`);
  return text;
};

/**
 * Formats the `extra` of a proof.
 * @throws RangeError if entry or leaf is not one line, or a number or hash is invalid
 * @example toBase64(formatEntryExtra({ entry: fromBase64('e30='), day: undefined })) // 'e30K'
 */
export const formatEntryExtra = ({ entry, day }: EntryExtra): Uint8Array => {
  const lines = [oneLine(entry, 'the entry')];
  if (day !== undefined) {
    lines.push(
      `day ${requireWhole(day.index, 'an index')} ${requireWhole(day.count, 'a count')}`,
      oneLine(day.leaf, 'the leaf'),
    );
    lines.push(...day.hashes.map((hash) => toBase64(checkHash(hash, 'a hash'))));
  }
  return concat(...lines.map((line) => utf8(`${line}\n`)));
};
