import { toBase64 } from './bytes.ts';
import { checkHash, parseDecimal, parseHash, requireWhole, splitLines, wrongLine } from './lines.ts';
import { type Note, parseNote } from './note.ts';

/* c2sp.org/tlog-checkpoint: the size and root of a log, as the text of a note. */

/** Statement of a log about its tree. */
export interface Checkpoint {
  /** Names the log. */
  readonly origin: string;
  /** Number of entries in the log. */
  readonly size: number;
  /** Root of the tree over these entries: 32 bytes. */
  readonly root: Uint8Array;
  /** Further lines, for which only the log vouches. This service writes none. */
  readonly extensions: readonly string[];
}

/** A checkpoint, and the note that contains it. */
export interface SignedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly note: Note;
}

/**
 * Parses the text of a checkpoint without signatures.
 * @param first the number of the first line in errors
 * @throws SyntaxError that names the line
 * @example parseCheckpoint('log.example/1\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n').size // 0
 */
export const parseCheckpoint = (text: string, first = 1): Checkpoint => {
  const [origin, size, root, ...extensions] = splitLines(text, first);
  if (!origin) throw wrongLine(first, 'the origin of a log', origin);
  const parsed = {
    origin,
    size: parseDecimal(size, first + 1, 'the size of a tree'),
    root: parseHash(root, first + 2, 'the root of a tree'),
    extensions,
  };
  const empty = extensions.indexOf('');
  if (empty >= 0) throw wrongLine(first + 3 + empty, 'an extension that is not empty');
  return parsed;
};

/**
 * Formats the text of a checkpoint, ready to be signed.
 * @throws RangeError if it could not be parsed again
 * @example formatCheckpoint({ origin: 'log.example/1', size: 0, root: EMPTY_ROOT, extensions: [] }) // 'log.example/1\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n'
 */
export const formatCheckpoint = ({ origin, size, root, extensions }: Checkpoint): string => {
  const wrong = [origin, ...extensions].find((line) => line === '' || line.includes('\n'));
  if (wrong !== undefined)
    throw new RangeError(`origin and extensions are one line each, not ${JSON.stringify(wrong)}`);
  const lines = [origin, requireWhole(size, 'a size'), toBase64(checkHash(root, 'a root')), ...extensions];
  return lines.map((line) => `${line}\n`).join('');
};

/**
 * Parses a signed checkpoint. It verifies nothing.
 * @param first the number of the first line in errors
 * @throws SyntaxError that names the line
 * @example parseSignedCheckpoint('log.example/1\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— log.example/1 AAAAKgEC\n').checkpoint.origin // 'log.example/1'
 */
export const parseSignedCheckpoint = (text: string, first = 1): SignedCheckpoint => {
  const note = parseNote(text, first);
  return { checkpoint: parseCheckpoint(note.text, first), note };
};
