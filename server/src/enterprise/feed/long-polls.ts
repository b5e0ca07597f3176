import { setTimeout as sleep } from 'node:timers/promises';

/** Interval between checks for new entries while a request waits. */
const LOOK_MS = 200;
/** Maximum waiting requests of all organisations in one process. Each holds a connection. */
const MOST_WAITING = 1000;

/** The place of a waiting request. */
export interface WaitingPlace {
  /** Resolves to true when there are more entries than `size`, and to false after `ms`, or if waiting has ended. */
  readonly untilGrown: (size: number, ms: number) => Promise<boolean>;
  /** Gives up the place and ends its waiting. */
  readonly leave: () => void;
}

interface Waiter {
  readonly size: number;
  readonly wake: (isGrown: boolean) => void;
}

export interface LongPollParts {
  /** Returns the number of readable entries. */
  readonly readSize: () => Promise<number>;
  readonly onFault: (error: unknown) => void;
}

/**
 * Requests of this process that wait for new entries. One loop checks for all of them, and only while a request waits.
 * The limits are per process: with several processes an organisation may have as many places in each.
 */
export const createLongPolls = ({ readSize, onFault }: LongPollParts) => {
  const waiters = new Set<Waiter>();
  const places = new Map<string, number>();
  let [taken, isEnding, isLooking, isFaulty] = [0, false, false, false];

  const pollOnce = async (): Promise<void> => {
    try {
      const size = await readSize();
      isFaulty = false;
      for (const waiter of [...waiters]) if (size > waiter.size) waiter.wake(true);
    } catch (error) {
      if (!isFaulty) onFault(error);
      isFaulty = true;
    }
  };
  const pollSize = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    while (waiters.size > 0) {
      await pollOnce();
      if (waiters.size > 0) await sleep(LOOK_MS, undefined, { ref: false });
    }
    isLooking = false;
  };

  const createPlace = (free: () => void): WaitingPlace => {
    let wake: ((isGrown: boolean) => void) | undefined;
    let hasLeft = false;
    const untilGrown = (size: number, ms: number): Promise<boolean> =>
      new Promise((resolve) => {
        const late = setTimeout(() => wake?.(false), ms);
        wake = (isGrown) => {
          clearTimeout(late);
          waiters.delete(waiter);
          resolve(isGrown);
        };
        const waiter: Waiter = { size, wake };
        if (isEnding || hasLeft) wake(false);
        else waiters.add(waiter);
        void pollSize();
      });
    const leave = (): void => {
      if (hasLeft) return;
      hasLeft = true;
      free();
      wake?.(false);
    };
    return { untilGrown, leave };
  };

  return {
    /** Takes a place; if there is none, returns whose limit is reached. */
    take: (organisation: string, most: number): WaitingPlace | 'organisation' | 'process' => {
      const own = places.get(organisation) ?? 0;
      if (own >= most) return 'organisation';
      if (taken >= MOST_WAITING) return 'process';
      places.set(organisation, own + 1);
      taken++;
      return createPlace(() => {
        taken--;
        const left = (places.get(organisation) ?? 0) - 1;
        if (left > 0) places.set(organisation, left);
        else places.delete(organisation);
      });
    },
    /** Ends all waiting, from now on. */
    end: (): void => {
      isEnding = true;
      for (const waiter of [...waiters]) waiter.wake(false);
    },
  };
};
export type LongPolls = ReturnType<typeof createLongPolls>;
