import { fromBase64, verifyConsistency as isConsistent } from '@broker-transparency/log';
import type { VerifiedCheckpoint } from './checkpoint.ts';
import { parsing, VerifyError } from './error.ts';
import { sha256 } from './platform.ts';

type CheckpointTree = Pick<VerifiedCheckpoint, 'origin' | 'size' | 'root'>;

/**
 * Verifies that a log only grew between two checkpoints: that the newer tree begins with all entries of the older one.
 * @param older the smaller tree, as {@link verifyCheckpoint} returns it
 * @param newer the larger tree
 * @param hashes the consistency proof (RFC 6962), in base64
 * @throws VerifyError with the code `not_consistent`, or `malformed` if a hash is none
 * @example await verifyConsistency(kept, await verifyCheckpoint(text, policy), hashes);
 */
export const verifyConsistency = async (
  older: CheckpointTree,
  newer: CheckpointTree,
  hashes: readonly string[],
): Promise<void> => {
  if (older.origin !== newer.origin)
    throw new VerifyError('not_consistent', `the checkpoints are of two logs, ${older.origin} and ${newer.origin}`);
  const claim = parsing('malformed', 'a hash of the proof', () => ({
    older: { size: older.size, root: fromBase64(older.root) },
    newer: { size: newer.size, root: fromBase64(newer.root) },
    proof: hashes.map(fromBase64),
  }));
  if (await isConsistent(claim, sha256)) return;
  const trees = `the tree of ${newer.size} entries continues the one of ${older.size}`;
  throw new VerifyError('not_consistent', `the proof does not show that ${trees}`);
};
