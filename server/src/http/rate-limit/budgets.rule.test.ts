import { LIMITS } from '@broker-transparency/contract';
import { expect, test } from 'vitest';
import { type BudgetName, requestsOf } from './budgets.rule.ts';

test.each<[BudgetName, number, number]>([
  ['public', 60, 60],
  ['history', 60, 30],
  ['pages', 60, 300],
  ['badges', 60, 300],
  ['log', 60, 60],
  ['bad-tokens', 60, 30],
  ['history', 7, 3],
  ['bad-tokens', 1, 1],
  ['bad-tokens', 1_000_000, 500_000],
])('the budget "%s" has, beside %i public requests, %i', (budget, publicRequests, requests) => {
  expect(requestsOf(budget, publicRequests)).toBe(requests);
});

test('the contract names the budgets that the server enforces by default', () => {
  for (const [name, { requests }] of Object.entries(LIMITS))
    expect(requestsOf(name as BudgetName, LIMITS.public.requests)).toBe(requests);
});
