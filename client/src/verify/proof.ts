import { leafInput, parseEntryExtra, parseProof, verifyInclusion } from '@broker-transparency/log';
import { checkCheckpoint, type VerifiedCheckpoint } from './checkpoint.ts';
import { checkDay, type VerifiedScore } from './day.ts';
import { parsing, VerifyError } from './error.ts';
import { sha256 } from './platform.ts';
import { readPolicy } from './policy.ts';

/** An entry that is in the log, and what that follows from. */
export interface VerifiedProof extends Omit<VerifiedCheckpoint, 'level'> {
  /** `witnessed` if the policy requires witnesses and enough have signed, else `logged`: the log's word alone. */
  readonly level: 'logged' | 'witnessed';
  /** The number of the entry in the log. */
  readonly index: number;
  /** The entry, parsed from the bytes that the log has. */
  readonly entry: unknown;
  /** With a proof of one score, that score; the entry is then that of its day. */
  readonly score: VerifiedScore | undefined;
}

const parse = (text: string) => {
  const proof = parsing('malformed', 'the proof', () => parseProof(text));
  const { extra } = proof;
  if (extra === undefined)
    throw new VerifyError('malformed', 'the proof does not carry its entry: it has no line extra');
  return { proof, ...parsing('malformed', 'extra in the proof', () => parseEntryExtra(extra)) };
};

/**
 * Verifies a proof file (c2sp.org/tlog-proof) without asking anybody: that an entry is in the log, and how many
 * witnesses have seen that log.
 * @param text the proof, as the service answers it
 * @param policy a policy file (c2sp.org/tlog-policy): which logs and witnesses you trust. `log VKEY` and `quorum none`,
 *   on two lines, accept one log without witnesses
 * @throws VerifyError whose `code` and message say what is wrong
 * @example
 * const { level, entry } = await verifyProof(text, `log ${key}\nquorum none\n`);
 */
export const verifyProof = async (text: string, policy: string): Promise<VerifiedProof> => {
  const trusted = await readPolicy(policy);
  const { proof, entry: bytes, day } = parse(text);
  const { tree, note, index, hashes } = proof;
  const { level, ...checkpoint } = await checkCheckpoint({ checkpoint: tree, note }, trusted);
  const leafHash = await sha256(leafInput(bytes));
  if (!(await verifyInclusion({ index, size: tree.size, root: tree.root, leafHash, proof: hashes }, sha256))) {
    const place = `as number ${index} of ${tree.size}`;
    throw new VerifyError('not_in_log', `the entry of the proof is not what ${tree.origin} has ${place}`);
  }
  const entry: unknown = parsing('malformed', 'the entry', () => JSON.parse(new TextDecoder().decode(bytes)));
  const score = day && (await checkDay(day, entry));
  return { level: level === 'signed' ? 'logged' : level, ...checkpoint, index, entry, score };
};
