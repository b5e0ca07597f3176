import { canonicalJson } from '@broker-transparency/log';
import { isCommitted } from './commitment.ts';
import { createMismatchError, type Fields, parseFile, requireFields, requireText } from './file.ts';
import { type VerifiedProof, verifyProof } from './proof.ts';

/** A statement of reasons that the log commits to. */
export interface VerifiedStatement extends VerifiedProof {
  readonly reviewId: string;
  readonly decision: string;
  /** The statement of reasons, whole. */
  readonly statement: Fields;
}

/** Fields that the entry of a statement has in public, beside the commitment. */
const PUBLIC_FIELDS = ['decision', 'reasonCode', 'ground', 'origin', 'automatedMeans'] as const;

/**
 * Verifies the file of a statement of reasons, without any request: the log has its entry, and the entry commits to this
 * review, this decision and these reasons.
 * @param file the JSON that the page of the decision offers
 * @param trust `policy`: a policy file (c2sp.org/tlog-policy) with the logs and witnesses that you trust
 * @throws VerifyError whose `code` and message say what is wrong and where
 * @example
 * const { decision, statement } = await verifyStatement(file, { policy: `log ${key}\nquorum none\n` });
 */
export const verifyStatement = async (
  file: string,
  { policy }: { readonly policy: string },
): Promise<VerifiedStatement> => {
  const given = parseFile(file);
  const proven = await verifyProof(requireText(given['proof'], 'proof'), policy);
  const stated = {
    reviewId: requireText(given['reviewId'], 'reviewId'),
    decision: requireText(given['decision'], 'decision'),
    statement: requireFields(given['statement'], 'statement'),
  };
  const { kind, value } = proven.entry as { readonly kind?: unknown; readonly value?: Fields | null };
  if (kind !== 'statement') throw createMismatchError('entry.kind: the proof is of no statement of reasons');
  const salted = { salt: requireText(given['salt'], 'salt'), text: canonicalJson(stated) };
  if (!(await isCommitted(salted, value?.['commitment'])))
    throw createMismatchError('statement: the log commits to another review, decision or statement');
  const said: Fields = { ...stated.statement, decision: stated.decision };
  for (const name of PUBLIC_FIELDS)
    if (canonicalJson(value?.[name] ?? null) !== canonicalJson(said[name] ?? null))
      throw createMismatchError(`${name}: the entry says another one in public`);
  return { ...proven, ...stated };
};
