import { LRUCache } from 'lru-cache';
import { UNSURE_MS } from '../../platform/changes.ts';
import { isUnavailable } from '../../platform/mongo-errors.ts';
import type { CacheCounts } from '../../platform/observe/reading.ts';
import type { BudgetLimits } from '../rate-limit/limit.ts';
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
  readonly limit: keyof BudgetLimits;
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

/** Counts the changes of tags, so that the tags of an answer tell whether it is current. */
const createTagChanges = () => {
  /** Number of the last change of each tag. */
  const versions = new Map<string, number>();
  let changes = 0;
  let clearedAt = 0;
  let takenDownAt = 0;
  const findNewest = (tag: string): number => versions.get(tag) ?? clearedAt;
  return {
    /** Returns the number of changes so far. */
    now: (): number => changes,
    /** Returns the number of the last change of everything. */
    clearedAt: (): number => clearedAt,
    /** Returns the number of the last change that took a text down. */
    takenDownAt: (): number => takenDownAt,
    /** Returns the version of a tag at a time; NaN, which equals nothing, if the tag has changed since. */
    findVersion: (tag: string, time: number): number => (findNewest(tag) > time ? Number.NaN : findNewest(tag)),
    isCurrent: ({ tags, versions: seen }: Stamp): boolean => {
      for (let at = 0; at < tags.length; at++) if (findNewest(tags[at] as string) !== seen[at]) return false;
      return true;
    },
    note: (tags: readonly string[]): void => {
      for (const tag of tags) versions.set(tag, ++changes);
    },
    noteTakenDown: (): void => {
      takenDownAt = ++changes;
    },
    noteAll: (): void => {
      clearedAt = ++changes;
      versions.clear();
    },
  };
};

type TagChanges = ReturnType<typeof createTagChanges>;

/** Receives the results of builds. */
interface BuildListener {
  readonly built: (key: string, entry: CacheEntry) => void;
  /** An answer could not be built, although the database is there. */
  readonly failed: (key: string) => void;
}

/** Builds answers, each once for all callers who wait for it. */
const createBuilds = (changes: TagChanges, counts: CacheCounts, listener: BuildListener) => {
  const building = new Map<string, PendingBuild>();
  /** Tags and versions of each answer, as of the beginning of its building. */
  const stamps = new WeakMap<CachedAnswer, Stamp>();
  const findRunning = (key: string): PendingBuild | undefined => {
    const running = building.get(key);
    return running && changes.isCurrent(running) ? running : undefined;
  };
  return {
    isRunning: (key: string): boolean => findRunning(key) !== undefined,
    /** Returns an answer as it is built. If a change comes meanwhile, the answer is kept as a stale one. */
    obtain: async (key: string, tags: readonly string[], build: Build): Promise<CachedAnswer> => {
      const running = findRunning(key);
      if (running) {
        counts.shared();
        return running.answer;
      }
      counts.miss();
      const begun = changes.now();
      const stamp: Stamp = { tags: [], versions: [] };
      const addTags: AddTags = (more) => {
        stamp.tags.push(...more);
        stamp.versions.push(...more.map((tag) => changes.findVersion(tag, begun)));
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
        listener.built(key, { ...ownBuild, answer, begun });
        return answer;
      } catch (error) {
        if (building.get(key) === ownBuild && !isUnavailable(error)) listener.failed(key);
        throw error;
      } finally {
        if (building.get(key) === ownBuild) building.delete(key);
      }
    },
  };
};

/** Returns the answer that is being built, or another one if the build takes too long or the database is down. */
const awaitOrFallBack = async (
  built: Promise<CachedAnswer>,
  findFallback: () => CachedAnswer | undefined,
): Promise<CachedAnswer> => {
  let timer: NodeJS.Timeout | undefined;
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

/** Encodes answers, each once for all who wait. `onEncoded` is called when an answer has one more body. */
const createEncoder = (onEncoded: (key: string, answer: CachedAnswer) => void) => {
  const pending = new WeakMap<CachedAnswer, Map<ContentCoding, Promise<EncodedBody>>>();
  const encodeNow = async (key: string, answer: CachedAnswer, coding: ContentCoding): Promise<EncodedBody> => {
    const made = await encodeBody(answer.plain, coding, answer.contentType);
    answer.bodies.set(coding, made);
    onEncoded(key, answer);
    return made;
  };
  return async (key: string, answer: CachedAnswer, coding: ContentCoding): Promise<EncodedBody> => {
    const ready = answer.bodies.get(coding);
    if (ready) return ready;
    const pendingBodies = pending.get(answer) ?? new Map<ContentCoding, Promise<EncodedBody>>();
    const running = pendingBodies.get(coding);
    if (running) return running;
    const made = encodeNow(key, answer, coding).finally(() => pendingBodies.delete(coding));
    pending.set(answer, pendingBodies.set(coding, made));
    return made;
  };
};

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
  const changes = createTagChanges();

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
  const isPresentable = ({ begun }: CacheEntry): boolean => begun >= changes.takenDownAt();
  const isUnsure = (): boolean => Date.now() - seenAt() >= UNSURE_MS;
  /** While changes are not followed, a stale answer counts as ready. */
  const isReady = (entry: CacheEntry): boolean => changes.isCurrent(entry) || (isUnsure() && isPresentable(entry));

  /** Returns the last answer, if it may be served; a later one may have been built meanwhile. */
  const findFallback = (key: string, asked: CacheEntry): CachedAnswer | undefined => {
    const entry = stored?.get(key) ?? asked;
    if (changes.isCurrent(entry)) return entry.answer;
    return isPresentable(entry) ? markStale(entry.answer) : undefined;
  };

  /** Returns the answer of a key if one is ready. */
  const find = (key: string): CachedAnswer | undefined => {
    const entry = stored?.get(key);
    if (entry === undefined || !isReady(entry)) return undefined;
    if (!changes.isCurrent(entry)) return markStale(entry.answer);
    counts.hit();
    return entry.answer;
  };

  const builds = createBuilds(changes, counts, {
    built: (key, entry) => {
      if (entry.begun >= changes.clearedAt() && entry.begun >= (stored?.peek(key)?.begun ?? 0)) store(key, entry);
    },
    failed: (key) => stored?.delete(key),
  });
  const encode = createEncoder((key, answer) => {
    const entry = stored?.peek(key);
    if (entry?.answer === answer) store(key, { ...entry }); // larger now: only a new entry is measured
  });

  return {
    find,
    /** Returns whether an answer is ready, or is already being built. */
    isAtHand: (key: string): boolean => {
      const entry = stored?.peek(key);
      return (entry !== undefined && isReady(entry)) || builds.isRunning(key);
    },
    /** Returns the answer of a key. `build` makes it if none is ready. */
    obtain: async (key: string, tags: readonly string[], build: Build): Promise<CachedAnswer> => {
      const ready = find(key);
      if (ready) return ready;
      const last = stored?.peek(key);
      const built = builds.obtain(key, tags, build);
      return last ? awaitOrFallBack(built, () => findFallback(key, last)) : built;
    },
    /** Returns an answer in a coding. It is encoded once for all who wait, and then kept with the answer. */
    encode,
    /** Makes answers with these tags stale. */
    changed: changes.note,
    /** From now on, no stale answer is served that was built before: it may show a removed text. */
    textTakenDown: changes.noteTakenDown,
    /** Drops all answers: anything may have changed. */
    clear: (): void => {
      changes.noteAll();
      stored?.clear();
    },
    /**
     * Returns the seconds since an answer was last known to be current: 0 for a fresh answer while changes are
     * followed. For a stale answer this is its age, since the time at which it became stale is not recorded.
     */
    readAge: (answer: CachedAnswer): number => {
      if (stale.has(answer)) return Math.ceil((Date.now() - answer.builtAt + 1) / 1000);
      const unsure = Date.now() - Math.max(answer.builtAt, seenAt());
      return unsure < UNSURE_MS ? 0 : Math.floor(unsure / 1000);
    },
    /** Returns the number of bytes in use. */
    bytes: (): number => stored?.calculatedSize ?? 0,
  };
};
export type ResponseCache = ReturnType<typeof createResponseCache>;
