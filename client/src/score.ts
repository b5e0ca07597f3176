import { recomputeScore as recompute } from '@broker-transparency/contract/score';
import type { BrokerDetail, Score } from './index.ts';

/**
 * Recomputes a broker's score from its answer alone. The result equals `broker.score` unless something is wrong. It
 * needs no other package.
 * @throws RangeError if the answer lacks an input of the score
 * @example
 * const broker = await client.brokers.get('alpha-markets');
 * console.log(recomputeScore(broker).value === broker.score.value);
 */
export const recomputeScore: (broker: BrokerDetail) => Score = recompute;
