import { canonicalJson } from '@broker-transparency/log';
import { BrokerTransparencyError } from '../base-error.ts';
import { isCommitted } from '../verify/commitment.ts';
import { hashText } from '../verify/platform.ts';
import { readPolicy } from '../verify/policy.ts';
import { checkCovering, type SignatureStatus } from './checkpoint.ts';
import { ProofError } from './error.ts';
import type { FileReplica } from './file-store.ts';
import { readCommitments } from './page.ts';
import type { ReplicaEntry, ReplicaPosition, VouchedTree } from './replica-store.ts';
import { computeTreeRoot } from './tree.ts';

/**
 * The result of a check of a replica on disk. Numbers of entries are −1 for none.
 * @example const isIntact = ({ findings }: ReplicaCheck): boolean => findings.length === 0;
 */
export interface ReplicaCheck {
  readonly applied: number;
  readonly signed: number;
  readonly witnessed: number;
  /** Number of keys with a published value. */
  readonly entries: number;
  /** Number of keys with texts. */
  readonly texts: number;
  /** The faults. */
  readonly findings: readonly string[];
}

const parseValue = ({ line, value }: ReplicaEntry): { texts?: Record<string, string> } | null =>
  value === undefined ? JSON.parse(line).value : JSON.parse(value);

/** Returns the fault of an entry, or undefined. */
const findFault = async (entry: ReplicaEntry, { tree }: ReplicaPosition): Promise<string | undefined> => {
  const { number, key, line, value } = entry;
  const parsed = JSON.parse(line);
  if (canonicalJson(parsed) !== line || parsed.number !== number || parsed.key !== key)
    return `entry ${number} is not written as the log has it`;
  if (number >= tree.size) return `entry ${number} is beyond the ${tree.size} entries that were applied`;
  const hash = value === undefined ? undefined : await hashText(value);
  return hash === parsed.valueHash ? undefined : `the value of entry ${number} is not the one whose hash it has`;
};

/** Returns the texts of a key that its entry does not commit to. */
const findTextFaults = async (store: FileReplica, key: string): Promise<string[]> => {
  const entry = await store.get(key);
  const commitments = entry ? (parseValue(entry)?.texts ?? {}) : {};
  const faults: string[] = [];
  for (const [field, text] of Object.entries(await store.keptTexts(key)))
    if (!(await isCommitted(text, commitments[field])))
      faults.push(`the ${field} of ${key} is a text that is not published any more`);
  return faults;
};

/** Returns the public texts of an entry that are not kept. */
const findMissingTexts = async (store: FileReplica, { key, line, value }: ReplicaEntry): Promise<string[]> => {
  const entry = JSON.parse(line);
  const fields = Object.keys(readCommitments(entry.cause, value === undefined ? entry.value : JSON.parse(value)));
  if (fields.length === 0) return [];
  const kept = await store.keptTexts(key);
  return fields
    .filter((field) => !Object.hasOwn(kept, field))
    .map((field) => `the ${field} of ${key} is missing, though its entry says that it is public`);
};

/**
 * Checks a replica on disk, without any request: an accepted checkpoint covers its tree, entries and values match their
 * hashes, all kept texts are published, and no published text is missing. It cannot detect an entry that was removed
 * from the folder: completeness was proven when the page was applied.
 * @throws BrokerTransparencyError if the folder has no replica, or is damaged
 * @example const { findings } = await checkReplica(fileReplica('brokers'), policy);
 */
export const checkReplica = async (store: FileReplica, policy: string): Promise<ReplicaCheck> => {
  const trusted = await readPolicy(policy);
  const position = await store.load();
  if (!position) throw new BrokerTransparencyError('there is no complete replica: run replica() to its end first');
  const findings: string[] = [];
  const countCovered = async (tree: VouchedTree | null, least: SignatureStatus): Promise<number> => {
    if (tree === null) return 0;
    const head = { size: tree.size, root: await computeTreeRoot(tree) };
    const covering = {
      checkpoint: tree.checkpoint,
      size: Number(tree.checkpoint.split('\n')[1]),
      consistency: tree.consistency,
    };
    const found = await checkCovering(head, covering, trusted).catch((error: unknown) => {
      if (!(error instanceof ProofError)) throw error;
      findings.push(error.message);
      return undefined;
    });
    return found?.standing === 'witnessed' || found?.standing === least ? tree.size : 0;
  };
  if (position.signed === null) findings.push('no signed checkpoint covers it');
  const signed = await countCovered(position.signed, 'signed');
  const witnessed = await countCovered(position.witnessed, 'witnessed');
  let entries = 0;
  for await (const entry of store.entries()) {
    entries++;
    const fault = await findFault(entry, position);
    if (fault !== undefined) findings.push(fault);
    if (position.textsThrough === position.tree.size) findings.push(...(await findMissingTexts(store, entry)));
  }
  const keys = await store.textKeys();
  for (const key of keys) findings.push(...(await findTextFaults(store, key)));
  const applied = position.tree.size - 1;
  return { applied, signed: signed - 1, witnessed: witnessed - 1, entries, texts: keys.length, findings };
};
