import type { IncomingMessage } from 'node:http';
import type { RouteMeta } from '@broker-transparency/contract';
import type { Budget, BudgetLimits } from '../rate-limit/limit.ts';
import { timeLeft, withTimeout } from '../request/deadline.ts';
import type { Credential, createAuthenticate } from './access.ts';
import type { FailedTokens } from './failed-tokens.ts';
import type { RecentCredentials } from './recent-credentials.ts';

/** The sender of a request, as far as known, and the rest of their budget. */
export interface Caller {
  readonly credential: Credential;
  /** Key that requests are counted for: an account, or an address. */
  readonly key: string;
  readonly budget: Budget;
  /** Budget of bad tokens of the caller's address; undefined if the caller sent no bad token. */
  readonly badTokens: Budget | undefined;
}

export interface IdentifyParts {
  readonly authenticate: ReturnType<typeof createAuthenticate>;
  readonly limits: BudgetLimits;
  readonly failedTokens: FailedTokens;
  readonly recent: RecentCredentials;
  /** Returns the budget key of the address of a request. */
  readonly readAddress: (req: IncomingMessage) => string;
}

/** Policy of a route that decides how its requests are counted. */
interface RoutePolicy {
  readonly access: RouteMeta['access'];
  readonly limit: keyof BudgetLimits;
}

const NONE: Credential = { principal: undefined, given: false };

/** Time in milliseconds for which a public read waits to identify its caller; it continues while the database hangs. */
const PATIENCE_MS = 500;

/**
 * Returns the function that finds the sender of a request and counts it: against the account of a good credential, else
 * against the address. The answer names the rest of the budget. On public routes a credential only selects the budget.
 * There a bad or uncheckable credential counts as none, and a recently good one counts as good.
 */
export const createIdentify = ({ authenticate, limits, failedTokens, recent, readAddress }: IdentifyParts) => {
  const findCredential = async (req: IncomingMessage, address: string, isPublic: boolean): Promise<Credential> => {
    const { authorization } = req.headers;
    if (authorization === undefined) return NONE;
    const checkToken = () => failedTokens.look(authorization, address, () => authenticate(req));
    if (!isPublic) return withTimeout(timeLeft(req.context), checkToken);
    return (
      recent.find(authorization) ??
      withTimeout(PATIENCE_MS, () => recent.remember(authorization, checkToken)).catch(() => NONE)
    );
  };
  return async (req: IncomingMessage, { access, limit }: RoutePolicy): Promise<Caller> => {
    const address = readAddress(req);
    req.context.asker = address;
    const credential = await findCredential(req, address, access === 'public');
    const { principal } = credential;
    const key = principal ? `account:${principal.accountId}` : address;
    const budget = await limits[limit].consume(key);
    const badTokens = budget.allowed ? await failedTokens.judge(credential, address) : undefined;
    Object.assign(req.context.headers, budget.headers);
    req.context.caller = { credential, key, budget, badTokens };
    return req.context.caller;
  };
};
export type Identify = ReturnType<typeof createIdentify>;
