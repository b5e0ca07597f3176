import { LIMITS } from '@broker-transparency/contract';

/** The budgets of one caller, each as a multiple of the one for the public API. */
const MULTIPLES = {
  public: 1,
  history: LIMITS.history.requests / LIMITS.public.requests,
  pages: 5,
  badges: 5,
  log: 1,
  'bad-tokens': 1 / 2,
} as const;

/** The name of a budget that grows with the one for the public API. */
export type BudgetName = keyof typeof MULTIPLES;

/** Returns how many requests a minute a caller has in a budget, at least one. */
export const requestsOf = (budget: BudgetName, publicRequests: number): number =>
  Math.max(1, Math.floor(MULTIPLES[budget] * publicRequests));
