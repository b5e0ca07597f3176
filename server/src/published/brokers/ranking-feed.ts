import type { ChangeListener } from '../../platform/changes.ts';
import type { BrokerDocument } from './build.rule.ts';
import type { Ranking } from './ranking.rule.ts';
import { eachRanked } from './store.ts';

/** Fills the ranking, and keeps it current by the changes of the brokers. */
export const rankingFeed = (ranking: Ranking): ChangeListener => ({
  reset: () => ranking.load(eachRanked()),
  changed: ({ collection, id, document }) => {
    if (collection !== 'brokers') return;
    const broker = document as unknown as BrokerDocument | undefined;
    if (broker) ranking.put({ slug: id, color: broker.color, value: broker.score.value });
    else ranking.remove(id);
  },
});
