import { type EnterpriseMeta, PLANS, type PlanName } from '@broker-transparency/contract/enterprise';
import type { Request, RequestHandler, Response } from 'express';
import { type Guard, requireJsonAccepted } from '../../http/endpoints/api.ts';
import type { AppRoute } from '../../http/endpoints/rest.ts';
import { ProblemError } from '../../http/problem/problem.ts';
import { addressKey, enforceLimit, type Limit } from '../../http/rate-limit/limit.ts';
import { bytesWritten, onClosed } from '../../http/response/reply.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Usage } from '../usage/notes.ts';
import { computeMonthEnd } from '../usage/quota.rule.ts';
import { type createAuthenticate, WrongAddress } from './authenticate.ts';
import type { Customer } from './customer.ts';

/** The parts of the guard of customers' requests. */
export interface GuardParts {
  readonly clock: Clock;
  readonly authenticate: ReturnType<typeof createAuthenticate>;
  /** The budget of each plan. */
  readonly plans: Readonly<Record<PlanName, Limit>>;
  /** The budget that each plan has for requests that are computed from the record. */
  readonly recordReads: Readonly<Record<PlanName, Limit>>;
  /** Limit of bad keys per address, each answered by 401; beyond it by 429. */
  readonly badTokens: Limit;
  readonly usage: Usage;
}

/** Status of a request whose caller left before it was answered. */
const LEFT = 499;

/** Adds the rest of the monthly quota to an answer, beside that of the minute's budget. */
const addQuotaHeaders = (headers: Record<string, string>, quota: number, sent: number, secondsLeft: number): void => {
  const monthSeconds = 31 * 86_400;
  headers['RateLimit-Policy'] += `, "month";q=${quota};w=${monthSeconds}`;
  headers['RateLimit'] += `, "month";r=${Math.max(0, quota - sent)};t=${secondsLeft}`;
};

/** @throws ProblemError rate_limited if the organisation has used up its plan's requests for the month */
const enforceQuota = async ({ clock, usage }: GuardParts, req: Request, { organisation, plan }: Customer) => {
  const { requestsPerMonth: quota } = PLANS[plan];
  const sent = await usage.sentBy(organisation);
  const now = clock();
  const secondsLeft = Math.ceil((computeMonthEnd(now).getTime() - now.getTime()) / 1000);
  addQuotaHeaders(req.context.headers, quota, sent + 1, secondsLeft);
  if (sent < quota) return;
  throw new ProblemError(
    'rate_limited',
    `The quota of ${quota} requests per month is used up. It begins anew on the 1st.`,
    {
      headers: { 'Retry-After': String(secondsLeft) },
    },
  );
};

/**
 * Counts a request without a valid key against its address. @throws ProblemError rate_limited if the address sent too
 * many
 */
const countBadKey = async (badTokens: Limit, req: Request): Promise<void> => {
  const { allowed, headers } = await badTokens.consume(addressKey(req));
  if (!allowed)
    throw new ProblemError('rate_limited', 'Too many bad keys came from this address. Good keys still work.', {
      headers,
    });
  Object.assign(req.context.headers, headers);
};

/** Records the request once it is answered. A request refused for its budget is not an access. */
const recordWhenAnswered = ({ usage }: GuardParts, req: Request, res: Response, customer: Customer): void => {
  const { method, target } = req.context;
  const begun = bytesWritten(res);
  req.context.sender = [customer.organisation, customer.key?.id].join(':');
  onClosed(res, (status = LEFT) => {
    if (status === 429) return;
    const bytes = bytesWritten(res) - begun;
    const { route } = req.context;
    usage.note(customer, { method, route, target, status, bytes, address: req.ip ?? '' });
  });
};

/** Finds the customer of a request, and records the request. */
const findCustomer = async (parts: GuardParts, req: Request, res: Response): Promise<Customer> => {
  try {
    const customer = await parts.authenticate(req, req.ip ?? '');
    recordWhenAnswered(parts, req, res, customer);
    return customer;
  } catch (error) {
    if (error instanceof WrongAddress) recordWhenAnswered(parts, req, res, error.customer);
    if (error instanceof ProblemError && error.status < 500) await countBadKey(parts.badTokens, req);
    throw error;
  }
};

const requireScope = ({ scopes, plan }: Customer, route: AppRoute): void => {
  const { scope } = (route.metadata as EnterpriseMeta).access;
  if (scopes.includes(scope)) return;
  const why = PLANS[plan].scopes.includes(scope) ? 'this key does not have it' : `the plan "${plan}" does not have it`;
  throw new ProblemError('insufficient_scope', `This needs the scope "${scope}", and ${why}.`, {
    headers: { 'WWW-Authenticate': `Bearer realm="enterprise", error="insufficient_scope", scope="${scope}"` },
  });
};

/** Creates the guard, which checks the key, the organisation's budget and quota, and the scope of the route. */
export const createGuard = (parts: GuardParts): Guard => {
  const admitRequest = async (req: Request, res: Response, route: AppRoute | undefined): Promise<void> => {
    const { context } = req;
    context.route = route?.path;
    const customer = await findCustomer(parts, req, res);
    context.customer = customer;
    context.asker = `organisation:${customer.organisation}`;
    await enforceLimit(parts.plans[customer.plan], context.asker, req);
    if ((route?.metadata as EnterpriseMeta | undefined)?.costs === 'record')
      await enforceLimit(parts.recordReads[customer.plan], context.asker, req);
    await enforceQuota(parts, req, customer);
    if (!route) return;
    if ((route.metadata as EnterpriseMeta).answers !== 'files') requireJsonAccepted(req);
    requireScope(customer, route);
  };
  return (route): RequestHandler =>
    (req, res, next) => {
      admitRequest(req, res, route).then(() => next(), next);
    };
};
