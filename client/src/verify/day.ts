import { type DayPart, fromBase64, leafInput, verifyInclusion } from '@broker-transparency/log';
import { parsing, VerifyError } from './error.ts';
import { sha256 } from './platform.ts';

/** The score of a broker on a day, as the entry of that day has it. */
export interface VerifiedScore {
  /** The day, such as `2026-11-23`: the score is that of 00:00 UTC. */
  readonly date: string;
  readonly slug: string;
  /** From 0 to 100; null for a broker without a score. */
  readonly value: number | null;
  readonly color: string;
}

/** The tree in the entry of a day. */
interface DayTree {
  readonly date: string;
  readonly count: number;
  readonly root: Uint8Array;
}

const parseDayEntry = (entry: unknown): DayTree => {
  const { kind, value } = (entry ?? {}) as { kind?: unknown; value?: Partial<Record<string, unknown>> };
  const { date, count, root } = value ?? {};
  if (kind !== 'day' || typeof date !== 'string' || typeof count !== 'number' || typeof root !== 'string')
    throw new SyntaxError('expected an entry of the kind day, with date, count and root');
  return { date, count, root: fromBase64(root) };
};

const parseScoreLeaf = (leaf: Uint8Array): Omit<VerifiedScore, 'date'> => {
  const [slug, value, color] = JSON.parse(new TextDecoder().decode(leaf));
  if (typeof slug !== 'string' || typeof color !== 'string' || (value !== null && typeof value !== 'number'))
    throw new SyntaxError('expected slug, value and color');
  return { slug, value, color };
};

/**
 * Verifies that a score is in the tree of a day.
 * @param entry the entry of the day, which the log proves
 * @throws VerifyError
 */
export const checkDay = async (part: DayPart, entry: unknown): Promise<VerifiedScore> => {
  const { date, count, root } = parsing('malformed', 'the entry of the day', () => parseDayEntry(entry));
  if (part.count !== count)
    throw new VerifyError('not_in_day', `the proof is for ${part.count} scores; the entry of ${date} has ${count}`);
  const leafHash = await sha256(leafInput(part.leaf));
  const claim = { index: part.index, size: count, root, leafHash, proof: part.hashes };
  if (!(await verifyInclusion(claim, sha256)))
    throw new VerifyError('not_in_day', `the score is not what the entry of ${date} has as number ${part.index}`);
  return { date, ...parsing('malformed', 'the score', () => parseScoreLeaf(part.leaf)) };
};
