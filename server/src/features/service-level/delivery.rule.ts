import type { VerifierKey } from '@broker-transparency/log';
import {
  type DayProber,
  formatResult,
  hashResult,
  mayReport,
  minuteNumber,
  ProbeResult,
  signedText,
} from '@broker-transparency/service-level';
import { sha256 } from '../../platform/sha256.rule.ts';
import { packFigures } from './figures.rule.ts';
import { AHEAD_MINUTES, MOST_LINES } from './policy.rule.ts';
import { parseSignature } from './signed.rule.ts';

/** Verifies a raw Ed25519 signature. */
type VerifyLine = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean | Promise<boolean>;

/** A line with its hash, which the next line names. */
export interface DeliveryLine {
  readonly text: string;
  readonly figures: string;
  readonly previous: string | null;
  readonly hash: string;
}

/** The reason why a delivery is refused, with the number of the faulty line, from 1. */
export interface LineFault {
  readonly line: number;
  readonly why: string;
}

/** The requirements on a delivery. */
export interface DeliveryTarget {
  readonly key: VerifierKey;
  readonly date: string;
  readonly vote: Pick<DayProber, 'since' | 'until'>;
  readonly now: Date;
}

/** Returns the fault of a single result, or undefined. */
const findResultFault = (
  result: ProbeResult,
  text: string,
  { key, date, vote, now }: DeliveryTarget,
): string | undefined => {
  const minute = minuteNumber(result.minute);
  if (formatResult(result) !== text) return 'it is not in its canonical form (RFC 8785)';
  if (result.prober !== key.name) return `it is of the prober ${result.prober}, not ${key.name}`;
  if (!result.minute.startsWith(date)) return `it is about ${result.minute.slice(0, 10)}, not ${date}`;
  if (minute > minuteNumber(now.toISOString()) + AHEAD_MINUTES) return `${result.minute} is in the future`;
  if (!mayReport(vote, minute)) return `${key.name} had no vote at ${result.minute}`;
  return undefined;
};

const parseResult = (text: string): ProbeResult | string => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'it is no JSON';
  }
  const { data, error } = ProbeResult.safeParse(json);
  const [issue] = error?.issues ?? [];
  return data ?? `${issue?.path.join('.') || 'the line'}: ${issue?.message}`;
};

const isSigned = async (result: ProbeResult, { publicKey }: VerifierKey, verify: VerifyLine): Promise<boolean> => {
  const signature = parseSignature(result.signature ?? '');
  return signature !== undefined && verify(publicKey, Buffer.from(signedText(result)), signature);
};

/** Reads the lines of a delivery: the last line is signed, and each other line matches the hash in the next one. */
export const readDelivery = async (
  body: string,
  of: DeliveryTarget,
  verify: VerifyLine,
): Promise<readonly DeliveryLine[] | LineFault> => {
  const texts = body.split('\n').filter((line) => line !== '');
  if (texts.length === 0) return { line: 1, why: 'there is none' };
  if (texts.length > MOST_LINES) return { line: MOST_LINES + 1, why: 'a day has fewer lines' };
  const lines: DeliveryLine[] = [];
  let named: string | null | undefined;
  for (let at = texts.length - 1; at >= 0; at--) {
    const text = texts[at] as string;
    const result = parseResult(text);
    if (typeof result === 'string') return { line: at + 1, why: result };
    const why = findResultFault(result, text, of);
    if (why !== undefined) return { line: at + 1, why };
    if (named === undefined && !(await isSigned(result, of.key, verify)))
      return { line: at + 1, why: 'it is the last one, and it is not signed by the key of the prober' };
    const own = hashResult(result, sha256);
    if (named !== undefined && named !== own)
      return { line: at + 2, why: '"previous" is not the hash of the line before' };
    lines.push({ text, figures: packFigures([result]), previous: result.previous, hash: own });
    named = result.previous;
  }
  return lines.reverse();
};

/** Returns the hash of a stored line. */
export const hashLine = (text: string): string => hashResult(JSON.parse(text) as ProbeResult, sha256);

/** Returns true if the last line of a delivery has this hash, so that nothing in it is new. */
export const hasLastLine = (body: string, head: string): boolean => {
  const last = parseResult(body.slice(body.trimEnd().lastIndexOf('\n') + 1));
  return typeof last !== 'string' && hashResult(last, sha256) === head;
};

/**
 * Returns the lines to append to the stored ones: all, or those after a part that is already stored; undefined if they
 * do not continue the stored ones.
 * @param head hash of the last stored line
 */
export const selectNewLines = (
  lines: readonly DeliveryLine[],
  head: string | null,
): readonly DeliveryLine[] | undefined => {
  if (lines[0]?.previous === head) return lines;
  const at = lines.findLastIndex(({ hash: own }) => own === head);
  return at < 0 ? undefined : lines.slice(at + 1);
};
