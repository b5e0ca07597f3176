import { setImmediate as turn } from 'node:timers/promises';
import { MAJORITY_READ } from './schema.ts';

/** Options for a batched read. Later callers wait behind it, so it must fail sooner than the socket times out. */
export const BATCHED_READ = { maxTimeMS: 1500, ...MAJORITY_READ } as const;

/**
 * Combines many queries into one. A caller that asks while a query is running shares the next one, so no result is
 * older than the request for it.
 * @param ask runs one query for all keys and returns a lookup of the result by key
 */
export const batchLoader = <T>(ask: (keys: string[]) => Promise<(key: string) => T>) => {
  let last: Promise<unknown> = Promise.resolve();
  let next: { readonly keys: Set<string>; readonly answer: Promise<(key: string) => T> } | undefined;
  const plan = () => {
    const keys = new Set<string>();
    // waits one turn of the event loop, so that requests that have arrived on other connections join
    const answer = Promise.all([last, turn()]).then(() => {
      next = undefined;
      return ask([...keys]);
    });
    last = answer.catch(() => {}); // the callers get the error
    return { keys, answer };
  };
  return async (key: string): Promise<T> => {
    next ??= plan();
    const { keys, answer } = next;
    keys.add(key);
    return (await answer)(key);
  };
};

/** Returns a batch loader for documents by id. It resolves to null for an id that is not found. */
export const batchLoaderById = <T extends { readonly _id: string }>(find: (ids: string[]) => Promise<T[]>) =>
  batchLoader(async (ids) => {
    const found = new Map((await find(ids)).map((document) => [document._id, document]));
    return (id) => found.get(id) ?? null;
  });
