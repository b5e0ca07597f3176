import type { ChangeListener } from '../../platform/changes.ts';
import type { Db } from '../../platform/mongo.ts';
import type { BrokerDocument } from './build.rule.ts';
import type { NoteChanges } from './newest-changes.ts';
import type { Ranking } from './ranking.rule.ts';
import { toRankedBroker, walkRankedBrokers } from './store.ts';

/** Returns a listener that fills the ranking and updates it with the changes of brokers. */
export const rankingFeed = (db: Db, ranking: Ranking, noteChanges: NoteChanges): ChangeListener => ({
  reset: async () => {
    await ranking.load(walkRankedBrokers(db));
    await noteChanges();
  },
  changed: ({ collection, id, document }) => {
    if (collection !== 'brokers') return;
    const broker = document as unknown as BrokerDocument | undefined;
    if (broker) ranking.put(toRankedBroker({ ...broker, _id: id }));
    else ranking.remove(id);
  },
});
