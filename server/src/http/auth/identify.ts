import type { IncomingMessage } from 'node:http';
import type { RouteMeta } from '@broker-transparency/contract';
import type { Budget, Limits } from '../rate-limit/limit.ts';
import { timeLeft, withTimeout } from '../request/deadline.ts';
import type { Credential, createAuthenticate } from './access.ts';
import type { FailedTokens } from './failed-tokens.ts';
import type { RecentCredentials } from './recent-credentials.ts';

/** Who sends a request, as far as that is known, and what is left of their budget. */
export interface Caller {
  readonly credential: Credential;
  /** Whom its requests are counted for: an account, or an address. */
  readonly key: string;
  readonly budget: Budget;
  /** The budget of bad tokens from their address; undefined where they sent no bad token. */
  readonly badTokens: Budget | undefined;
}

export interface IdentifyParts {
  readonly authenticate: ReturnType<typeof createAuthenticate>;
  readonly limits: Limits;
  readonly failedTokens: FailedTokens;
  readonly recent: RecentCredentials;
  /** Key of the budget of the address that a request comes from. */
  readonly addressOf: (req: IncomingMessage) => string;
}

/** What a route says of how its requests are counted. */
interface RoutePolicy {
  readonly access: RouteMeta['access'];
  readonly limit: keyof Limits;
}

const NONE: Credential = { principal: undefined, given: false };

/** A public read waits no longer for the database to say whose it is: it goes on while the database hangs. */
const PATIENCE_MS = 500;

/**
 * Makes the function that finds who sends a request and counts it: against the account where the credential is good,
 * else against the address. What is left of the budget is said in the answer. On public routes a credential only
 * decides whose budget counts: there one that is bad, or cannot be checked now, counts as none, and one that was good a
 * moment ago is good.
 */
export const createIdentify = ({ authenticate, limits, failedTokens, recent, addressOf }: IdentifyParts) => {
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
    const address = addressOf(req);
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
