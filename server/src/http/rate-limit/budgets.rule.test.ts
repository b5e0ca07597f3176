import { expect, test } from 'vitest';
import { type BudgetName, computeBudget } from './budgets.rule.ts';

test.each<[BudgetName, number, number]>([
  ['public', 60, 60],
  ['history', 60, 20],
  ['pages', 60, 300],
  ['badges', 60, 300],
  ['log', 60, 60],
  ['bad-tokens', 60, 30],
  ['forms', 60, 10],
  ['history', 1, 1],
  ['history', 8, 2],
  ['bad-tokens', 1, 1],
  ['bad-tokens', 1_000_000, 500_000],
])('the budget "%s" has, beside %i public requests, %i', (name, publicRequests, requests) => {
  expect(computeBudget(name, publicRequests)).toBe(requests);
});
