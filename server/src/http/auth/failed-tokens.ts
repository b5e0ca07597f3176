import { hash } from 'node:crypto';
import { LIMITS } from '@broker-transparency/contract';
import { LRUCache } from 'lru-cache';
import { ProblemError } from '../problem/problem.ts';
import { createFixedWindows } from '../rate-limit/fixed-window.ts';
import { addBudgetHeaders, type Budget, type Limit } from '../rate-limit/limit.ts';
import type { Credential } from './access.ts';

/**
 * Multiple of the budget of bad tokens. Beyond it, a process looks up only those tokens from the address that were good
 * within the last hour. A flood of invented tokens does not reach the database.
 */
const FLOOD = 20;

const KNOWN_GOOD = { max: 10_000, ttl: 3_600_000 } as const;

const BAD: Credential = { principal: undefined, given: true };

/**
 * Precedes the check of credentials, and counts the bad tokens of each address.
 * @param badTokens bad tokens per address and minute that are answered by 401; further ones get 429, and good tokens
 *   keep working
 */
export const createFailedTokens = (badTokens: Limit) => {
  const knownGood = new LRUCache<string, true>(KNOWN_GOOD);
  const { count, counted } = createFixedWindows(LIMITS.public.windowSeconds * 1000);
  const mayLook = (address: string, token: string): boolean =>
    counted(address) < badTokens.requests * FLOOD || knownGood.has(token);

  return {
    /** Returns the credential in a header: the result of `authenticate`, or bad without a look-up. */
    look: async (header: string, address: string, authenticate: () => Promise<Credential>): Promise<Credential> => {
      const token = hash('sha256', header, 'base64url');
      if (!mayLook(address, token)) return BAD;
      const credential = await authenticate();
      if (credential.principal) knownGood.set(token, true);
      else if (credential.given) count(address);
      return credential;
    },
    /**
     * Counts a bad token against its address. Returns undefined without a bad token. Public reads count too, although
     * they treat a bad token as none: the budget in the answer tells a good token from a bad one.
     */
    judge: async (credential: Credential, address: string): Promise<Budget | undefined> =>
      credential.principal || !credential.given ? undefined : badTokens.consume(address),
  };
};
export type FailedTokens = ReturnType<typeof createFailedTokens>;

/**
 * Refuses a bad token beyond the budget of bad tokens. The answer names both budgets. @throws ProblemError rate_limited
 */
export const requireGoodTokens = (badTokens: Budget, { headers: ofPublic }: Budget): void => {
  if (badTokens.allowed) return;
  const headers = { ...ofPublic };
  addBudgetHeaders(headers, badTokens);
  throw new ProblemError('rate_limited', 'Too many bad tokens came from this address. Good ones go on working.', {
    headers,
  });
};
