import mongoose from 'mongoose';

const { MongoServerError } = mongoose.mongo;

/** One thing that became different. */
export interface Change {
  readonly collection: string;
  readonly id: string;
  /** As it is now; undefined where it is gone. */
  readonly document: Readonly<Record<string, unknown>> | undefined;
}

/** A part of a change stream: of one collection, under the conditions that it names. */
export interface WatchedChange {
  readonly 'ns.coll': string;
  readonly [condition: string]: unknown;
}

/** Who wants to know. */
export interface ChangeListener {
  /** Anything may have changed unseen. Called at first, and whenever the history is lost. */
  readonly reset: () => Promise<void> | void;
  readonly changed: (change: Change) => void;
}

const RETRY_MS = 250;
/** An idle stream answers this often: that is how it is known to be alive. */
const BEAT_MS = 250;
/** Silence for longer means that changes are not followed. */
export const UNSURE_MS = 1500;
/** So many changes are told before the process does something else. By default 16 MB of them are. */
const BATCH = 50;
/** Codes of MongoDB: the history does not reach back far enough, or the stream cannot go on. */
const HISTORY_LOST = new Set([136, 260, 280, 286]);

export const isHistoryLost = (error: unknown): boolean =>
  error instanceof MongoServerError && HISTORY_LOST.has(Number(error.code));

type Start = { resumeAfter: unknown } | { startAtOperationTime: mongoose.mongo.Timestamp };

/** When it happened, in milliseconds of the epoch; before MongoDB 6 to the second. */
const timeOf = ({ wallTime, clusterTime }: mongoose.mongo.ChangeStreamDocument & { wallTime?: Date }): number =>
  wallTime?.getTime() ?? (clusterTime?.getHighBits() ?? 0) * 1000;

/** Collections are replaced as a whole, such as by a restore. */
const REPLACING = new Set(['drop', 'rename', 'dropDatabase', 'invalidate']);

/**
 * Follows changes of the database by one change stream, for as long as the process runs. It starts at a time before the
 * first reset, so that nothing falls between, and goes on where it was after a fault; where the history is lost, everything
 * is reset.
 */
export const watchDatabase = (
  watched: readonly WatchedChange[],
  listeners: readonly ChangeListener[],
  onFault: (error: unknown) => void,
) => {
  let stopped = false;
  let stream: mongoose.mongo.ChangeStream | undefined;
  let seenAt = 0;
  let start: Start | undefined;
  const loaded = Promise.withResolvers<void>();

  const reset = async (): Promise<Start> => {
    const { operationTime } = await mongoose.connection.getClient().db('admin').command({ ping: 1 });
    for (const listener of listeners) await listener.reset();
    loaded.resolve();
    return { startAtOperationTime: operationTime };
  };

  const dispatch = (event: mongoose.mongo.ChangeStreamDocument): void => {
    if (!('documentKey' in event) || !('coll' in event.ns)) return;
    const document = 'fullDocument' in event ? (event.fullDocument ?? undefined) : undefined;
    const change = { collection: event.ns.coll, id: String(event.documentKey._id), document };
    for (const listener of listeners) listener.changed(change);
  };

  /** Returns where it has to start anew. */
  const follow = async (): Promise<void> => {
    start ??= await reset();
    stream = mongoose.connection
      .getClient()
      .db(mongoose.connection.name)
      .watch(
        // a document that was erased meanwhile is looked up as null
        [
          { $match: { $or: [...watched, { operationType: { $in: [...REPLACING] } }] } },
          { $project: { operationType: 1, ns: 1, documentKey: 1, fullDocument: 1, clusterTime: 1, wallTime: 1 } },
        ],
        { fullDocument: 'updateLookup', maxAwaitTimeMS: BEAT_MS, batchSize: BATCH, ...start },
      );
    while (!stopped) {
      const asked = Date.now();
      const event = await stream.tryNext();
      if (event && REPLACING.has(event.operationType)) {
        start = undefined;
        return;
      }
      if (event) dispatch(event);
      seenAt = event ? Math.max(seenAt, timeOf(event)) : asked;
      start = { resumeAfter: stream.resumeToken };
    }
  };

  const run = async (): Promise<void> => {
    while (!stopped) {
      await follow().catch((error: unknown) => {
        if (stopped) return;
        onFault(error);
        if (isHistoryLost(error)) start = undefined;
      });
      await stream?.close().catch(() => undefined);
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  };
  const running = run();

  return {
    /** Settles once everything was reset for the first time. */
    loaded: loaded.promise,
    /** All changes before this time have been told, in milliseconds of the epoch; 0 before the first look. */
    seenAt: (): number => seenAt,
    stop: async (): Promise<void> => {
      stopped = true;
      await stream?.close().catch(() => undefined);
      await running;
    },
  };
};
