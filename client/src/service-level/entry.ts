import { canonicalJson } from '@broker-transparency/log';
import { VerifyError } from '../verify/error.ts';
import { type VerifiedProof, verifyProof } from '../verify/proof.ts';
import type { MonthFiles, MonthProblem } from './files.ts';

/** An entry of the record whose proof is right. */
export interface ProvenEntry {
  readonly proof: VerifiedProof;
  readonly value: unknown;
}

interface EntryRequest {
  /** Path of its files without `.proof` and `.json`. */
  readonly path: string;
  readonly key: string;
  readonly policy: string;
  readonly report: (problem: Pick<MonthProblem, 'why'>) => void;
}

/** Returns true for an error about the policy or this platform instead of the entry. */
const isReaderError = ({ code }: VerifyError): boolean => code === 'invalid_policy' || code === 'unsupported';

const parseValue = (text: string): unknown => {
  try {
    return (JSON.parse(text) as { value?: unknown } | null)?.value;
  } catch {
    return undefined;
  }
};

const toCanonical = (value: unknown): string | undefined => {
  try {
    return canonicalJson(value);
  } catch {
    return undefined;
  }
};

/**
 * Reads an entry that the log proves. An unproven entry does not count.
 * @throws VerifyError about the policy and the platform
 */
export const readEntry = async (files: MonthFiles, wanted: EntryRequest): Promise<ProvenEntry | undefined> => {
  const { path, key, policy, report } = wanted;
  const [text, json] = await Promise.all([files.read(`${path}.proof`), files.read(`${path}.json`)]);
  if (text === undefined) {
    report({
      why: json === undefined ? `${path}.proof is missing: nobody says what was measured` : `${path}.proof is missing`,
    });
    return undefined;
  }
  let proof: VerifiedProof;
  try {
    proof = await verifyProof(text, policy);
  } catch (error) {
    if (!(error instanceof VerifyError) || isReaderError(error)) throw error;
    report({ why: `${path}.proof: ${error.message}` });
    return undefined;
  }
  const entry = proof.entry as { readonly key?: unknown; readonly kind?: unknown; readonly value?: unknown } | null;
  if (entry?.kind !== 'service-level' || entry.key !== key) {
    report({ why: `${path}.proof: it proves the entry ${String(entry?.key).slice(0, 80)}, not ${key}` });
    return undefined;
  }
  if (json !== undefined && toCanonical(parseValue(json)) !== toCanonical(entry.value))
    report({ why: `${path}.json says something else than the log: the log counts` });
  return { proof, value: entry.value };
};
