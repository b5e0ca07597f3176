import { eachBroker, watchBrokers } from '../brokers/facts.ts';
import type { Log } from '../observe/log.ts';
import type { SearchIndex } from './index.ts';

/** Fills the index and keeps it current by the change stream of the brokers. */
export const feedSearchIndex = (index: SearchIndex, log: Log) =>
  watchBrokers({
    reset: async () => {
      index.clear();
      for await (const broker of eachBroker()) index.put(broker);
    },
    upserted: index.put,
    deleted: index.remove,
    failed: (error) => log.warn({ err: error }, 'search index lost its change stream'),
  });
