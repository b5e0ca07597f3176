import { expect, test } from 'vitest';
import { Ledger } from './ledger.ts';

test('counts unacknowledged writes by the answers to all their attempts', () => {
  const ledger = new Ledger('7');
  const [acknowledged, refused, alike] = [ledger.open(), ledger.open(), ledger.open(), ledger.open()];
  acknowledged?.ids.add('id');
  for (const entry of [refused, alike]) entry?.refusals.set('503 unavailable', 3).set('no answer', 1);
  expect(ledger.unsettled()).toEqual([
    '2 writes, first 7-1: 3 × 503 unavailable, 1 × no answer',
    '1 writes, first 7-3: never sent',
  ]);
});
