import { recomputeScore as recompute } from '@broker-transparency/contract/score';
import type { BrokerDetail, Score } from './index.ts';

/**
 * Recomputes a broker's score from its answer alone: equal to `broker.score` unless something is wrong. It needs no
 * other package.
 * @throws RangeError where the answer lacks what the score is made of
 * @example
 * const broker = await client.brokers.get('alpha-markets');
 * console.log(recomputeScore(broker).value === broker.score.value);
 */
export const recomputeScore: (broker: BrokerDetail) => Score = recompute;
