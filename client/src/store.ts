import { parse } from './answer.ts';
import { report } from './report.ts';

/**
 * An answer kept with its version.
 * @example const kept: KeptAnswer = { etag: '"4Xr0bW1c9kq2"', body: '{"data":[]}' };
 */
export interface KeptAnswer {
  readonly etag: string;
  /** The body as it came. */
  readonly body: string;
}

/**
 * Keeps answers by their address, so that the API need not send again what has not changed. Where it fails, the call
 * goes on without it and `console.error` says so. All answers kept are public.
 * @example
 * const store: AnswerStore = {
 *   get: async (url) => JSON.parse((await redis.get(url)) ?? 'null') ?? undefined,
 *   set: (url, kept) => redis.set(url, JSON.stringify(kept), 'EX', 3600),
 * };
 */
export interface AnswerStore {
  /** The answer kept for an address; undefined where there is none. */
  get(url: string): KeptAnswer | undefined | Promise<KeptAnswer | undefined>;
  /** Keeps an answer in the place of an earlier one. Its promise is awaited. */
  set(url: string, kept: KeptAnswer): unknown;
}

/** What a kept answer says, read. */
export interface ReadAnswer {
  readonly etag: string;
  readonly data: object;
}

const trying = async <T>(work: () => T | Promise<T>): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    report('the answer store failed', error);
    return undefined;
  }
};

const ENTITY_TAG = /^(W\/)?"[!#-~]*"$/;

/** What is kept for an address. What a store gives that is no answer counts as none: it may hold what others wrote. */
export const readStore = async (store: AnswerStore, url: string): Promise<ReadAnswer | undefined> => {
  const { etag, body }: { etag?: unknown; body?: unknown } = (await trying(() => store.get(url))) ?? {};
  if (typeof etag !== 'string' || typeof body !== 'string' || !ENTITY_TAG.test(etag)) return undefined;
  const data = parse(body);
  return data instanceof Object ? { etag, data } : undefined;
};

/** Keeps an answer. */
export const writeStore = (store: AnswerStore, url: string, kept: KeptAnswer): Promise<unknown> =>
  trying(() => store.set(url, kept));

/**
 * Keeps the answers used last in memory.
 * @param maxCharacters of all kept bodies, versions and addresses; 4 000 000 by default, about 8 MB at most
 * @example createClient({ baseUrl, store: memoryStore(500_000) });
 */
export const memoryStore = (maxCharacters = 4_000_000): AnswerStore => {
  const all = new Map<string, KeptAnswer>();
  let size = 0;
  const sizeOf = (url: string, { etag, body }: KeptAnswer) => url.length + etag.length + body.length;
  const remove = (url: string): KeptAnswer | undefined => {
    const kept = all.get(url);
    if (kept !== undefined) size -= sizeOf(url, kept);
    all.delete(url);
    return kept;
  };
  const set = (url: string, kept: KeptAnswer) => {
    remove(url);
    all.set(url, kept);
    size += sizeOf(url, kept);
    // A map gives its keys in the order they came in.
    for (const oldest of all.keys()) {
      if (size <= maxCharacters) break;
      remove(oldest);
    }
  };
  return {
    get: (url) => {
      const kept = remove(url);
      if (kept !== undefined) set(url, kept);
      return kept;
    },
    set,
  };
};
