import { canonicalJson } from '@broker-transparency/log';
import { isCommitted } from './commitment.ts';
import { createMismatchError, type Fields } from './file.ts';
import { type VerifiedProof, verifyProof } from './proof.ts';

/** A decision about a review, as its author or reporter reads it. */
export interface StatedDecision {
  readonly reviewId: string;
  readonly decision: string;
  /** The statement of reasons, whole. */
  readonly statement: object;
  /** The salt of its `opening`: 32 random bytes in base64. */
  readonly salt: string;
}

/**
 * Verifies a statement of reasons, without any request: the log has its entry, and the entry commits to this review,
 * this decision and these reasons.
 * @param proof of the entry that `opening.key` names (c2sp.org/tlog-proof)
 * @param trust `policy`: a policy file (c2sp.org/tlog-policy) with the logs and witnesses that you trust
 * @throws VerifyError whose `code` and message say what is wrong and where
 * @example
 * const { level } = await verifyStatement(proof, { reviewId, decision, statement, salt }, { policy });
 */
export const verifyStatement = async (
  proof: string,
  { reviewId, decision, statement, salt }: StatedDecision,
  { policy }: { readonly policy: string },
): Promise<VerifiedProof> => {
  const proven = await verifyProof(proof, policy);
  const { kind, value } = proven.entry as { readonly kind?: unknown; readonly value?: Fields | null };
  if (kind !== 'statement') throw createMismatchError('entry.kind: the proof is of no statement of reasons');
  const text = canonicalJson({ reviewId, decision, statement });
  if (!(await isCommitted({ salt, text }, value?.['commitment'])))
    throw createMismatchError('statement: the log commits to another review, decision or statement');
  return proven;
};
