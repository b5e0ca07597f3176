import { LRUCache } from 'lru-cache';
import { UNSURE_MS } from '../../platform/changes.ts';
import { isUnavailable } from '../../platform/mongo-errors.ts';
import type { CacheCounts } from '../../platform/observe/reading.ts';
import type { Limits } from '../rate-limit/limit.ts';
import { type ContentCoding, type EncodedBody, encodeBody } from '../response/encoded-body.ts';
import { ReadyJson } from '../response/ready-json.ts';

/** A prepared answer, in the codings requested so far. */
export interface CachedAnswer {
  readonly status: 200 | 308;
  readonly bodies: Map<ContentCoding, EncodedBody>;
  readonly plain: Buffer;
  /** Headers in addition to those of the encoded body. */
  readonly headers: Readonly<Record<string, string>>;
  /** Template of its route. */
  readonly route: string;
  /** Budget for requests of this answer. */
  readonly limit: keyof Limits;
  /** Undefined: JSON. */
  readonly contentType?: string | undefined;
  /** Time at which its building began, in milliseconds since the epoch. */
  readonly builtAt: number;
}

/** Parts of an answer. */
interface AnswerParts extends Omit<CachedAnswer, 'bodies' | 'plain' | 'status'> {
  readonly status?: CachedAnswer['status'];
  /** Bytes stay unchanged; any other value becomes JSON. */
  readonly body: unknown;
}

const toPlainBytes = (body: unknown): Buffer => {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(body instanceof ReadyJson ? body.bytes : JSON.stringify(body)); // a copy, not part of a larger buffer
};

/** Returns a new answer without encodings. */
export const toCachedAnswer = ({ status = 200, body, ...made }: AnswerParts): CachedAnswer => ({
  ...made,
  status,
  bodies: new Map(),
  plain: toPlainBytes(body),
});

/**
 * Adds tags to an answer that is being built. The answer is stale if one of them has changed since its building began.
 */
export type AddTags = (tags: readonly string[]) => void;
/** Adds the tags of another answer to one that is built from it. */
export type AddAnswer = (answer: CachedAnswer) => void;
type Build = (addTags: AddTags, addAnswer: AddAnswer) => Promise<CachedAnswer>;

interface Stamp {
  readonly tags: string[];
  readonly versions: number[];
}

/** `begun`: number of changes when its building began. */
type CacheEntry = Stamp & { readonly answer: CachedAnswer; readonly begun: number };
type PendingBuild = Stamp & { readonly answer: Promise<CachedAnswer> };

/** Time in milliseconds for which a caller waits for a new answer before getting the last one. */
const PATIENCE_MS = 1000;

/** Size of an entry besides its bytes, headers included: measured with 60 000 small entries. */
const OVERHEAD_BYTES = 2048;

const countBytes = ({ bodies, plain }: CachedAnswer): number =>
  [...bodies.values()].reduce(
    (sum, { bytes }) => (bytes === plain ? sum : sum + bytes.length),
    OVERHEAD_BYTES + plain.length,
  );

/**
 * Prepared answers of public reads, bounded in bytes; the least recently used ones are evicted first. The tags of an
 * answer name its content. A change of a tag makes every answer with that tag stale at once, unfinished ones included.
 * A stale answer stays until it is rebuilt, and is served while the database cannot rebuild it. It is not served if a
 * text was taken down since its building began. `seenAt` returns the time up to which all changes are known.
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
  /** Tags and versions of each answer, as of the beginning of its building. */
  const stamps = new WeakMap<CachedAnswer, Stamp>();
  /** Number of the last change of each tag, or of the last `clear`. Changes are numbered. */
  const versions = new Map<string, number>();
  let changes = 0;
  let clearedAt = 0;
  /** Number of the last change that took a text down. */
  let takenDownAt = 0;

  const findTagVersion = (tag: string): number => versions.get(tag) ?? clearedAt;
  /** Returns the version of a tag at a time; NaN, which equals nothing, if the tag has changed since. */
  const findTagVersionAt = (tag: string, time: number): number =>
    findTagVersion(tag) > time ? Number.NaN : findTagVersion(tag);
  const isFresh = ({ tags, versions: seen }: Stamp): boolean => {
    for (let at = 0; at < tags.length; at++) if (findTagVersion(tags[at] as string) !== seen[at]) return false;
    return true;
  };
  const store = (key: string, entry: CacheEntry): void => {
    stored?.set(key, entry, { size: countBytes(entry.answer) + key.length });
  };

  /** Stale answers that were served. */
  const stale = new WeakSet<CachedAnswer>();
  const markStale = (answer: CachedAnswer): CachedAnswer => {
    counts.stale();
    stale.add(answer);
    return answer;
  };
  /** Stale answers from before a text was taken down are not served, since they may contain it. */
  const isPresentable = ({ begun }: CacheEntry): boolean => begun >= takenDownAt;
  const isUnsure = (): boolean => Date.now() - seenAt() >= UNSURE_MS;
  /** While changes are not followed, a stale answer counts as ready. */
  const isReady = (entry: CacheEntry): boolean => isFresh(entry) || (isUnsure() && isPresentable(entry));

  /**
   * Builds an answer once for all callers who wait for it. If a change comes meanwhile, the answer is kept as a stale
   * one.
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

  /** Returns the answer that is being built, or the last one if the build takes too long or the database is down. */
  const awaitOrFallBack = async (
    key: string,
    built: Promise<CachedAnswer>,
    asked: CacheEntry,
  ): Promise<CachedAnswer> => {
    let timer: NodeJS.Timeout | undefined;
    const findFallback = (): CachedAnswer | undefined => {
      const entry = stored?.get(key) ?? asked; // a later answer may have been built meanwhile
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

  /** Returns the answer of a key if one is ready. */
  const find = (key: string): CachedAnswer | undefined => {
    const entry = stored?.get(key);
    if (entry === undefined || !isReady(entry)) return undefined;
    if (!isFresh(entry)) return markStale(entry.answer);
    counts.hit();
    return entry.answer;
  };

  /** Bodies that are being encoded. */
  const encoding = new WeakMap<CachedAnswer, Map<ContentCoding, Promise<EncodedBody>>>();
  /** Encodes an answer, and stores the body with it. */
  const encodeNow = async (key: string, answer: CachedAnswer, coding: ContentCoding): Promise<EncodedBody> => {
    const made = await encodeBody(answer.plain, coding, answer.contentType);
    answer.bodies.set(coding, made);
    const entry = stored?.peek(key);
    if (entry?.answer === answer) store(key, { ...entry }); // larger now: only a new entry is measured
    return made;
  };

  return {
    find,
    /** Returns whether an answer is ready, or is already being built. */
    isAtHand: (key: string): boolean => {
      const entry = stored?.peek(key);
      const running = building.get(key);
      return (entry !== undefined && isReady(entry)) || (running !== undefined && isFresh(running));
    },
    /** Returns the answer of a key. `build` makes it if none is ready. */
    obtain: async (key: string, tags: readonly string[], build: Build): Promise<CachedAnswer> => {
      const ready = find(key);
      if (ready) return ready;
      const last = stored?.peek(key);
      const built = buildOnce(key, tags, build);
      return last ? awaitOrFallBack(key, built, last) : built;
    },
    /** Returns an answer in a coding. It is encoded once for all who wait, and then kept with the answer. */
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
    /** From now on, no stale answer is served that was built before: it may show a removed text. */
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
     * Returns the seconds since an answer was last known to be current: 0 for a fresh answer while changes are
     * followed. For a stale answer this is its age, since the time at which it became stale is not recorded.
     */
    ageOf: (answer: CachedAnswer): number => {
      if (stale.has(answer)) return Math.ceil((Date.now() - answer.builtAt + 1) / 1000);
      const unsure = Date.now() - Math.max(answer.builtAt, seenAt());
      return unsure < UNSURE_MS ? 0 : Math.floor(unsure / 1000);
    },
    /** Returns the number of bytes in use. */
    bytes: (): number => stored?.calculatedSize ?? 0,
  };
};
export type ResponseCache = ReturnType<typeof createResponseCache>;
