import type { IncomingMessage } from 'node:http';
import { whileWaitedFor } from '../../platform/waiting.ts';
import type { Budget, Limit } from '../rate-limit/limit.ts';
import type { Credential, createAuthenticate } from './access.ts';
import type { FailedTokens } from './failed-tokens.ts';
import type { RecentCredentials } from './recent-credentials.ts';

/** Who sends a request, as far as that is known, and what it cost them. */
export interface Caller {
  readonly credential: Credential;
  readonly budget: Budget;
  /** Of bad tokens from their address; undefined where no bad one came. */
  readonly badTokens: Budget | undefined;
}

export interface IdentifyParts {
  readonly authenticate: ReturnType<typeof createAuthenticate>;
  readonly limit: Limit;
  readonly failedTokens: FailedTokens;
  readonly recent: RecentCredentials;
  /** Key of the budget of the address that a request comes from. */
  readonly addressOf: (req: IncomingMessage) => string;
}

const NONE: Credential = { principal: undefined, given: false };

/** A public read does not wait longer for the database to say whose it is: it goes on while that hangs. */
const PATIENCE_MS = 500;

/** What comes of `work`, or `otherwise` where it fails or takes too long. */
const orElse = <T>(work: () => Promise<T>, otherwise: T): Promise<T> =>
  new Promise((resolve) => {
    let isOver = false;
    const end = (value: T): void => {
      isOver = true;
      clearTimeout(timer);
      resolve(value);
    };
    const timer = setTimeout(end, PATIENCE_MS, otherwise);
    whileWaitedFor(() => isOver, work).then(end, () => end(otherwise));
  });

/**
 * Finds who sends a request, and counts it, once: against the account where the credential is good, else against the address. For the fast
 * path and for Express. On public routes a credential that is bad, or cannot be checked now, counts as none, and one that was good a
 * moment ago is good: it decides whose budget a read counts against, and nothing else.
 */
export const createIdentify = ({ authenticate, limit, failedTokens, recent, addressOf }: IdentifyParts) => {
  const count = async ({ context }: IncomingMessage, credential: Credential, address: string): Promise<Caller> => {
    const { principal } = credential;
    const budget = await limit.consume(principal ? `account:${principal.accountId}` : address);
    const badTokens = budget.allowed ? await failedTokens.judge(credential, address) : undefined;
    context.caller = { credential, budget, badTokens };
    return context.caller;
  };
  return async (req: IncomingMessage, isPublic: boolean): Promise<Caller> => {
    if (req.context.caller) return req.context.caller;
    const address = addressOf(req);
    const { authorization } = req.headers;
    if (authorization === undefined) return count(req, NONE, address);
    const look = () => failedTokens.look(authorization, address, () => authenticate(req));
    if (!isPublic) return count(req, await look(), address);
    const known = recent.find(authorization);
    return count(req, known ?? (await orElse(() => recent.remember(authorization, look), NONE)), address);
  };
};
export type Identify = ReturnType<typeof createIdentify>;
