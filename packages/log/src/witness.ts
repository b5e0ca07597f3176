import { toBase64 } from './bytes.ts';
import { parseSignedCheckpoint, type SignedCheckpoint } from './checkpoint.ts';
import { checkHash, MOST_HASHES, parseDecimal, readHashes, requireWhole, splitLines, wrongLine } from './lines.ts';

/* c2sp.org/tlog-witness: requests of a log to a witness. The answer is signature lines; see parseSignatures. */

/** A new checkpoint for a witness, and the proof that it continues the witness's last one. */
export interface AddCheckpoint {
  /** Size of the newest tree that the witness has cosigned; 0 for none. */
  readonly oldSize: number;
  /** The consistency proof from that size. */
  readonly hashes: readonly Uint8Array[];
  /** The signed checkpoint, verbatim. */
  readonly checkpoint: string;
}

/**
 * Formats the body of `POST …/add-checkpoint`. Give it a checkpoint without cosignatures: litewitness reads at most 10
 * kB.
 * @throws RangeError if the size is no whole number or a hash has not 32 bytes
 * @example formatAddCheckpoint({ oldSize: 0, hashes: [], checkpoint: '…' }) // 'old 0\n\n…'
 */
export const formatAddCheckpoint = ({ oldSize, hashes, checkpoint }: AddCheckpoint): string => {
  if (hashes.length > MOST_HASHES) throw new RangeError(`a proof has at most ${MOST_HASHES} hashes`);
  const lines = [
    `old ${requireWhole(oldSize, 'a size')}`,
    ...hashes.map((hash) => toBase64(checkHash(hash, 'a hash'))),
    '',
  ];
  return lines.map((line) => `${line}\n`).join('') + checkpoint;
};

/** The body of a request, with its checkpoint parsed. */
export interface ParsedAddCheckpoint extends AddCheckpoint, Omit<SignedCheckpoint, 'checkpoint'> {
  readonly tree: SignedCheckpoint['checkpoint'];
}

/**
 * Parses the body of `POST …/add-checkpoint`, as a witness does. It verifies nothing.
 * @throws SyntaxError that names the line
 * @example parseAddCheckpoint('old 0\n\nlog.example/1\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— log.example/1 AAAAKgEC\n').tree.origin // 'log.example/1'
 */
export const parseAddCheckpoint = (body: string): ParsedAddCheckpoint => {
  const lines = splitLines(body);
  if (!lines[0]?.startsWith('old ')) throw wrongLine(1, 'old and a size', lines[0]);
  const oldSize = parseDecimal(lines[0].slice(4), 1, 'a size');
  const { hashes, next } = readHashes(lines, { from: 1, first: 1, what: 'a hash' });
  const checkpoint = lines
    .slice(next)
    .map((line) => `${line}\n`)
    .join('');
  const { checkpoint: tree, note } = parseSignedCheckpoint(checkpoint, next + 1);
  return { oldSize, hashes, checkpoint, tree, note };
};

/**
 * Parses the body of a 409 (`text/x.tlog.size`): the size of the newest tree that the witness has cosigned.
 * @throws SyntaxError if it is no line with a number
 * @example parseWitnessSize('20852014\n') // 20852014
 */
export const parseWitnessSize = (body: string): number => {
  const [size, ...more] = splitLines(body);
  if (more.length > 0) throw wrongLine(2, 'the end', more[0]);
  return parseDecimal(size, 1, 'the size of a tree');
};
