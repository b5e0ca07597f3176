import type { ChangeListener } from '../../platform/changes.ts';
import { type BrokerDocument, eachBroker } from '../brokers/facts.ts';
import type { SearchIndex } from './index.ts';

/** Fills the index, and keeps it current by the changes of the brokers. */
export const searchFeed = (index: SearchIndex): ChangeListener => ({
  reset: () => index.load(eachBroker()),
  changed: ({ collection, id, document }) => {
    if (collection !== 'brokers') return;
    if (document) index.put(document as unknown as BrokerDocument);
    else index.remove(id);
  },
});
