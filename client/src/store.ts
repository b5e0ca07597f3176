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
 * Keeps answers by their address, so that the API need not send again what has not changed. What it throws, the call
 * throws. All answers kept are public.
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

/**
 * Keeps the answers used last in memory.
 * @param maxCharacters of all kept bodies; 4 000 000 by default, about 8 MB at most
 * @example createClient({ baseUrl, store: memoryStore(500_000) });
 */
export const memoryStore = (maxCharacters = 4_000_000): AnswerStore => {
  const all = new Map<string, KeptAnswer>();
  let size = 0;
  const remove = (url: string): KeptAnswer | undefined => {
    const kept = all.get(url);
    if (kept !== undefined) size -= kept.body.length;
    all.delete(url);
    return kept;
  };
  const set = (url: string, kept: KeptAnswer) => {
    remove(url);
    all.set(url, kept);
    size += kept.body.length;
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
