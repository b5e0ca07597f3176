import { computeSubtreesRoot, hashSubtrees, leafInput, type Sha256, toBase64 } from '@broker-transparency/log';
import { type ProbeResult, signedText } from './result.ts';

/** A prober that was registered on a day. */
export interface DayProber {
  readonly name: string;
  /** Verifier key: `name+id+base64`. */
  readonly key: string;
  /** First minute of its vote. */
  readonly since: string;
  /** Up to this minute, excluded; absent: it still has one. */
  readonly until?: string | undefined;
  /** Number of results that arrived. */
  readonly lines: number;
  /** Hash of the last line; null if there is none. */
  readonly head: string | null;
}

/** The value of the entry `service-level/<YYYY-MM-DD>`: all results about a day, written once they cannot change. */
export interface ServiceLevelDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Version of the objectives that count for it. */
  readonly objectives: string;
  /** Ordered by name. */
  readonly probers: readonly DayProber[];
  /** Root of the Merkle tree over every result, prober by prober, in the order of their files. */
  readonly root: string;
}

/** Returns the root over the results of a day. */
export const computeResultsRoot = (probers: readonly (readonly ProbeResult[])[], sha256: Sha256): string => {
  const leaves = probers.flat().map((result) => sha256(leafInput(new TextEncoder().encode(signedText(result)))));
  return toBase64(computeSubtreesRoot(hashSubtrees(leaves, sha256), sha256));
};
