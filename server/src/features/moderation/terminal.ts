import { randomUUID } from 'node:crypto';
import { actorName } from '../../ledger/audit/store.ts';
import type { Context } from '../../ledger/context.ts';
import { claimForTerminal } from '../reviews/claims.ts';
import { countPersonReviews, countReviews } from '../reviews/facts.ts';
import { releaseUndecided } from './held.ts';
import { iterateHinted, type QueuedReview, type QueueFilter, type ShownReview, toStoredFilter } from './queue.ts';

/** A review, and the numbers of its author's reviews by state. */
export type TerminalReview = QueuedReview & Pick<ShownReview, 'ofAuthor'>;

/** The pending reviews that one terminal handles, one after the other. */
export interface ReviewTerminal {
  /** Claims the oldest review that is free for this terminal; undefined if there is none. */
  readonly next: () => Promise<TerminalReview | undefined>;
  /** Releases an undecided review. This terminal does not get it again. */
  readonly release: (id: string) => Promise<void>;
  /** Number of waiting reviews, including claimed ones. */
  readonly waiting: () => Promise<number>;
}

/**
 * Opens a terminal onto the queue. No other terminal gets a review that this one shows, not even one of the same
 * moderator.
 * @throws DomainError broker_not_found
 */
export const openTerminal = async (context: Context, { hint, ...filter }: QueueFilter): Promise<ReviewTerminal> => {
  const terminal = randomUUID();
  const stored = { ...(await toStoredFilter(context.db, filter)), status: 'pending' } as const;
  const taken = new Set<string>();
  const searchQueue = () =>
    iterateHinted(context.db, { ...stored, free: { by: actorName(context.actor), at: context.clock() } }, hint);
  let waiting = searchQueue();
  const claimNextFree = async (): Promise<TerminalReview | undefined> => {
    for (;;) {
      const { value, done } = await waiting.next();
      if (done || value === undefined) return undefined;
      if (taken.has(value.id)) continue;
      const claimed = await claimForTerminal(context, value.id, terminal);
      if (!claimed) continue;
      taken.add(value.id);
      const ofAuthor = await countPersonReviews(context.db, value.personKey);
      return { ...value, ofAuthor, ...(claimed.claim ? { claim: claimed.claim } : {}) };
    }
  };
  return {
    next: async () => {
      const found = await claimNextFree();
      if (found) return found;
      waiting = searchQueue(); // includes new and released reviews
      return claimNextFree();
    },
    release: (id) => releaseUndecided(context, id),
    waiting: () => countReviews(context.db, stored),
  };
};
