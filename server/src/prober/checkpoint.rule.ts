import {
  checkSignatures,
  type Ed25519Verify,
  parseSignedCheckpoint,
  type SignedCheckpoint,
  toBase64,
  type VerifierKey,
} from '@broker-transparency/log';
import { CheckError } from './wrong.rule.ts';

/** The last tree of a log that a prober has seen. */
export interface KnownTree {
  readonly size: number;
  /** Root in base64. */
  readonly root: string;
}

/** The end of the record, as seen in a minute. */
export interface RecordEnd {
  /** Number of the minute. */
  readonly minute: number;
  readonly end: number;
}

/** Maximum minutes until a checkpoint covers an entry. A new checkpoint comes about every ten seconds. */
const MOST_LAG_MINUTES = 2;

const parseCheckpoint = (text: string): SignedCheckpoint => {
  try {
    return parseSignedCheckpoint(text);
  } catch {
    throw new CheckError('the checkpoint of the log has another form');
  }
};

/** Returns the address of a log's checkpoint. The name of its key is host and path, as readers know it. */
export const toCheckpointPath = ({ name }: Pick<VerifierKey, 'name'>): string =>
  `${name.slice(name.indexOf('/'))}/checkpoint`;

/** Reads a checkpoint. @throws CheckError unless a known key signed it, and no known key's signature is wrong */
export const readCheckpoint = async (
  text: string,
  keys: readonly VerifierKey[],
  verify: Ed25519Verify,
): Promise<KnownTree> => {
  const { checkpoint, note } = parseCheckpoint(text);
  if (!keys.some(({ name }) => name === checkpoint.origin)) throw new CheckError('the checkpoint is of another log');
  const signatures = await checkSignatures(note, keys, verify);
  if (signatures.length === 0) throw new CheckError('no known key signed the checkpoint of the log');
  if (signatures.some(({ isRight }) => !isRight)) throw new CheckError('the signature of the checkpoint is wrong');
  return { size: checkpoint.size, root: toBase64(checkpoint.root) };
};

/** @throws CheckError if the log shrinks, or has two trees of one size */
export const requireContinues = (now: KnownTree, before: KnownTree | undefined): void => {
  if (before === undefined) return;
  if (now.size < before.size) throw new CheckError(`the log had ${before.size} entries and now has ${now.size}`);
  if (now.size === before.size && now.root !== before.root)
    throw new CheckError(`the log has two trees of ${now.size} entries`);
};

/** @throws CheckError if the checkpoint lacks entries that the record had `MOST_LAG_MINUTES` ago */
export const requireFresh = ({ size }: KnownTree, ends: readonly RecordEnd[], minute: number): void => {
  const due = ends.filter((seen) => seen.minute <= minute - MOST_LAG_MINUTES).map(({ end }) => end);
  const least = Math.max(-1, ...due) + 1;
  if (size < least)
    throw new CheckError(`the checkpoint covers ${size} entries; ${MOST_LAG_MINUTES} minutes ago there were ${least}`);
};
