import { toBase64 } from './bytes.ts';
import { parseSignedCheckpoint, type SignedCheckpoint } from './checkpoint.ts';
import {
  checkHash,
  MOST_HASHES,
  parseBase64,
  parseDecimal,
  readHashes,
  requireWhole,
  splitLines,
  wrongLine,
} from './lines.ts';

/* c2sp.org/tlog-proof: one text file that proves offline that an entry is in the log. */

const HEADER = 'c2sp.org/tlog-proof@v1';

/** The contents of a proof file. */
export interface ProofFile {
  /** Data for the reader, which no signature covers. This service's proofs contain an {@link EntryExtra}. */
  readonly extra: Uint8Array | undefined;
  /** The number of the entry in the log. */
  readonly index: number;
  /** Hashes from the sibling of the leaf upwards. */
  readonly hashes: readonly Uint8Array[];
  /** The signed checkpoint, verbatim. */
  readonly checkpoint: string;
}

/** A proof with its checkpoint parsed. */
export interface ParsedProof extends ProofFile, Omit<SignedCheckpoint, 'checkpoint'> {
  /** Origin, size and root of the tree that contains the entry. */
  readonly tree: SignedCheckpoint['checkpoint'];
}

/**
 * Parses a proof. It verifies nothing.
 * @throws SyntaxError that names the line
 * @example parseProof(formatProof({ extra: undefined, index: 0, hashes: [], checkpoint: 'log.example/1\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— log.example/1 AAAAKgEC\n' })).tree.size // 1
 */
export const parseProof = (text: string): ParsedProof => {
  const lines = splitLines(text);
  if (lines[0] !== HEADER) throw wrongLine(1, HEADER, lines[0]);
  const extra = lines[1]?.startsWith('extra ') ? parseBase64(lines[1].slice(6), 2, 'extra data') : undefined;
  const at = extra === undefined ? 1 : 2;
  if (!lines[at]?.startsWith('index ')) throw wrongLine(at + 1, 'index and a number', lines[at]);
  const index = parseDecimal(lines[at]?.slice(6), at + 1, 'an index');
  const { hashes, next } = readHashes(lines, { from: at + 1, first: 1, what: 'a hash' });
  const checkpoint = lines
    .slice(next)
    .map((line) => `${line}\n`)
    .join('');
  const { checkpoint: tree, note } = parseSignedCheckpoint(checkpoint, next + 1);
  return { extra, index, hashes, checkpoint, tree, note };
};

/**
 * Formats a proof.
 * @throws RangeError if the index is no whole number or a hash has not 32 bytes
 * @example formatProof({ extra: undefined, index: 0, hashes: [], checkpoint: '…' }) // 'c2sp.org/tlog-proof@v1\nindex 0\n\n…'
 */
export const formatProof = ({ extra, index, hashes, checkpoint }: ProofFile): string => {
  if (hashes.length > MOST_HASHES) throw new RangeError(`a proof has at most ${MOST_HASHES} hashes`);
  const lines = [
    HEADER,
    ...(extra === undefined ? [] : [`extra ${toBase64(extra)}`]),
    `index ${requireWhole(index, 'an index')}`,
    ...hashes.map((hash) => toBase64(checkHash(hash, 'a hash'))),
    '',
  ];
  return lines.map((line) => `${line}\n`).join('') + checkpoint;
};
