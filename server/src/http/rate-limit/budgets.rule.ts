import { type LIMITS, scaleBudget } from '@broker-transparency/contract';

/** Budgets outside of the contracts, as multiples of the budget of the public API. */
const MULTIPLES = { pages: 5, badges: 5, log: 1, 'bad-tokens': 1 / 2, forms: 1 / 6 } as const;

/** Name of a budget that depends on the one of the public API. */
export type BudgetName = keyof typeof LIMITS | keyof typeof MULTIPLES;

/** Returns the number of requests per minute of a budget: at least one. */
export const computeBudget = (name: BudgetName, publicRequests: number): number =>
  name in MULTIPLES
    ? Math.max(1, Math.floor(MULTIPLES[name as keyof typeof MULTIPLES] * publicRequests))
    : scaleBudget(name as keyof typeof LIMITS, publicRequests);
