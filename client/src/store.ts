import { parse } from './answer.ts';
import { report } from './report.ts';

/**
 * A stored answer with its entity tag.
 * @example const kept: KeptAnswer = { etag: '"4Xr0bW1c9kq2"', body: '{"data":[]}' };
 */
export interface KeptAnswer {
  readonly etag: string;
  /** The body as the API sent it. */
  readonly body: string;
}

/**
 * Stores answers by address, so that the API does not send unchanged ones again. If the store fails, the call continues
 * without it and `console.error` reports the error. It stores only public answers.
 * @example
 * const store: AnswerStore = {
 *   get: async (url) => JSON.parse((await redis.get(url)) ?? 'null') ?? undefined,
 *   set: (url, kept) => redis.set(url, JSON.stringify(kept), 'EX', 3600),
 * };
 */
export interface AnswerStore {
  /** Returns the stored answer for an address, or undefined if there is none. */
  get(url: string): KeptAnswer | undefined | Promise<KeptAnswer | undefined>;
  /** Stores an answer, replacing an earlier one. The client awaits a returned promise. */
  set(url: string, kept: KeptAnswer): unknown;
}

/** A stored answer with its body parsed. */
export interface ParsedAnswer {
  readonly etag: string;
  readonly data: object;
}

const tryStore = async <T>(work: () => T | Promise<T>): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    report('the answer store failed', error);
    return undefined;
  }
};

const ENTITY_TAG = /^(W\/)?"[!#-~]*"$/;

/**
 * Returns the stored answer for an address. An entry that is not an answer counts as none, because others may write to
 * the store.
 */
export const readStore = async (store: AnswerStore, url: string): Promise<ParsedAnswer | undefined> => {
  const { etag, body }: { etag?: unknown; body?: unknown } = (await tryStore(() => store.get(url))) ?? {};
  if (typeof etag !== 'string' || typeof body !== 'string' || !ENTITY_TAG.test(etag)) return undefined;
  const data = parse(body);
  return data instanceof Object ? { etag, data } : undefined;
};

/** Stores an answer. A failure is reported and does not reach the caller. */
export const writeStore = (store: AnswerStore, url: string, kept: KeptAnswer): Promise<unknown> =>
  tryStore(() => store.set(url, kept));

/**
 * Creates a store in memory that keeps the most recently used answers.
 * @param maxCharacters maximum length of all stored bodies, entity tags and addresses together; 4 000 000 by default,
 * which is about 8 MB at most
 * @example createClient({ baseUrl, store: memoryStore(500_000) });
 */
export const memoryStore = (maxCharacters = 4_000_000): AnswerStore => {
  const all = new Map<string, KeptAnswer>();
  let size = 0;
  const countCharacters = (url: string, { etag, body }: KeptAnswer) => url.length + etag.length + body.length;
  const remove = (url: string): KeptAnswer | undefined => {
    const kept = all.get(url);
    if (kept !== undefined) size -= countCharacters(url, kept);
    all.delete(url);
    return kept;
  };
  const set = (url: string, kept: KeptAnswer) => {
    remove(url);
    all.set(url, kept);
    size += countCharacters(url, kept);
    // A Map iterates over its keys in insertion order.
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
