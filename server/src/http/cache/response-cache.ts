import { LRUCache } from 'lru-cache';
import { UNSURE_MS } from '../../platform/changes.ts';
import { isUnavailable } from '../../platform/mongo-errors.ts';
import type { CacheCounts } from '../../platform/observe/reading.ts';
import type { Limits } from '../rate-limit/limit.ts';
import { type ContentCoding, type EncodedBody, encodeBody } from '../response/encoded-body.ts';
import { ReadyJson } from '../response/ready-json.ts';

/** An answer that is ready to be written, in the codings that callers asked for so far. */
export interface CachedAnswer {
  readonly status: 200 | 308;
  readonly bodies: Map<ContentCoding, EncodedBody>;
  readonly plain: Buffer;
  /** Its headers beside those of the encoded body. */
  readonly headers: Readonly<Record<string, string>>;
  /** Template of its route. */
  readonly route: string;
  /** The budget that its requests are counted against. */
  readonly limit: keyof Limits;
  /** Undefined: JSON. */
  readonly contentType?: string | undefined;
  /** When its building began, in milliseconds of the epoch. */
  readonly builtAt: number;
}

/** What an answer is made of. */
interface AnswerParts extends Omit<CachedAnswer, 'bodies' | 'plain' | 'status'> {
  readonly status?: CachedAnswer['status'];
  /** Bytes are taken as they are; all else becomes JSON. */
  readonly body: unknown;
}

const toPlainBytes = (body: unknown): Buffer => {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(body instanceof ReadyJson ? body.bytes : JSON.stringify(body)); // a copy, not part of a larger buffer
};

/** A new answer that is not encoded yet. */
export const toCachedAnswer = ({ status = 200, body, ...made }: AnswerParts): CachedAnswer => ({
  ...made,
  status,
  bodies: new Map(),
  plain: toPlainBytes(body),
});

/** Adds tags to an answer that is being built. It is stale if one of them has changed since its building began. */
export type AddTags = (tags: readonly string[]) => void;
/** Adds what another answer shows to one that is built with it: it is stale when the other one is. */
export type AddAnswer = (answer: CachedAnswer) => void;
type Build = (addTags: AddTags, addAnswer: AddAnswer) => Promise<CachedAnswer>;

interface Stamp {
  readonly tags: string[];
  readonly versions: number[];
}

/** `begun`: how many changes there were when its building began. */
type CacheEntry = Stamp & { readonly answer: CachedAnswer; readonly begun: number };
type PendingBuild = Stamp & { readonly answer: Promise<CachedAnswer> };

/** A caller waits this long for a new answer. Then they get the last one. */
const PATIENCE_MS = 1000;

/** What an entry costs beside its bytes, headers included: measured with 60 000 small entries. */
const OVERHEAD_BYTES = 2048;

const countBytes = ({ bodies, plain }: CachedAnswer): number =>
  [...bodies.values()].reduce(
    (sum, { bytes }) => (bytes === plain ? sum : sum + bytes.length),
    OVERHEAD_BYTES + plain.length,
  );

/**
 * Ready answers of public reads, bounded in bytes; the least recently used ones go first. Each answer has tags for what
 * it shows. A change moves a tag on, and makes every answer with that tag stale at once, those being built too. A stale
 * answer stays until it is built anew, and is given while the database cannot build it, but not after a text was taken
 * down that it may show. `seenAt` tells up to when all changes are known.
 */
export const createResponseCache = (maxBytes: number, seenAt: () => number, counts: CacheCounts) => {
  const stored =
    maxBytes > 0
      ? new LRUCache<string, CacheEntry>({
          maxSize: maxBytes,
          maxEntrySize: maxBytes / 4,
          dispose: (_entry, _key, reason) => {
            if (reason === 'evict') counts.evicted();
          },
        })
      : undefined;
  const building = new Map<string, PendingBuild>();
  /** What each answer shows, as it was when its building began. */
  const stamps = new WeakMap<CachedAnswer, Stamp>();
  /** Changes are numbered. A tag has the number of its last change, or that of the last `clear`. */
  const versions = new Map<string, number>();
  let changes = 0;
  let clearedAt = 0;
  /** The number of the last change that took a text down. */
  let takenDownAt = 0;

  const findTagVersion = (tag: string): number => versions.get(tag) ?? clearedAt;
  /** The version that a tag had at a time; NaN, which equals none, if it has changed since. */
  const findTagVersionAt = (tag: string, time: number): number =>
    findTagVersion(tag) > time ? Number.NaN : findTagVersion(tag);
  const isFresh = ({ tags, versions: seen }: Stamp): boolean => {
    for (let at = 0; at < tags.length; at++) if (findTagVersion(tags[at] as string) !== seen[at]) return false;
    return true;
  };
  const store = (key: string, entry: CacheEntry): void => {
    stored?.set(key, entry, { size: countBytes(entry.answer) + key.length });
  };

  /** Stale answers that were given. */
  const stale = new WeakSet<CachedAnswer>();
  const markStale = (answer: CachedAnswer): CachedAnswer => {
    counts.stale();
    stale.add(answer);
    return answer;
  };
  /** Stale answers from before a text was taken down are not given: they may show it. */
  const isPresentable = ({ begun }: CacheEntry): boolean => begun >= takenDownAt;
  const isUnsure = (): boolean => Date.now() - seenAt() >= UNSURE_MS;
  /** While changes are not followed, a stale answer counts as ready. */
  const isReady = (entry: CacheEntry): boolean => isFresh(entry) || (isUnsure() && isPresentable(entry));

  /**
   * Builds an answer once for all callers who wait for it. An answer that a change overtakes is kept as the last one.
   */
  const buildOnce = async (key: string, tags: readonly string[], build: Build): Promise<CachedAnswer> => {
    const running = building.get(key);
    if (running && isFresh(running)) {
      counts.shared();
      return running.answer;
    }
    counts.miss();
    const begun = changes;
    const stamp: Stamp = { tags: [], versions: [] };
    const addTags: AddTags = (more) => {
      stamp.tags.push(...more);
      stamp.versions.push(...more.map((tag) => findTagVersionAt(tag, begun)));
    };
    const addAnswer: AddAnswer = (answer) => {
      const { tags: shown, versions: seen } = stamps.get(answer) ?? { tags: [], versions: [] };
      stamp.tags.push(...shown);
      stamp.versions.push(...seen);
    };
    addTags(tags);
    const ownBuild: PendingBuild = { ...stamp, answer: build(addTags, addAnswer) };
    building.set(key, ownBuild);
    try {
      const answer = await ownBuild.answer;
      stamps.set(answer, stamp);
      if (begun >= clearedAt && begun >= (stored?.peek(key)?.begun ?? 0)) store(key, { ...ownBuild, answer, begun });
      return answer;
    } catch (error) {
      if (building.get(key) === ownBuild && !isUnavailable(error)) stored?.delete(key);
      throw error;
    } finally {
      if (building.get(key) === ownBuild) building.delete(key);
    }
  };

  /** The answer that is being built, or the last one where that takes too long or the database is away. */
  const awaitOrFallBack = async (
    key: string,
    built: Promise<CachedAnswer>,
    asked: CacheEntry,
  ): Promise<CachedAnswer> => {
    let timer: NodeJS.Timeout | undefined;
    const findFallback = (): CachedAnswer | undefined => {
      const entry = stored?.get(key) ?? asked; // a later one may have been built meanwhile
      if (isFresh(entry)) return entry.answer;
      return isPresentable(entry) ? markStale(entry.answer) : undefined;
    };
    const impatient = new Promise<CachedAnswer | undefined>((resolve) => {
      timer = setTimeout(() => resolve(findFallback()), PATIENCE_MS);
    });
    try {
      return (await Promise.race([built, impatient])) ?? (await built);
    } catch (error) {
      const given = isUnavailable(error) ? findFallback() : undefined;
      if (given) return given;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

  /** The answer under a key, where one is ready. */
  const find = (key: string): CachedAnswer | undefined => {
    const entry = stored?.get(key);
    if (entry === undefined || !isReady(entry)) return undefined;
    if (!isFresh(entry)) return markStale(entry.answer);
    counts.hit();
    return entry.answer;
  };

  /** Bodies that are being encoded. */
  const encoding = new WeakMap<CachedAnswer, Map<ContentCoding, Promise<EncodedBody>>>();
  /** Encodes an answer, and keeps the body with it. */
  const encodeNow = async (key: string, answer: CachedAnswer, coding: ContentCoding): Promise<EncodedBody> => {
    const made = await encodeBody(answer.plain, coding, answer.contentType);
    answer.bodies.set(coding, made);
    const entry = stored?.peek(key);
    if (entry?.answer === answer) store(key, { ...entry }); // larger now: only a new entry is measured
    return made;
  };

  return {
    find,
    /** Whether nothing has to be built for whoever asks: an answer is ready, or is being built for somebody else. */
    isAtHand: (key: string): boolean => {
      const entry = stored?.peek(key);
      const running = building.get(key);
      return (entry !== undefined && isReady(entry)) || (running !== undefined && isFresh(running));
    },
    /** The answer under a key. `build` makes it where none is ready. */
    obtain: async (key: string, tags: readonly string[], build: Build): Promise<CachedAnswer> => {
      const ready = find(key);
      if (ready) return ready;
      const last = stored?.peek(key);
      const built = buildOnce(key, tags, build);
      return last ? awaitOrFallBack(key, built, last) : built;
    },
    /**
     * An answer in a coding. It is encoded for the first caller, once for all who wait, and then kept with the answer.
     */
    encode: async (key: string, answer: CachedAnswer, coding: ContentCoding): Promise<EncodedBody> => {
      const ready = answer.bodies.get(coding);
      if (ready) return ready;
      const pendingBodies = encoding.get(answer) ?? new Map<ContentCoding, Promise<EncodedBody>>();
      const running = pendingBodies.get(coding);
      if (running) return running;
      const made = encodeNow(key, answer, coding).finally(() => pendingBodies.delete(coding));
      encoding.set(answer, pendingBodies.set(coding, made));
      return made;
    },
    /** Makes answers with these tags stale. */
    changed: (tags: readonly string[]): void => {
      for (const tag of tags) versions.set(tag, ++changes);
    },
    /** From now on no stale answer is given that was built before: it may show a text that was taken down. */
    textTakenDown: (): void => {
      takenDownAt = ++changes;
    },
    /** Drops all answers: anything may have changed. */
    clear: (): void => {
      clearedAt = ++changes;
      versions.clear();
      stored?.clear();
    },
    /**
     * Seconds since an answer was last known to be current: 0 for a fresh answer while changes are followed. A stale
     * answer was last known to be current when it was built, since it is not noted when it became stale.
     */
    ageOf: (answer: CachedAnswer): number => {
      if (stale.has(answer)) return Math.ceil((Date.now() - answer.builtAt + 1) / 1000);
      const unsure = Date.now() - Math.max(answer.builtAt, seenAt());
      return unsure < UNSURE_MS ? 0 : Math.floor(unsure / 1000);
    },
    /** How many bytes are held. */
    bytes: (): number => stored?.calculatedSize ?? 0,
  };
};
export type ResponseCache = ReturnType<typeof createResponseCache>;
