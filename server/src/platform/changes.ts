import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Db } from './mongo.ts';

const { MongoServerError } = mongoose.mongo;

/** One document that changed. */
export interface DocumentChange {
  readonly collection: string;
  readonly id: string;
  /** The document as it is now; undefined if it no longer exists. */
  readonly document: Readonly<Record<string, unknown>> | undefined;
  /** Names of the fields that the change took out of the document. */
  readonly removed?: readonly string[];
  /** Paths of the fields that the change set; absent if the whole document was written or deleted. */
  readonly set?: readonly string[];
}

/** An event of the stream, with the paths of the fields that an update set; null for other events. */
type ChangeEvent = mongoose.mongo.ChangeStreamDocument & { readonly set?: readonly string[] | null };

/** A filter for the change stream: one collection, and further conditions on the event. */
export interface WatchedChange {
  readonly 'ns.coll': string;
  readonly [condition: string]: unknown;
}

/** Receives the changes that `watchDatabase` follows. */
export interface ChangeListener {
  /**
   * Reloads everything, since changes may have been missed. Called at the start, and when the change history is lost.
   */
  readonly reset: () => Promise<void> | void;
  readonly changed: (change: DocumentChange) => void;
}

const RETRY_MS = 250;
/** Interval at which an idle stream answers, which shows that it is alive. */
const BEAT_MS = 250;
/** Wait for an event, in milliseconds, while a caller waits for the stream to be empty. */
const HURRY_MS = 1;
/** Silence of the stream, in milliseconds, after which changes no longer count as followed. */
export const UNSURE_MS = 1500;
/** Events per batch. Other work can run between batches; MongoDB's default is 16 MB per batch. */
const BATCH = 50;
/**
 * MongoDB error codes that mean that the history does not reach back far enough, or that the stream cannot be resumed.
 */
const HISTORY_LOST = new Set([136, 260, 280, 286]);

export const isHistoryLost = (error: unknown): boolean =>
  error instanceof MongoServerError && HISTORY_LOST.has(Number(error.code));

type StreamStart = { resumeAfter: unknown } | { startAtOperationTime: mongoose.mongo.Timestamp };

/** Returns the time of an event in milliseconds since the epoch, with a precision of one second before MongoDB 6. */
const toEventTime = ({ wallTime, clusterTime }: mongoose.mongo.ChangeStreamDocument & { wallTime?: Date }): number =>
  wallTime?.getTime() ?? (clusterTime?.getHighBits() ?? 0) * 1000;

/** Operations that replace whole collections, as in a restore. */
const REPLACING = new Set(['drop', 'rename', 'dropDatabase', 'invalidate']);

/** Resets every listener. Returns the time before that, from which on changes are delivered. */
const resetListeners = async (
  connection: Db['connection'],
  listeners: readonly ChangeListener[],
): Promise<StreamStart> => {
  const { operationTime } = await connection.getClient().db('admin').command({ ping: 1 });
  for (const listener of listeners) await listener.reset();
  return { startAtOperationTime: operationTime };
};

/** Returns the change of an event; undefined if it is not about one document. */
const toDocumentChange = (event: ChangeEvent): DocumentChange | undefined => {
  if (!('documentKey' in event) || !('coll' in event.ns)) return undefined;
  const document = 'fullDocument' in event ? (event.fullDocument ?? undefined) : undefined;
  const removed = ('updateDescription' in event && event.updateDescription?.removedFields) || [];
  const change = { collection: event.ns.coll, id: String(event.documentKey._id), document, removed };
  return event.set ? { ...change, set: event.set } : change;
};

/** The fields of an event that are read. `set`: the names of the fields that an update set. */
const READ_FIELDS = {
  operationType: 1,
  ns: 1,
  documentKey: 1,
  fullDocument: 1,
  'updateDescription.removedFields': 1,
  set: { $map: { input: { $objectToArray: '$updateDescription.updatedFields' }, in: '$$this.k' } },
  clusterTime: 1,
  wallTime: 1,
};

const openStream = (
  connection: Db['connection'],
  watched: readonly WatchedChange[],
  options: mongoose.mongo.ChangeStreamOptions,
): mongoose.mongo.ChangeStream =>
  connection
    .getClient()
    .db(connection.name)
    .watch(
      [{ $match: { $or: [...watched, { operationType: { $in: [...REPLACING] } }] } }, { $project: READ_FIELDS }],
      // `updateLookup` returns null for a document that has been deleted meanwhile
      { fullDocument: 'updateLookup', batchSize: BATCH, ...options },
    );

/**
 * Follows the database through one change stream for as long as the process runs. The stream starts before the first
 * reset, so that no change is missed, and resumes after a fault. If the change history is lost, every listener is
 * reset.
 */
export const watchDatabase = (
  { connection }: Db,
  watched: readonly WatchedChange[],
  listeners: readonly ChangeListener[],
  onFault: (error: unknown) => void,
) => {
  let stopped = false;
  let seenAt = 0;
  let start: StreamStart | undefined;
  const loaded = Promise.withResolvers<void>();
  /** Callers that wait until all changes before their request have been delivered. */
  let waiting: (() => void)[] = [];
  /** Leaves the open stream without its answer, which MongoDB gives after `BEAT_MS` even if its cursor is killed. */
  let leave = (): void => {};
  /** Leaves the open stream for one that waits for no event, unless it is that one. */
  let hurry = (): void => {};

  /** Streams that were left, until they are closed. */
  const closing = new Set<Promise<void>>();
  /** Closes a stream once it has answered: before that it may have a cursor that nobody knows yet. */
  const closeAfter = (answer: Promise<unknown> | undefined, stream: mongoose.mongo.ChangeStream): void => {
    const closed = Promise.allSettled([answer])
      .then(() => stream.close())
      .catch(() => undefined)
      .finally(() => closing.delete(closed));
    closing.add(closed);
  };

  /**
   * Delivers the next event. If there is none, it resolves the callers that waited before this call. If the stream is
   * left meanwhile, the callers keep waiting, and the next stream begins after the last event that was delivered.
   */
  const deliverNext = async (
    from: mongoose.mongo.ChangeStream,
    next: Promise<ChangeEvent | null>,
    left: Promise<'left'>,
  ): Promise<'delivered' | 'empty' | 'left'> => {
    const asked = Date.now();
    const askedBefore = waiting;
    waiting = [];
    const event = await Promise.race([next, left]).catch((error: unknown) => {
      waiting.push(...askedBefore);
      throw error;
    });
    if (event === 'left') {
      waiting.push(...askedBefore);
      return event;
    }
    const isReplaced = event !== null && REPLACING.has(event.operationType);
    const change = event && toDocumentChange(event);
    if (change) for (const listener of listeners) listener.changed(change);
    if (!isReplaced) seenAt = event ? Math.max(seenAt, toEventTime(event)) : asked;
    start = isReplaced ? undefined : { resumeAfter: from.resumeToken };
    if (event) waiting.push(...askedBefore);
    else for (const done of askedBefore) done();
    return event ? 'delivered' : 'empty';
  };

  /**
   * Follows the stream until `stop`, until a replaced collection requires a reset, or until a stream that was opened
   * for waiting callers has served them all.
   * @throws the fault that ended the stream
   */
  const follow = async (): Promise<void> => {
    start ??= await resetListeners(connection, listeners);
    loaded.resolve();
    const isAwaited = waiting.length > 0;
    const stream = openStream(connection, watched, { ...start, maxAwaitTimeMS: isAwaited ? HURRY_MS : BEAT_MS });
    const { promise: left, resolve } = Promise.withResolvers<'left'>();
    leave = () => resolve('left');
    hurry = isAwaited ? () => {} : leave;
    let next: Promise<ChangeEvent | null> | undefined;
    try {
      while (!stopped && start) {
        next = stream.tryNext();
        const found = await deliverNext(stream, next, left);
        if (found === 'left' || (found === 'empty' && isAwaited && waiting.length === 0)) return;
      }
    } finally {
      closeAfter(next, stream);
    }
    if (!stopped && !start) await sleep(RETRY_MS); // collections are replaced in groups
  };

  const run = async (): Promise<void> => {
    while (!stopped) {
      await follow().catch(async (error: unknown) => {
        if (stopped) return;
        onFault(error);
        if (isHistoryLost(error)) start = undefined;
        await sleep(RETRY_MS);
      });
    }
  };
  const running = run();

  return {
    /** Resolves when every listener has been reset for the first time. */
    loaded: loaded.promise,
    /**
     * Returns the time, in milliseconds since the epoch, up to which all changes have been delivered; 0 before the
     * first look at the stream.
     */
    seenAt: (): number => seenAt,
    /** Resolves when every change that is durable now has been delivered. */
    caughtUp: (): Promise<void> =>
      new Promise((resolve) => {
        waiting.push(resolve);
        hurry();
      }),
    stop: async (): Promise<void> => {
      stopped = true;
      leave();
      await running;
      await Promise.all(closing);
    },
  };
};
