import type { Fetch } from '@broker-transparency/client';
import {
  type VerifiedProof,
  type VerifiedPublication,
  type VerifiedReview,
  type VerifiedStatement,
  VerifyError,
  verifyProof,
  verifyPublication,
  verifyReview,
  verifyStatement,
} from '@broker-transparency/client/verify';
import { EXIT, SourceError } from './failures.ts';
import { UsageError, type Values } from './usage.ts';

/** The result for a proof or another file: what it proves, or why it proves nothing. */
export type ProofCheck =
  | ({ readonly verified: true; readonly publication?: undefined } & VerifiedProof &
      Partial<VerifiedReview & VerifiedStatement>)
  | ({ readonly verified: true } & VerifiedPublication)
  | { readonly verified: false; readonly code: string; readonly message: string };

/** The sources of texts. */
export interface Sources {
  /** Reads a file; `-` stands for the standard input. */
  readonly read: (file: string) => Promise<string>;
  readonly fetch: Fetch;
}

const DEFAULT_TIMEOUT = 30;

const isJson = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('application/json') === true;

/** Returns true if a text is a publication, as JSON or as a page, and no proof file. */
const isPublication = (text: string): boolean => /^\uFEFF?\s*[{<]/.test(text);

/** Returns true if a text is a file with this field that its reader got: a review, or a statement of reasons. */
const isOwnFile = (text: string, field: 'texts' | 'statement'): boolean =>
  /^\s*\{/.test(text) && !text.includes('"format"') && text.includes(`"${field}"`);

/** Returns the proof in an answer of the API, or the publication that it is. @throws SourceError if it has none */
const proofIn = (text: string, url: string): string => {
  const { proof, format } = JSON.parse(text) as { readonly proof?: unknown; readonly format?: unknown };
  if (typeof proof === 'string') return proof;
  if (format !== undefined) return text;
  throw new SourceError(`${url} answers JSON without a proof`, EXIT.refused);
};

const fetched = async (url: string, { fetch }: Sources, { timeout = DEFAULT_TIMEOUT }: Values): Promise<string> => {
  const signal = AbortSignal.timeout(timeout * 1000);
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) throw new SourceError(`${url} answers ${response.status}`, EXIT.refused);
    const text = await response.text();
    return isJson(response) ? proofIn(text, url) : text;
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(`${url} does not answer: ${(error as Error).message}`, EXIT.unanswered);
  }
};

/**
 * Reads a text from a file.
 * @throws UsageError if it cannot be read
 */
export const textIn = (file: string, read: Sources['read']): Promise<string> =>
  read(file).catch((error: unknown) => {
    const source = file === '-' ? 'the standard input' : file;
    throw new UsageError(`${source} cannot be read: ${(error as Error).message}`);
  });

/**
 * Returns the policy that the options of a command name.
 * @throws UsageError unless exactly one of them does
 */
export const policyIn = async (command: string, { policy, key }: Values, { read }: Sources): Promise<string> => {
  if (policy !== undefined && key === undefined) return textIn(policy, read);
  if (policy === undefined && key !== undefined) return `log ${key}\nquorum none\n`;
  throw new UsageError(`${command} needs to know whom you trust: pass --policy FILE or --key VKEY`);
};

/**
 * Verifies the proof, the publication, the review or the statement of reasons in a file or at an address.
 * @throws UsageError if the proof cannot be read, or the policy is missing or none
 * @throws SourceError if the address does not answer a proof
 */
export const checkProof = async (given: string, values: Values, sources: Sources): Promise<ProofCheck> => {
  const policy = await policyIn('verify', values, sources);
  const text = await (/^https?:\/\//i.test(given) ? fetched(given, sources, values) : textIn(given, sources.read));
  try {
    if (isOwnFile(text, 'statement')) return { verified: true, ...(await verifyStatement(text, { policy })) };
    if (isOwnFile(text, 'texts')) return { verified: true, ...(await verifyReview(text, { policy })) };
    if (isPublication(text)) return { verified: true, ...(await verifyPublication(text, { policy })) };
    return { verified: true, ...(await verifyProof(text, policy)) };
  } catch (error) {
    if (!(error instanceof VerifyError)) throw error;
    const { code, message } = error;
    // neither is about the proof
    if (code === 'invalid_policy' || code === 'unsupported') throw new UsageError(message);
    return { verified: false, code, message };
  }
};
