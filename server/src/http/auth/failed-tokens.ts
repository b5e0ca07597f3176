import { hash } from 'node:crypto';
import { LIMITS } from '@broker-transparency/contract';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import { ProblemError } from '../problem/problem.ts';
import { createFixedWindows } from '../rate-limit/fixed-window.ts';
import type { Budget, Limit } from '../rate-limit/limit.ts';
import type { Credential } from './access.ts';

/** Bad tokens of one address that are answered by 401 within a minute, then by 429; good ones are answered as ever. */
export const badTokensOf = (publicRequests: number): number => Math.max(1, Math.floor(publicRequests / 2));

/**
 * After so many times that budget, a process looks at no token from the address that it has not known good within the last hour:
 * a flood of invented ones does not reach the database.
 */
const FLOOD = 20;

const KNOWN_GOOD = { max: 10_000, ttl: 3_600_000 } as const;

const BAD: Credential = { principal: undefined, given: true };

/** Stands before the check of credentials, and counts the bad ones of each address. `badTokens` is the budget of these. */
export const createFailedTokens = (badTokens: Limit) => {
  const knownGood = new LRUCache<string, true>(KNOWN_GOOD);
  const { count, counted } = createFixedWindows(LIMITS.public.windowSeconds * 1000);
  const mayLook = (address: string, token: string): boolean =>
    counted(address) < badTokens.requests * FLOOD || knownGood.has(token);

  return {
    /** The credential in a header, found by `authenticate`, or refused without looking. */
    look: async (header: string, address: string, authenticate: () => Promise<Credential>): Promise<Credential> => {
      const token = hash('sha256', header, 'base64url');
      if (!mayLook(address, token)) return BAD;
      const credential = await authenticate();
      if (credential.principal) knownGood.set(token, true);
      else if (credential.given) count(address);
      return credential;
    },
    /**
     * Counts a bad token against its address; undefined where none came. Where it counts as none, it is counted all the same: what
     * an answer says of the caller's budget tells a good token from a bad one.
     */
    judge: async (credential: Credential, address: string): Promise<Budget | undefined> =>
      credential.principal || !credential.given ? undefined : badTokens.consume(address),
  };
};
export type FailedTokens = ReturnType<typeof createFailedTokens>;

/** Refuses a bad token beyond the budget of those, beside what was said of the public one. @throws ProblemError rate_limited */
export const enforceFailedTokens = ({ allowed, headers }: Budget, res: Response): void => {
  if (allowed) return;
  for (const name of ['RateLimit-Policy', 'RateLimit']) res.set(name, `${res.get(name)}, ${headers[name]}`);
  res.set('Retry-After', headers['Retry-After']);
  throw new ProblemError('rate_limited', 'Too many bad tokens came from this address. Good ones go on working.');
};
