import { fromBase64, verifyConsistency as isConsistent, type Policy } from '@broker-transparency/log';
import type { TreeHead } from '../generated/enterprise.ts';
import { checkStanding, type VerifiedCheckpoint } from '../verify/checkpoint.ts';
import { VerifyError } from '../verify/error.ts';
import { sha256 } from '../verify/platform.ts';
import { ProofError, type ProofErrorCode } from './error.ts';

/** A checkpoint that covers a tree, with the proof of that. */
interface CheckpointProof {
  readonly checkpoint: string;
  readonly size: number;
  readonly consistency: readonly string[];
}

/** Size and root of what a checkpoint is over. */
export type Head = Pick<TreeHead, 'size' | 'root'>;

/** The level of signatures on a tree. */
export type SignatureStatus = 'unsigned' | 'signed' | 'witnessed';

const CODES: Readonly<Record<string, ProofErrorCode>> = { unknown_log: 'other_log', not_signed: 'other_log' };

/** @throws ProofError if the log has not signed */
const verifyStatus = async (text: string, policy: Policy): Promise<VerifiedCheckpoint> => {
  try {
    return await checkStanding(text, policy);
  } catch (error) {
    if (!(error instanceof VerifyError) || error.code === 'unsupported') throw error;
    throw new ProofError(CODES[error.code] ?? 'checkpoint_altered', error.message, { cause: error });
  }
};

/** Returns true if a proof shows that a checkpoint continues a tree. */
const isContinuation = async (
  tree: TreeHead,
  newer: VerifiedCheckpoint,
  hashes: readonly string[],
): Promise<boolean> => {
  try {
    const [older, root] = [fromBase64(tree.root), fromBase64(newer.root)];
    const proof = hashes.map(fromBase64);
    return await isConsistent(
      { older: { size: tree.size, root: older }, newer: { size: newer.size, root }, proof },
      sha256,
    );
  } catch {
    return false; // a hash is none
  }
};

/**
 * Checks that a signed checkpoint covers a tree, and returns who vouches for it, and what the checkpoint is over.
 * @throws ProofError
 */
export const checkCovering = async (
  tree: TreeHead,
  signed: CheckpointProof | null,
  policy: Policy,
): Promise<{ readonly standing: SignatureStatus; readonly head: Head | null }> => {
  if (signed === null) return { standing: 'unsigned', head: null };
  const verified = await verifyStatus(signed.checkpoint, policy);
  if (verified.size === signed.size && (await isContinuation(tree, verified, signed.consistency)))
    return { standing: verified.level, head: { size: verified.size, root: verified.root } };
  const what = `the tree of ${tree.size} entries`;
  throw new ProofError('checkpoint_altered', `the checkpoint of ${verified.size} entries does not continue ${what}`);
};
