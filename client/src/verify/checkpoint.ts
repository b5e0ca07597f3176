import {
  type CheckedSignature,
  checkSignatures,
  fewestWitnesses,
  isReached,
  type Policy,
  parseCosignature,
  parseSignedCheckpoint,
  type SignedCheckpoint,
  toBase64,
} from '@broker-transparency/log';
import { parsing, VerifyError } from './error.ts';
import { ed25519 } from './platform.ts';
import { readPolicy } from './policy.ts';

/** The witnesses of a policy that have cosigned a checkpoint. */
export interface Witnesses {
  /** Number of witnesses that have cosigned. */
  readonly verified: number;
  /** Minimum number that can satisfy the policy; 0 if it requires none. */
  readonly required: number;
  /** Number of witnesses in the policy. */
  readonly known: number;
  /** Their names in the policy. */
  readonly names: readonly string[];
}

/** A checkpoint whose signatures are right. */
export interface VerifiedCheckpoint {
  /** `witnessed` if the policy requires witnesses and enough have signed, else `signed` by the log alone. */
  readonly level: 'signed' | 'witnessed';
  /** Names the log. */
  readonly origin: string;
  /** Number of entries in the log. */
  readonly size: number;
  /** Root of the tree over all entries, in base64. */
  readonly root: string;
  readonly witnesses: Witnesses;
  /** Time at which the first of these witnesses saw it, as an ISO timestamp. Undefined if none has. */
  readonly checkpointTime: string | undefined;
}

type TrustedKeys = Policy['logs'] | Policy['witnesses'];

const listKeys = (known: TrustedKeys) => known.map(({ key }) => key);

/** Checks the signatures by known keys, and refuses all if one is wrong: then somebody changed the text. */
const checkKnownSignatures = async (
  note: SignedCheckpoint['note'],
  known: TrustedKeys,
): Promise<readonly CheckedSignature[]> => {
  const checked = await checkSignatures(note, listKeys(known), ed25519);
  const wrong = checked.find(({ isRight }) => !isRight);
  if (wrong !== undefined)
    throw new VerifyError('wrong_signature', `the signature of ${wrong.key.name} is not over this checkpoint`);
  return checked;
};

const checkLog = async ({ checkpoint: { origin }, note }: SignedCheckpoint, { logs }: Policy): Promise<void> => {
  const accepted = logs.filter(({ key }) => key.name === origin);
  if (accepted.length === 0) {
    const names = logs.map(({ key }) => key.name).join(', ') || 'none';
    throw new VerifyError('unknown_log', `the checkpoint is of the log ${origin}; the policy accepts ${names}`);
  }
  if ((await checkKnownSignatures(note, accepted)).length === 0)
    throw new VerifyError('not_signed', `no key of ${origin} in the policy has signed the checkpoint`);
};

const collectWitnesses = (signed: readonly CheckedSignature[], { witnesses, quorum }: Policy): Witnesses => {
  const names = witnesses.filter(({ key }) => signed.some((each) => each.key === key)).map(({ name }) => name);
  return { verified: names.length, required: fewestWitnesses(quorum), known: witnesses.length, names };
};

const checkQuorum = ({ verified, required, known, names }: Witnesses, { quorum }: Policy): void => {
  if (isReached(quorum, new Set(names))) return;
  const whose = names.length === 0 ? '' : ` (${names.join(', ')})`;
  const message = `${verified} of ${known} witnesses have signed the checkpoint${whose}: the policy requires at least ${required}`;
  throw new VerifyError('too_few_witnesses', verified < required ? message : `${message}, of certain groups`);
};

const findFirstTime = (signed: readonly CheckedSignature[]): string | undefined => {
  const times = signed.map(({ signature }) => parseCosignature(signature.signature).timestamp);
  const first = new Date(Math.min(...times) * 1000);
  return Number.isNaN(first.getTime()) ? undefined : first.toISOString();
};

/**
 * Verifies the signatures of a parsed checkpoint.
 * @throws VerifyError
 */
export const checkCheckpoint = async (signed: SignedCheckpoint, policy: Policy): Promise<VerifiedCheckpoint> => {
  await checkLog(signed, policy);
  const cosigned = await checkKnownSignatures(signed.note, policy.witnesses);
  const witnesses = collectWitnesses(cosigned, policy);
  checkQuorum(witnesses, policy);
  const { origin, size, root } = signed.checkpoint;
  return {
    level: witnesses.required > 0 ? 'witnessed' : 'signed',
    origin,
    size,
    root: toBase64(root),
    witnesses,
    checkpointTime: findFirstTime(cosigned),
  };
};

const NOBODY: Policy['quorum'] = { threshold: 0, members: [] };

const parseCheckpoint = (text: string): SignedCheckpoint =>
  parsing('malformed', 'the checkpoint', () => parseSignedCheckpoint(text));

/**
 * Verifies the signature of the log on a checkpoint. Its own word counts even while witnesses are missing: the level is
 * then `signed`.
 * @throws VerifyError
 */
export const checkStanding = async (text: string, policy: Policy): Promise<VerifiedCheckpoint> => {
  const verified = await checkCheckpoint(parseCheckpoint(text), { ...policy, quorum: NOBODY });
  const required = fewestWitnesses(policy.quorum);
  if (required === 0 || !isReached(policy.quorum, new Set(verified.witnesses.names))) return verified;
  return { ...verified, level: 'witnessed', witnesses: { ...verified.witnesses, required } };
};

/**
 * Verifies a signed checkpoint, as the log publishes it.
 * @param text the checkpoint with its signatures
 * @param policy a policy file (c2sp.org/tlog-policy): which logs and witnesses you trust. `log VKEY` and `quorum none`,
 *   on two lines, accept one log without witnesses
 * @throws VerifyError whose `code` and message say what is wrong
 * @example
 * const { size, level } = await verifyCheckpoint(text, `log ${key}\nquorum none\n`);
 */
export const verifyCheckpoint = async (text: string, policy: string): Promise<VerifiedCheckpoint> => {
  const trusted = await readPolicy(policy);
  return checkCheckpoint(parseCheckpoint(text), trusted);
};
