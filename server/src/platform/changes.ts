import mongoose from 'mongoose';

type Collection = mongoose.Collection;

/** What to do with the changes of a collection. */
export interface ChangeWatcher<T> {
  /** Documents may have changed unseen: load everything again. Called at first, and whenever the history is lost. */
  readonly reset: () => Promise<void>;
  readonly upserted: (document: T) => void;
  readonly deleted: (id: string) => void;
  readonly failed: (error: unknown) => void;
}

const RETRY_MS = 500;

/**
 * Follows a collection by its change stream, for as long as the process runs. The stream starts at a time before `reset`
 * loads, so that nothing falls between. The driver goes on after passing faults; after others everything is loaded again.
 */
export const watchCollection = <T>(collection: () => Collection, watcher: ChangeWatcher<T>) => {
  let stopped = false;
  let stream: mongoose.mongo.ChangeStream | undefined;
  const firstLoad = Promise.withResolvers<void>();

  const follow = async (): Promise<void> => {
    const { operationTime } = await mongoose.connection.getClient().db('admin').command({ ping: 1 });
    await watcher.reset();
    firstLoad.resolve();
    const opened = collection().watch([], { fullDocument: 'updateLookup', startAtOperationTime: operationTime });
    stream = opened as mongoose.mongo.ChangeStream;
    for await (const change of opened) {
      if ('fullDocument' in change && change.fullDocument) watcher.upserted(change.fullDocument as T);
      else if (change.operationType === 'delete') watcher.deleted(String(change.documentKey._id));
      else if (['drop', 'rename', 'invalidate'].includes(change.operationType)) return;
    }
  };

  const run = async (): Promise<void> => {
    while (!stopped) {
      await follow().catch((error: unknown) => {
        if (!stopped) watcher.failed(error);
      });
      await stream?.close().catch(() => undefined);
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  };
  const running = run();

  return {
    /** Settles once everything was loaded for the first time. */
    loaded: firstLoad.promise,
    stop: async (): Promise<void> => {
      stopped = true;
      await stream?.close().catch(() => undefined);
      await running;
    },
  };
};
