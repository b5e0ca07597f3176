import { isCommitted } from './commitment.ts';
import { createMismatchError, type Fields, parseFile, requireFields, requireText } from './file.ts';
import { type VerifiedProof, verifyProof } from './proof.ts';

/** A review that is in the log, and the words in which it was published. */
export interface VerifiedReview extends VerifiedProof {
  /** By field, such as `title` and `content`. */
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * Verifies an author's file of the published words of a review, without any request: the log has the entry, and the
 * entry commits to these texts.
 * @param file the answer of the service, as JSON
 * @param trust `policy`: a policy file (c2sp.org/tlog-policy) with the logs and witnesses that you trust
 * @throws VerifyError whose `code` and message say what is wrong and where
 * @example
 * const { texts, level } = await verifyReview(file, { policy: `log ${key}\nquorum none\n` });
 */
export const verifyReview = async (file: string, { policy }: { readonly policy: string }): Promise<VerifiedReview> => {
  const given = parseFile(file);
  const proven = await verifyProof(requireText(given['proof'], 'proof'), policy);
  const { value } = proven.entry as { value?: { texts?: Fields } | null };
  const texts: Record<string, string> = {};
  for (const [field, opened] of Object.entries(requireFields(given['texts'], 'texts'))) {
    const place = `texts.${field}`;
    const { salt, text } = requireFields(opened, place);
    texts[field] = requireText(text, place);
    if (!(await isCommitted({ salt: requireText(salt, place), text: texts[field] }, value?.texts?.[field])))
      throw createMismatchError(`${place}: the log commits to another text`);
  }
  return { ...proven, texts };
};
