import { type LIMITS, scaleBudget } from '@broker-transparency/contract';

/** Budgets that no contract names, each as a multiple of the one for the public API. */
const MULTIPLES = { pages: 5, badges: 5, log: 1, 'bad-tokens': 1 / 2 } as const;

/** The name of a budget that grows with the one for the public API. */
export type BudgetName = keyof typeof LIMITS | keyof typeof MULTIPLES;

/** Returns how many requests a minute a caller has in a budget: at least one. */
export const computeBudget = (name: BudgetName, publicRequests: number): number =>
  name in MULTIPLES
    ? Math.max(1, Math.floor(MULTIPLES[name as keyof typeof MULTIPLES] * publicRequests))
    : scaleBudget(name as keyof typeof LIMITS, publicRequests);
