import { sameBytes } from './bytes.ts';
import { wrongLine } from './lines.ts';
import { parseVerifierKey, SIGNATURE_TYPES, type SignatureType, type VerifierKey } from './note.ts';

/*
 * c2sp.org/tlog-policy: the logs that a reader accepts, and the number of witnesses that must have seen a checkpoint.
 */

/** A log that a policy accepts. The name of its key is its origin. */
export interface PolicyLog {
  readonly key: VerifierKey;
  readonly url: string | undefined;
}

/** A witness that a policy knows. */
export interface PolicyWitness extends PolicyLog {
  /** Its name in the policy, which may differ from the one of its key. */
  readonly name: string;
}

/**
 * A group: `threshold` of its members must have seen a checkpoint. A member is the name of a witness, or another group.
 */
export interface Quorum {
  readonly threshold: number;
  readonly members: readonly (string | Quorum)[];
}

/** A policy file, parsed. */
export interface Policy {
  readonly logs: readonly PolicyLog[];
  readonly witnesses: readonly PolicyWitness[];
  /** With `quorum none` its threshold is 0. */
  readonly quorum: Quorum;
}

/** Definitions of the lines so far. */
interface PolicyDraft {
  readonly logs: PolicyLog[];
  readonly witnesses: PolicyWitness[];
  readonly names: Map<string, string | Quorum>;
  /** Names that are members of a group. */
  readonly members: Set<string>;
  quorum?: Quorum;
}

interface Line {
  readonly number: number;
  readonly words: readonly string[];
}

const NONE = 'none';

const keyIn = ({ number }: Line, text: string | undefined, type: SignatureType, others: readonly PolicyLog[]) => {
  const parse = () => {
    try {
      return parseVerifierKey(text ?? '');
    } catch (error) {
      throw new SyntaxError((error as Error).message.replace('line 1', `line ${number}`));
    }
  };
  const key = parse();
  if (key.type !== type) throw wrongLine(number, `a key of type ${type}`, `type ${key.type}`);
  if (others.some((other) => sameBytes(other.key.publicKey, key.publicKey)))
    throw wrongLine(number, 'a key that no line before has', text);
  return key;
};

const newName = ({ names }: PolicyDraft, { number, words }: Line): string => {
  const name = words[1];
  if (name === undefined || name === NONE || names.has(name)) throw wrongLine(number, 'a new name', name ?? 'the end');
  return name;
};

const definedAt = ({ names }: PolicyDraft, { number, words }: Line, at: number): string | Quorum => {
  const named = names.get(words[at] ?? '');
  if (named === undefined) throw wrongLine(number, 'the name of a witness or group defined before', words[at]);
  return named;
};

const memberAt = (draft: PolicyDraft, line: Line, at: number): string | Quorum => {
  const member = definedAt(draft, line, at);
  const name = line.words[at] as string;
  // a witness in two groups would count twice
  if (draft.members.has(name)) throw wrongLine(line.number, 'a name that is in no other group', name);
  draft.members.add(name);
  return member;
};

const thresholdIn = ({ number, words }: Line, members: number): number => {
  const text = words[2] ?? '';
  const threshold = text === 'any' ? 1 : text === 'all' ? members : /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0;
  if (threshold < 1 || threshold > members) throw wrongLine(number, `any, all or a number from 1 to ${members}`, text);
  return threshold;
};

const KEYWORDS: Readonly<
  Record<string, { readonly most: number; readonly read: (draft: PolicyDraft, line: Line) => void }>
> = {
  log: {
    most: 3,
    read: ({ logs }, line) => {
      logs.push({ key: keyIn(line, line.words[1], SIGNATURE_TYPES.ed25519, logs), url: line.words[2] });
    },
  },
  witness: {
    most: 4,
    read: (draft, line) => {
      const name = newName(draft, line);
      const key = keyIn(line, line.words[2], SIGNATURE_TYPES.cosignature, draft.witnesses);
      draft.witnesses.push({ name, key, url: line.words[3] });
      draft.names.set(name, name);
    },
  },
  group: {
    most: Infinity,
    read: (draft, line) => {
      const name = newName(draft, line);
      const count = line.words.length - 3;
      if (count < 1) throw wrongLine(line.number, 'group, a name, a threshold and members', line.words.join(' '));
      const threshold = thresholdIn(line, count);
      const members = Array.from({ length: count }, (_, at) => memberAt(draft, line, at + 3));
      draft.names.set(name, { threshold, members });
    },
  },
  quorum: {
    most: 2,
    read: (draft, line) => {
      if (draft.quorum !== undefined) throw wrongLine(line.number, 'one quorum', line.words.join(' '));
      if (line.words[1] === NONE) draft.quorum = { threshold: 0, members: [] };
      else {
        const named = definedAt(draft, line, 1);
        draft.quorum = typeof named === 'string' ? { threshold: 1, members: [named] } : named;
      }
    },
  },
};

const readLine = (draft: PolicyDraft, text: string, number: number): void => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the format forbids exactly these
  if (/[\u0000-\u0008\u000A-\u001F\u007F]/.test(text)) throw wrongLine(number, 'no control characters', text);
  const words = text.split(/[ \t]+/).filter((word) => word !== '');
  const [first = '#'] = words;
  if (first.startsWith('#')) return;
  const keyword = Object.hasOwn(KEYWORDS, first) ? KEYWORDS[first] : undefined;
  if (keyword === undefined) throw wrongLine(number, 'log, witness, group or quorum', first);
  if (words.length > keyword.most) throw wrongLine(number, 'the end of the line', words[keyword.most]);
  keyword.read(draft, { number, words });
};

/**
 * Parses a policy. Keys are of type 1 for logs and of type 4 for witnesses: this service has no others. Their ids are
 * not checked; see {@link parseVerifierKey}.
 * @throws SyntaxError that names the line
 * @example parsePolicy('quorum none\n').quorum // { threshold: 0, members: [] }
 */
export const parsePolicy = (text: string): Policy => {
  const draft: PolicyDraft = { logs: [], witnesses: [], names: new Map(), members: new Set() };
  const lines = text.split('\n');
  lines.forEach((line, at) => {
    readLine(draft, line, at + 1);
  });
  const { logs, witnesses, quorum } = draft;
  if (quorum === undefined) throw wrongLine(lines.length, 'a quorum', 'the end');
  return { logs, witnesses, quorum };
};

/**
 * Returns whether enough witnesses have cosigned.
 * @param cosigned names of the witnesses whose cosignatures are valid
 * @example isReached({ threshold: 2, members: ['a', 'b', 'c'] }, new Set(['a', 'c'])) // true
 */
export const isReached = ({ threshold, members }: Quorum, cosigned: ReadonlySet<string>): boolean => {
  const reached = members.filter((member) =>
    typeof member === 'string' ? cosigned.has(member) : isReached(member, cosigned),
  );
  return reached.length >= threshold;
};

/**
 * Returns the smallest number of witnesses that reaches a quorum.
 * @example fewestWitnesses({ threshold: 2, members: ['a', { threshold: 2, members: ['b', 'c'] }] }) // 3
 */
export const fewestWitnesses = ({ threshold, members }: Quorum): number =>
  members
    .map((member) => (typeof member === 'string' ? 1 : fewestWitnesses(member)))
    .sort((one, other) => one - other)
    .slice(0, threshold)
    .reduce((sum, witnesses) => sum + witnesses, 0);
