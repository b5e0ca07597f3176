import type { Ed25519Verify, Sha256, VerifierKey } from '@broker-transparency/log';
import { fromBase64 } from '@broker-transparency/log';
import { resultProblem } from './line.ts';
import { hashResult, type ProbeResult, signedText } from './result.ts';

/** A fault in a prober's file. */
export interface FileProblem {
  /** Number of the line, from 1. */
  readonly line: number;
  readonly why: string;
}

/** The part of a prober's file of one day that counts. */
export interface DayFile {
  readonly results: readonly ProbeResult[];
  /** Hash of the last line that counts; null if none does. */
  readonly head: string | null;
  readonly problems: readonly FileProblem[];
}

/** The requirements on a file. */
export interface DayFileTarget {
  readonly key: VerifierKey;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

/** The platform's functions for hashes and signatures. */
export interface CryptoFunctions {
  readonly sha256: Sha256;
  readonly verify: Ed25519Verify;
}

/** Returns the result in a line, or what is wrong with it. */
const parseLine = (line: string, { key, date }: DayFileTarget): ProbeResult | string => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return 'it is no JSON';
  }
  const problem = resultProblem(parsed);
  if (problem !== undefined) return problem;
  const data = parsed as ProbeResult;
  if (data.prober !== key.name) return `it is of the prober ${data.prober}, not ${key.name}`;
  if (!data.minute.startsWith(date)) return `it is about ${data.minute.slice(0, 10)}, not ${date}`;
  return data;
};

/** Returns the bytes of a signature; undefined if it is not canonical base64. */
const parseSignature = (text: string): Uint8Array | undefined => {
  try {
    return fromBase64(text);
  } catch {
    return undefined;
  }
};

const isSigned = async (result: ProbeResult, key: VerifierKey, verify: Ed25519Verify): Promise<boolean> => {
  const signature = result.signature === undefined ? undefined : parseSignature(result.signature);
  return signature !== undefined && verify(key.publicKey, new TextEncoder().encode(signedText(result)), signature);
};

/**
 * Reads a prober's file of one day. A line counts if it is signed, or if the next line that counts names its hash:
 * so one signature at the end is enough, and a changed line is found where it is.
 */
export const readDayFile = async (
  text: string,
  of: DayFileTarget,
  { sha256, verify }: CryptoFunctions,
): Promise<DayFile> => {
  const lines = text.split('\n').filter((line) => line !== '');
  const problems: FileProblem[] = [];
  const results: ProbeResult[] = [];
  let expected: string | null | undefined; // undefined if nothing after this line counts
  for (let at = lines.length - 1; at >= 0; at--) {
    const result = parseLine(lines[at] as string, of);
    const problem = (why: string): void => void problems.push({ line: at + 1, why });
    if (typeof result === 'string') {
      problem(result);
      expected = undefined;
      continue;
    }
    if (expected === undefined || hashResult(result, sha256) !== expected) {
      const signed = await isSigned(result, of.key, verify);
      if (!signed) {
        problem(
          result.signature !== undefined
            ? 'it was changed: its signature is wrong'
            : expected !== undefined
              ? 'it was changed, or lines behind it are missing: the next line continues another one'
              : 'no signature covers it',
        );
        expected = undefined;
        continue;
      }
      if (expected !== undefined) problem('lines behind it are missing or changed');
    }
    results.push(result);
    expected = result.previous;
  }
  if (expected !== undefined && expected !== null) problems.push({ line: 1, why: 'lines before it are missing' });
  results.reverse();
  const last = results.at(-1);
  return { results, head: last ? hashResult(last, sha256) : null, problems: problems.reverse() };
};
