import {
  checkSignatures,
  consistencyPlan,
  formatAddCheckpoint,
  formatSignature,
  makeProof,
  parseCosignature,
  parseNote,
  parseSignatures,
  parseWitnessSize,
} from '@broker-transparency/log';
import type { Db } from '../../../platform/mongo.ts';
import { type FetchedDocument, fetchDocument } from '../../../platform/outbound/fetch.ts';
import { OutboundError, operatorRules } from '../../../platform/outbound/rules.ts';
import { sha256 } from '../../../platform/sha256.rule.ts';
import { readNodes } from '../hashes.ts';
import { verifyEd25519 } from '../keys.ts';
import type { StoredCheckpoint } from '../store.ts';
import type { Witness } from './policy.ts';
import type { Cosignature } from './store.ts';

/* Asks a witness for a signature (c2sp.org/tlog-witness). Its answers are not trusted: a signature must verify. */

/** Time limit of a request, in milliseconds. */
const TIMEOUT_MS = 5000;
/** Some lines are enough. A witness may send further kinds of signatures, of 3 kB each. */
const MAX_BYTES = 16_384;

/** Answer of a witness to one request. */
type WitnessAnswer =
  | { readonly is: 'cosigned'; readonly line: string; readonly signedAt: Date }
  /** The witness has last signed another size. */
  | { readonly is: 'elsewhere'; readonly size: number }
  /** The witness reports that the checkpoint does not continue its last one. */
  | { readonly is: 'contradiction'; readonly why: string }
  | { readonly is: 'failure'; readonly why: string };

/** Final outcome of asking a witness. */
export type WitnessOutcome = Exclude<WitnessAnswer, { readonly is: 'elsewhere' }>;

const failure = (why: string): WitnessOutcome => ({ is: 'failure', why });

/** Cure for each status without a signature. */
const CURES: Readonly<Record<number, string>> = {
  403: ': its operator must know the verifier key of this log',
  404: ': its operator must know this log, and its address in the policy must be right',
};

/** Returns the newest valid signature by the key of the witness. Lines by other keys are ignored. */
const verifyCosignature = async ({ key }: Witness, checkpoint: string, body: string): Promise<WitnessOutcome> => {
  const { text } = parseNote(checkpoint);
  const checked = await checkSignatures({ text, signatures: parseSignatures(body) }, [key], verifyEd25519);
  if (checked.length === 0) return failure(`answers without a signature by the key of ${key.name}`);
  const right = checked.filter(({ isRight }) => isRight).map(({ signature }) => signature);
  const times = right.map(({ signature }) => parseCosignature(signature).timestamp);
  const newest = right[times.indexOf(Math.max(...times))];
  if (!newest) return failure(`answers with a wrong signature of ${key.name}`);
  return { is: 'cosigned', line: formatSignature(newest), signedAt: new Date(Math.max(...times) * 1000) };
};

const parseAnswer = async (
  witness: Witness,
  checkpoint: string,
  { status, body }: FetchedDocument,
): Promise<WitnessAnswer> => {
  const text = body.toString('utf8');
  try {
    if (status === 200) return await verifyCosignature(witness, checkpoint, text);
    if (status === 409) return { is: 'elsewhere', size: parseWitnessSize(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return failure(`answers ${status} in another form than c2sp.org/tlog-witness has`);
  }
  if (status === 422)
    return { is: 'contradiction', why: 'answers 422: the checkpoint does not continue the one that it signed' };
  return failure(`answers ${status}${CURES[status] ?? ''}`);
};

/** Sends a signed checkpoint, with the proof that it continues the tree of an older size. */
const submit = async (
  db: Db,
  witness: Witness,
  oldSize: number,
  { size, text }: StoredCheckpoint,
  signal: AbortSignal,
): Promise<WitnessAnswer> => {
  const plan = consistencyPlan(oldSize, size);
  const hashes = makeProof(plan, await readNodes(db, plan, size), sha256);
  try {
    const fetched = await fetchDocument(`${witness.url}/add-checkpoint`, {
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: formatAddCheckpoint({ oldSize, hashes, checkpoint: text }),
      rules: operatorRules(new URL(witness.url)),
      maxBytes: MAX_BYTES,
      maxRedirects: 0, // a policy names the witness itself
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    return await parseAnswer(witness, text, fetched);
  } catch (error) {
    if (error instanceof OutboundError) return failure(error.message);
    throw error;
  }
};

/** Returns the outcome if a witness has another size than stated; undefined if a request from its size makes sense. */
const explainSizeConflict = (has: number, said: number, size: number): WitnessOutcome | undefined => {
  if (has > size)
    return { is: 'contradiction', why: `has signed ${has} entries, and the published checkpoint has ${size}` };
  if (has !== said) return undefined;
  return said === size
    ? { is: 'contradiction', why: `has signed another tree of ${size} entries` }
    : failure('answers 409 to the size that it has');
};

/**
 * Asks a witness to sign a checkpoint. If the witness last signed another size than expected, asks once more from that
 * size.
 * @param known size of the tree that it last signed, as far as known
 */
export const askWitness = async (
  db: Db,
  witness: Witness,
  known: number,
  checkpoint: StoredCheckpoint,
  signal: AbortSignal,
): Promise<WitnessOutcome> => {
  const { size } = checkpoint;
  const said = Math.min(known, size);
  const first = await submit(db, witness, said, checkpoint, signal);
  if (first.is !== 'elsewhere') return first;
  const meaning = explainSizeConflict(first.size, said, size);
  if (meaning) return meaning;
  const second = await submit(db, witness, first.size, checkpoint, signal);
  if (second.is !== 'elsewhere') return second;
  return explainSizeConflict(second.size, first.size, size) ?? failure('answers 409 with another size each time');
};

/** Returns the stored form of a signature. */
export const toCosignature = (
  { line, signedAt }: Extract<WitnessOutcome, { is: 'cosigned' }>,
  { size, text }: StoredCheckpoint,
  at: Date,
): Cosignature => ({ text: parseNote(text).text, size, line, signedAt, at });
