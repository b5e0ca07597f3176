import type { Policy } from '@broker-transparency/log';
import { BrokerTransparencyError } from '../base-error.ts';
import type { ProvenEntries } from '../generated/record.ts';
import { checkStanding, type VerifiedCheckpoint } from '../verify/checkpoint.ts';
import { verifyConsistency } from '../verify/consistency.ts';
import { VerifyError } from '../verify/error.ts';

/**
 * Keeps the newest checkpoint between processes. Whatever it throws, the call rejects with.
 * @example
 * const store: CheckpointStore = {
 *   load: () => localStorage.getItem('checkpoint') ?? undefined,
 *   save: (checkpoint) => localStorage.setItem('checkpoint', checkpoint),
 * };
 */
export interface CheckpointStore {
  /** Returns the text that was saved last; undefined at first. */
  readonly load: () => string | undefined | Promise<string | undefined>;
  /** Replaces it. */
  readonly save: (checkpoint: string) => unknown;
}

/** @throws BrokerTransparencyError if the text is no checkpoint of a log of the policy */
const checkKept = async (text: string, trusted: Policy): Promise<VerifiedCheckpoint> => {
  try {
    return await checkStanding(text, trusted);
  } catch (error) {
    if (error instanceof VerifyError && error.code === 'unsupported') throw error;
    const message = 'the store of the verifier has no checkpoint of a log of the policy: delete it';
    throw new BrokerTransparencyError(message, { cause: error });
  }
};

/** @throws VerifyError unless the newer checkpoint continues the kept one */
const requireGrowth = async (
  kept: VerifiedCheckpoint,
  newer: VerifiedCheckpoint | undefined,
  hashes: ProvenEntries['consistency'],
): Promise<void> => {
  if (newer && newer.size >= kept.size) return verifyConsistency(kept, newer, hashes ?? []);
  const has = newer ? `has ${newer.size} now` : 'has no checkpoint now';
  throw new VerifyError('not_consistent', `the log ${kept.origin} had ${kept.size} entries, and ${has}`);
};

/** Requests entries, with the proof that the log continues a checkpoint of so many entries. */
export type EntryReader = (since: number) => Promise<ProvenEntries>;

/** Creates a function that reads entries, one request after the other, and checks that the log only grows. */
export const createGrowthCheck = (policy: () => Promise<Policy>, store: CheckpointStore | undefined) => {
  let kept: VerifiedCheckpoint | undefined;
  let isLoaded = store === undefined;
  let last: Promise<unknown> = Promise.resolve();

  const readNext = async (read: EntryReader) => {
    const trusted = await policy();
    if (!isLoaded) {
      const text = await store?.load();
      if (text !== undefined) kept = await checkKept(text, trusted);
      isLoaded = true;
    }
    const answer = await read(kept?.size ?? 0);
    const checkpoint = answer.checkpoint === null ? undefined : await checkStanding(answer.checkpoint, trusted);
    if (kept) await requireGrowth(kept, checkpoint, answer.consistency);
    if (checkpoint && checkpoint.size !== kept?.size) await store?.save(answer.checkpoint as string);
    kept = checkpoint;
    return { data: answer.data, checkpoint };
  };
  return (read: EntryReader): ReturnType<typeof readNext> => {
    const next = last.then(() => readNext(read));
    last = next.catch(() => {}); // the caller gets the error
    return next;
  };
};
