import { setImmediate as turn } from 'node:timers/promises';
import { MAJORITY_READ } from './schema.ts';

/** For a read that others wait behind: it must not hang as long as a connection may. */
export const BATCHED_READ = { maxTimeMS: 1500, ...MAJORITY_READ } as const;

/**
 * Makes one question of many: who asks while one is under way shares the next one. So no answer is older than its asking, as
 * if each had asked alone.
 */
export const batchLoader = <T>(ask: (keys: string[]) => Promise<(key: string) => T>) => {
  let last: Promise<unknown> = Promise.resolve();
  let next: { readonly keys: Set<string>; readonly answer: Promise<(key: string) => T> } | undefined;
  const plan = () => {
    const keys = new Set<string>();
    // what has arrived on other connections comes along
    const answer = Promise.all([last, turn()]).then(() => {
      next = undefined;
      return ask([...keys]);
    });
    last = answer.catch(() => {}); // those who asked hear of it
    return { keys, answer };
  };
  return async (key: string): Promise<T> => {
    next ??= plan();
    const { keys, answer } = next;
    keys.add(key);
    return (await answer)(key);
  };
};

/** The same for documents by their id; null where there is none. */
export const batchLoaderById = <T extends { readonly _id: string }>(find: (ids: string[]) => Promise<T[]>) =>
  batchLoader(async (ids) => {
    const found = new Map((await find(ids)).map((document) => [document._id, document]));
    return (id) => found.get(id) ?? null;
  });
