import { readFile } from 'node:fs/promises';
import {
  formatVerifierKey,
  type Policy,
  type PolicyLog,
  type PolicyWitness,
  parsePolicy,
  type Quorum,
} from '@broker-transparency/log';
import { DomainError } from '../../../platform/domain-error.ts';
import { hasItsId, type LogKey } from '../keys.ts';

/** A witness with its address. */
export interface Witness extends PolicyWitness {
  /** Base URL of its write API. */
  readonly url: string;
}

/** Witnesses that sign checkpoints of the log, and the quorum. */
export interface Witnesses {
  readonly asked: readonly Witness[];
  readonly quorum: Quorum;
  /** Lines about the witnesses in the reader policy. */
  readonly lines: readonly string[];
}

/** The policy file, for messages. */
interface PolicyFile {
  readonly file: string;
  readonly text: string;
}

const createPolicyError = (file: string, what: string): DomainError =>
  new DomainError('invalid_setting', `LOG_WITNESSES: ${file}: ${what}`);

/** Returns the number of the line with a key. Keys are unique. */
const findLine = (text: string, keyword: 'log' | 'witness', verifierKey: string): number =>
  text.split('\n').findIndex((line) => {
    const words = line.split(/[ \t]+/).filter((word) => word !== '');
    return words[0] === keyword && words.includes(verifierKey);
  }) + 1;

const createLineError = (
  { file, text }: PolicyFile,
  keyword: 'log' | 'witness',
  { key }: PolicyLog,
  what: string,
): DomainError => createPolicyError(file, `line ${findLine(text, keyword, formatVerifierKey(key))}: ${what}`);

/** Returns whether a text is an address to which `/add-checkpoint` can be appended. */
const isAddress = (text: string): boolean => {
  const url = URL.parse(text);
  return (
    url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === '' && !/[?#]/.test(text)
  );
};

const checkWitness = (source: PolicyFile, witness: PolicyWitness): Witness => {
  const { name, key, url } = witness;
  const fault = (what: string) => createLineError(source, 'witness', witness, what);
  if (!hasItsId(key)) throw fault(`the key of ${name} has another id than follows from it: copy it again`);
  if (url === undefined)
    throw fault(`the witness ${name} has no address: add the one that takes checkpoints, such as https://w.example/w1`);
  if (!isAddress(url))
    throw fault(`the address of ${name} must be like https://w.example/w1, without user, query and fragment`);
  return { name, key, url: url.replace(/\/+$/, '') };
};

/** Checks that a policy with logs names this one. */
const checkLogs = (source: PolicyFile, logs: readonly PolicyLog[], keys: readonly LogKey[]): void => {
  const origin = keys[0]?.name;
  const other = logs.find(({ key }) => key.name !== origin);
  if (other)
    throw createLineError(source, 'log', other, `it is for the log ${other.key.name}, and LOG_KEY is for ${origin}`);
  const own = new Set(keys.map(({ verifierKey }) => verifierKey));
  if (logs.length > 0 && !logs.some(({ key }) => own.has(formatVerifierKey(key))))
    throw createPolicyError(source.file, `no log line has the key of LOG_KEY: add "log ${keys[0]?.verifierKey}"`);
};

const parsePolicyFile = ({ file, text }: PolicyFile): Policy => {
  try {
    return parsePolicy(text);
  } catch (error) {
    throw createPolicyError(file, `${(error as Error).message}. The form is in docs/operating/record.md#witnesses`);
  }
};

/** Returns the lines of a policy file about witnesses, without addresses. */
const selectReaderLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.split(/[ \t]+/).filter((word) => word !== ''))
    .filter(([keyword = '#']) => keyword !== 'log' && !keyword.startsWith('#'))
    .map((words) => (words[0] === 'witness' ? words.slice(0, 3) : words).join(' '));

/**
 * Reads the witnesses that sign checkpoints: a policy (c2sp.org/tlog-policy) whose witnesses have addresses.
 * @param keys signing keys of the log
 * @throws DomainError invalid_setting with the file, the line and the cure
 */
export const readWitnesses = async (file: string, keys: readonly LogKey[]): Promise<Witnesses> => {
  if (keys.length === 0)
    throw createPolicyError(file, 'witnesses sign what the log has signed, and LOG_KEY is not set');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw createPolicyError(
      file,
      `it cannot be read (${error.code}): it must be a file that the user of the service can read`,
    );
  });
  const source = { file, text };
  const { logs, witnesses, quorum } = parsePolicyFile(source);
  checkLogs(source, logs, keys);
  if (witnesses.length === 0)
    throw createPolicyError(file, 'it names no witness: add lines like "witness NAME VERIFIER_KEY URL"');
  return { asked: witnesses.map((witness) => checkWitness(source, witness)), quorum, lines: selectReaderLines(text) };
};

/** Returns the reader policy: the keys of the log and its witnesses. */
export const formatReaderPolicy = (keys: readonly LogKey[], witnesses: Witnesses | undefined): string =>
  [
    '# The operator of this log says this: it proves nothing about the operator.',
    ...keys.map(({ verifierKey }) => `log ${verifierKey}`),
    ...(witnesses?.lines ?? ['quorum none']),
  ]
    .map((line) => `${line}\n`)
    .join('');
