import type { ServerResponse } from 'node:http';

/** After its deadline a request has its answer: what is left is a caller who reads it slowly. */
const HELD_MS = 2000;
/** How many requests may wait for their bodies, for each that may be in flight. */
const AWAITED_PER_PLACE = 4;

/** The place of a request among those that are worked on. */
interface Place {
  readonly leave: () => void;
  readonly takeAgain: () => void;
}
const places = new WeakMap<ServerResponse, Place>();

/** The request waits for its own body: somebody else can have its place. */
export const leavePlace = (res: ServerResponse): void => places.get(res)?.leave();

/** The body is there. */
export const takePlaceAgain = (res: ServerResponse): void => places.get(res)?.takeAgain();

/** Counts requests that are worked on, and those that wait for their bodies. */
export const createInFlight = (most: number, room: () => number) => {
  let count = 0;
  let awaited = 0;
  /** Counts one until it is answered, which the returned function tells, or its deadline has passed. */
  const begin = (): (() => void) => {
    count++;
    let counted = true;
    const end = (): void => {
      if (!counted) return;
      counted = false;
      count--;
      clearTimeout(held);
    };
    const held = setTimeout(end, HELD_MS).unref();
    return end;
  };
  const awaitBody = (): (() => void) => {
    awaited++;
    return () => awaited--;
  };
  return {
    count: (): number => count,
    /** How many wait for their bodies. */
    awaited: (): number => awaited,
    isFull: (): boolean => count >= room(),
    /** Whether so many bodies are awaited that there is room for no other. */
    isFullOfBodies: (): boolean => awaited >= most * AWAITED_PER_PLACE,
    begin,
    /** Counts a request from its head until it is closed, except while it waits for its body. */
    hold: (res: ServerResponse): void => {
      let end: () => void = begin();
      const move = (next: () => () => void) => (): void => {
        end();
        end = next();
      };
      places.set(res, { leave: move(awaitBody), takeAgain: move(begin) });
      res.once('close', () => {
        places.delete(res);
        end();
      });
    },
  };
};
