import { BrokerDetail, BrokerSummary, Review } from '@broker-transparency/contract';
import { expect, test } from 'vitest';
import bodies from '../../packages/client-conformance/src/bodies.json' with { type: 'json' };

test('the conformance suite answers as the contract says', () => {
  expect(BrokerDetail.parse(bodies.broker)).toEqual(bodies.broker);
  expect(BrokerSummary.parse(bodies.summary)).toEqual(bodies.summary);
  expect(Review.parse(bodies.review)).toEqual(bodies.review);
});
