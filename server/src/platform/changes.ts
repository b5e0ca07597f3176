import type mongoose from 'mongoose';

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
 * Follows a collection by its change stream, for as long as the process runs. The stream is opened before `reset` loads,
 * so that nothing falls between. After a fault it goes on where it was, or resets where that is no longer possible.
 */
export const watchCollection = <T>(collection: () => Collection, watcher: ChangeWatcher<T>) => {
  let stopped = false;
  let stream: mongoose.mongo.ChangeStream | undefined;
  const firstLoad = Promise.withResolvers<void>();

  const follow = async (): Promise<void> => {
    const opened = collection().watch([], { fullDocument: 'updateLookup' });
    stream = opened as mongoose.mongo.ChangeStream;
    await opened.tryNext(); // opens the cursor on the server
    await watcher.reset();
    firstLoad.resolve();
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
