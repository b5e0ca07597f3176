import { PROBLEMS, type ProblemCode } from '@broker-transparency/contract';
import { type Credential, readCredential, requireAccess } from './access.ts';
import type { Account } from './accounts.ts';
import { readBody } from './body.ts';
import type { BudgetState, Budgets } from './budget.ts';
import type { CallResult } from './call.ts';
import { CALLS, findRedirect } from './calls.ts';
import { type Customer, requireScope } from './customers.ts';
import { DroppedError, type Fault } from './faults.ts';
import { proxyPage, spoiled } from './faulty.ts';
import { CallRefusal, type NamedRoute } from './policy.ts';
import { BASE_HEADERS, goodReply, movedReply, PREFLIGHT_HEADERS, problemReply, type Reply, toBytes } from './reply.ts';
import {
  answersMethod,
  buildAllowHeader,
  decodeParams,
  findRoutes,
  isApiPath,
  isEnterprisePath,
  type MatchedRoute,
  refuseMethod,
  refusePath,
} from './routing.ts';
import { calendarDate } from './times.ts';
import { parseQuery, type ValidRequest, validate } from './validation.ts';
import type { World } from './world.ts';

/** A request through `fetch` or through a port. */
export interface IncomingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal | undefined;
}

const acceptsJson = (accept: string | null): boolean =>
  accept === null ||
  accept.split(',').some((part) => {
    const [type = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
    const refused = parameters.some((one) => /^q=0(\.0*)?$/.test(one));
    return /^(\*\/\*|application\/(\*|json|problem\+json))$/.test(type) && !refused;
  });

/** Parses a body as JSON, or returns its text if it is not JSON. Tests can look at the result. */
const parseLoosely = (bytes: Uint8Array): unknown => {
  if (bytes.length === 0) return undefined;
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const recordRequest = (
  { method, url, headers, bytes }: IncomingRequest,
  found: MatchedRoute | undefined,
  { received }: World,
) => {
  const path = url.pathname + url.search;
  const entry = { method, path, call: found?.route.call, headers: Object.fromEntries(headers), status: undefined };
  received.push({ ...entry, body: parseLoosely(bytes) });
  return received[received.length - 1] as World['received'][number];
};

/** Returns the slug of the broker that a request names. */
const findBrokerSlug = ({ url }: IncomingRequest, found: MatchedRoute | undefined, body: unknown): unknown =>
  found?.params['slug'] ??
  url.searchParams.get('broker') ??
  (typeof body === 'object' && body !== null && 'broker' in body ? body.broker : undefined);

type Limit = NamedRoute['metadata']['limit'];

/** Returns the headers that say when to try again. */
const buildWaitHeaders = ({ kind, retryAfter }: Fault, limit: Limit): Readonly<Record<string, string>> => {
  if (kind === 'unavailable') return { 'Retry-After': String(retryAfter) };
  if (kind !== 'rate_limited') return {};
  return { 'Retry-After': String(retryAfter), RateLimit: `"${limit}";r=0;t=${Math.max(1, retryAfter)}` };
};

const isProblemCode = (kind: Fault['kind']): kind is Extract<Fault['kind'], ProblemCode> =>
  Object.hasOwn(PROBLEMS, kind);

const toRefusal = (fault: Fault, limit: Limit): CallRefusal | undefined => {
  const { kind } = fault;
  if (!isProblemCode(kind)) return undefined;
  return new CallRefusal(kind, 'The test was to see this error.', { headers: buildWaitHeaders(fault, limit) });
};

/** Returns the caller's own request id if it has a safe form, and a new one otherwise. */
const chooseRequestId = (headers: Headers, { received }: World): string => {
  const given = headers.get('x-request-id') ?? '';
  return /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : `test-request-${String(received.length).padStart(6, '0')}`;
};

/** A request that is being processed. */
interface TestRequestContext {
  readonly incoming: IncomingRequest;
  /** The routes at the request's path, for every method. */
  readonly routes: readonly MatchedRoute[];
  readonly fault: Fault | undefined;
  readonly world: World;
  /** Headers of the answer, collected along the way. */
  readonly headers: Record<string, string>;
}

/** The caller of a request. */
interface TestCaller {
  readonly credential: Credential | undefined;
  readonly customer: Customer | undefined;
}

/**
 * Counts a request against a budget, and adds the rest of the budget to the answer.
 * @throws CallRefusal `rate_limited`
 */
const spendBudget = (budget: Budgets, caller: string, { world, headers }: TestRequestContext): void => {
  const left: BudgetState = budget.take(caller, world.now().getTime());
  for (const [name, value] of Object.entries(left.headers))
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  if (left.allowed) return;
  throw new CallRefusal('rate_limited', `The budget of ${budget.requests} requests per minute is used up.`);
};

/**
 * Finds the caller, and counts the request against the caller's budgets.
 * @throws CallRefusal if the key of a customer is not valid, or a budget is used up
 */
const countRequest = (context: TestRequestContext, found: MatchedRoute | undefined): TestCaller => {
  const { incoming, world } = context;
  const authorization = incoming.headers.get('authorization');
  if (isEnterprisePath(incoming.url)) {
    const customer = world.customers.require(authorization);
    spendBudget(world.enterpriseBudgets[customer.plan], customer.id, context);
    if (found?.route.metadata.costs === 'record') spendBudget(world.recordBudgets[customer.plan], customer.id, context);
    return { credential: undefined, customer };
  }
  const credential = readCredential(authorization, world.accounts);
  const limit = found?.route.metadata.limit ?? 'public';
  spendBudget(world.budgets[limit as keyof World['budgets']], credential?.account?.token ?? '', context);
  return { credential, customer: undefined };
};

/**
 * Checks what applies to every request: its budget, its path and the media types it accepts.
 * @throws CallRefusal if a check fails, or if a fault asks for an error
 */
const admitRequest = (context: TestRequestContext, found: MatchedRoute | undefined): TestCaller => {
  const { incoming, fault } = context;
  const caller = countRequest(context, found);
  if (!isApiPath(incoming.url)) throw refusePath(incoming.url);
  const isFile = found !== undefined && Object.keys(found.route.responses).length === 0;
  if (!isFile && !acceptsJson(incoming.headers.get('accept')))
    throw new CallRefusal('not_acceptable', 'The Accept header leaves out application/json.');
  const problem = fault && toRefusal(fault, found?.route.metadata.limit ?? 'public');
  if (problem !== undefined) throw problem;
  return caller;
};

/** Does the work of an accepted request. Does the work of a write only once. */
const runCall = (
  { incoming: { url, headers, signal }, fault, world }: TestRequestContext,
  { route }: MatchedRoute,
  asked: ValidRequest,
  { account, customer }: { readonly account: Account | undefined; readonly customer: Customer | undefined },
): Promise<{ readonly answer: CallResult; readonly replayed: boolean }> => {
  const make = async (): Promise<CallResult> => {
    if (fault?.kind === 'slow') await world.pauses.wait(fault.delayMs, signal);
    const { state, sendWebhook: send } = world;
    const wait = (ms: number, early: Promise<void>) => world.pauses.wait(ms, signal, early);
    const context = { state, account, customer, at: world.now(), send, wait };
    return findRedirect(route, asked, url, state) ?? CALLS[route.call](asked, context);
  };
  const { idempotency: policy } = route.metadata;
  if (policy === undefined || account === undefined) return make().then((answer) => ({ answer, replayed: false }));
  const key = headers.get('idempotency-key') ?? undefined;
  const request = { token: account.token, path: url.pathname, key, policy, body: asked.body };
  return world.repetitions.once(request, () => world.now().getTime(), make);
};

const takesBody = ({ body }: NamedRoute): boolean =>
  body !== undefined && body.safeParse(undefined).error !== undefined;

/**
 * Checks and answers a request, in the order of the service: form, budget, access, body, schemas, work.
 * @throws CallRefusal, Dropped
 */
const answerRequest = async (passage: TestRequestContext): Promise<Reply> => {
  const { incoming, routes, headers } = passage;
  const { method, url, bytes } = incoming;
  const found = routes.find((one) => answersMethod(one, method));
  const params = found && decodeParams(found);
  const { credential, customer } = admitRequest(passage, found);
  if (found === undefined || params === undefined) throw refuseMethod(method, url, routes);
  const { route } = found;
  if (customer !== undefined) requireScope(customer, route.metadata);
  const account = customer === undefined ? requireAccess(route.metadata, credential) : undefined;
  const body = takesBody(route) ? readBody(incoming.headers, bytes) : undefined;
  const given = { params, query: parseQuery(url.search), headers: Object.fromEntries(incoming.headers), body };
  const { answer: good, replayed } = await runCall(passage, found, validate(route, given), { account, customer });
  Object.assign(headers, good.headers, replayed && { 'Idempotent-Replayed': 'true' });
  if (good.moved) return movedReply(route, good.body, headers);
  return goodReply(route, good, headers, incoming.headers.get('if-none-match') ?? undefined);
};

/** Adds a request of a customer to what its organisation has used. Refused requests are not counted. */
const noteUse = (
  { customers, now }: World,
  { headers }: IncomingRequest,
  found: MatchedRoute | undefined,
  reply: Reply,
) => {
  const customer = customers.find(headers.get('authorization'));
  if (customer === undefined || found === undefined || reply.status >= 500 || [401, 403, 429].includes(reply.status))
    return;
  const { path } = found.route;
  customer.usage.push({ date: calendarDate(now()), route: path, bytes: toBytes(reply.body ?? '').length });
};

/**
 * Answers a request.
 * @throws Dropped if the connection must break
 */
export const respond = async (incoming: IncomingRequest, world: World): Promise<Reply> => {
  const { method, url } = incoming;
  world.state.record.beginDay(world.now());
  const routes = findRoutes(url);
  const found = routes.find((one) => answersMethod(one, method));
  const entry = recordRequest(incoming, found, world);
  const finish = (reply: Reply): Reply => {
    entry.status = reply.status;
    if (method !== 'HEAD') return reply;
    return { status: reply.status, headers: reply.headers };
  };
  const headers = { ...BASE_HEADERS, 'X-Request-Id': chooseRequestId(incoming.headers, world) };
  if (method === 'OPTIONS') {
    if (incoming.headers.has('access-control-request-method'))
      return finish({ status: 204, headers: { ...headers, ...PREFLIGHT_HEADERS } });
    if (routes.length > 0) return finish({ status: 204, headers: { ...headers, ...buildAllowHeader(routes) } });
  }
  const broker = findBrokerSlug(incoming, found, entry.body);
  const fault = world.faults.take({ call: found?.route.call, method, broker });
  if (fault?.kind === 'dropped') throw new DroppedError();
  if (fault?.kind === 'html') return finish(proxyPage(fault));
  const reply = await answerRequest({ incoming, routes, fault, world, headers }).catch((error: unknown) => {
    if (error instanceof CallRefusal) return problemReply(error, url, headers);
    throw error;
  });
  noteUse(world, incoming, found, reply);
  if (fault?.kind === 'dropped_after_write') throw new DroppedError();
  return finish(spoiled(reply, fault, world, incoming.signal));
};
