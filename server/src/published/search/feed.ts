import type { ChangeListener } from '../../platform/changes.ts';
import type { Db } from '../../platform/mongo.ts';
import { type BrokerDocument, walkBrokers } from '../brokers/facts.ts';
import type { SearchIndex } from './index.ts';

/** Returns a listener that fills the search index and updates it with the changes of brokers. */
export const searchFeed = (db: Db, index: SearchIndex): ChangeListener => ({
  reset: () => index.load(walkBrokers(db)),
  changed: ({ collection, id, document }) => {
    if (collection !== 'brokers') return;
    if (document) index.put(document as unknown as BrokerDocument);
    else index.remove(id);
  },
});
