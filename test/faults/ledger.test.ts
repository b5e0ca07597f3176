import { expect, test } from 'vitest';
import { Ledger } from './ledger.ts';

test('names unacknowledged writes with the answers to all their attempts', () => {
  const ledger = new Ledger('7');
  const [acknowledged, refused] = [ledger.open(), ledger.open(), ledger.open()];
  acknowledged?.ids.add('id');
  refused?.refusals.set('503 unavailable', 3).set('no answer', 1);
  expect(ledger.unsettled()).toEqual(['7-1: 3 × 503 unavailable, 1 × no answer', '7-2: never sent']);
});
