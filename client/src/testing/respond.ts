import type { ProblemCode } from '@broker-transparency/client';
import { PROBLEMS } from '@broker-transparency/contract';
import { type Credential, readCredential, requireAccess } from './access.ts';
import type { Account } from './accounts.ts';
import { readBody } from './body.ts';
import { type Answer, CALLS, redirectOf } from './calls.ts';
import { Dropped, type Fault } from './faults.ts';
import { proxyPage, spoiled } from './faulty.ts';
import { type NamedRoute, Refusal } from './policy.ts';
import { BASE_HEADERS, goodReply, movedReply, PREFLIGHT_HEADERS, problemReply, type Reply } from './reply.ts';
import {
  allowed,
  answersMethod,
  decodeParams,
  type Found,
  isOfApi,
  nothingAt,
  refuseMethod,
  routesAt,
} from './routing.ts';
import { parseQuery, type Understood, validate } from './validation.ts';
import type { World } from './world.ts';

/** A request through `fetch` or through a port. */
export interface Incoming {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal | undefined;
}

const takesJson = (accept: string | null): boolean =>
  accept === null ||
  accept.split(',').some((part) => {
    const [type = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
    const refused = parameters.some((one) => /^q=0(\.0*)?$/.test(one));
    return /^(\*\/\*|application\/(\*|json|problem\+json))$/.test(type) && !refused;
  });

/** Parses a body as JSON, or returns its text if it is not JSON. Tests can look at the result. */
const looselyRead = (bytes: Uint8Array): unknown => {
  if (bytes.length === 0) return undefined;
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const record = ({ method, url, headers, bytes }: Incoming, found: Found | undefined, { received }: World) => {
  const path = url.pathname + url.search;
  const entry = { method, path, call: found?.route.call, headers: Object.fromEntries(headers), status: undefined };
  received.push({ ...entry, body: looselyRead(bytes) });
  return received[received.length - 1] as World['received'][number];
};

/** Returns the slug of the broker that a request names. */
const brokerOf = ({ url }: Incoming, found: Found | undefined, body: unknown): unknown =>
  found?.params['slug'] ??
  url.searchParams.get('broker') ??
  (typeof body === 'object' && body !== null && 'broker' in body ? body.broker : undefined);

type Limit = NamedRoute['metadata']['limit'];

/** Returns the headers that say when to try again. */
const waitHeaders = ({ kind, retryAfter }: Fault, limit: Limit): Readonly<Record<string, string>> => {
  if (kind === 'unavailable') return { 'Retry-After': String(retryAfter) };
  if (kind !== 'rate_limited') return {};
  return { 'Retry-After': String(retryAfter), RateLimit: `"${limit}";r=0;t=${Math.max(1, retryAfter)}` };
};

const isCode = (kind: Fault['kind']): kind is ProblemCode => Object.hasOwn(PROBLEMS, kind);

const problemOf = (fault: Fault, limit: Limit): Refusal | undefined => {
  const { kind } = fault;
  if (!isCode(kind)) return undefined;
  return new Refusal(kind, 'The test was to see this error.', { headers: waitHeaders(fault, limit) });
};

/** Returns the caller's own request id if it has a safe form, and a new one otherwise. */
const requestId = (headers: Headers, { received }: World): string => {
  const given = headers.get('x-request-id') ?? '';
  return /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : `test-request-${String(received.length).padStart(6, '0')}`;
};

/** A request that is being processed. */
interface Passage {
  readonly incoming: Incoming;
  /** The routes at the request's path, for every method. */
  readonly routes: readonly Found[];
  readonly fault: Fault | undefined;
  readonly world: World;
  /** Headers of the answer, collected along the way. */
  readonly headers: Record<string, string>;
}

/**
 * Checks what applies to every request: its budget, its path and the media types it accepts.
 * @throws Refusal if a check fails, or if a fault asks for an error
 */
const admit = (
  { incoming: { url, headers: given }, fault, world, headers }: Passage,
  limit: Limit,
): Credential | undefined => {
  const credential = readCredential(given.get('authorization'), world.accounts);
  const budget = world.budgets[limit];
  const left = budget.take(credential?.account?.token ?? '', world.now().getTime());
  Object.assign(headers, left.headers);
  if (!left.allowed)
    throw new Refusal('rate_limited', `The budget of ${budget.requests} requests per minute is used up.`);
  if (!isOfApi(url)) throw nothingAt(url);
  if (!takesJson(given.get('accept')))
    throw new Refusal('not_acceptable', 'The Accept header leaves out application/json.');
  const problem = fault && problemOf(fault, limit);
  if (problem !== undefined) throw problem;
  return credential;
};

/** Does the work of an accepted request. Does the work of a write only once. */
const work = (
  { incoming: { url, headers, signal }, fault, world }: Passage,
  { route }: Found,
  asked: Understood,
  account: Account | undefined,
): Promise<{ readonly answer: Answer; readonly replayed: boolean }> => {
  const make = async (): Promise<Answer> => {
    if (fault?.kind === 'slow') await world.pauses.wait(fault.delayMs, signal);
    const { state } = world;
    return redirectOf(route, asked, url, state) ?? CALLS[route.call](asked, { state, account, at: world.now() });
  };
  const { idempotency: policy } = route.metadata;
  if (policy === undefined || account === undefined) return make().then((answer) => ({ answer, replayed: false }));
  const key = headers.get('idempotency-key') ?? undefined;
  const request = { token: account.token, path: url.pathname, key, policy, body: asked.body };
  return world.repetitions.once(request, () => world.now().getTime(), make);
};

/**
 * Checks and answers a request, in the order of the service: form, budget, access, body, schemas, work.
 * @throws Refusal, Dropped
 */
const answer = async (passage: Passage): Promise<Reply> => {
  const { incoming, routes, headers } = passage;
  const { method, url, bytes } = incoming;
  const found = routes.find((one) => answersMethod(one, method));
  const params = found && decodeParams(found);
  const credential = admit(passage, found?.route.metadata.limit ?? 'public');
  if (found === undefined || params === undefined) throw refuseMethod(method, url, routes);
  const { route } = found;
  const account = requireAccess(route.metadata, credential);
  const body = route.body === undefined ? undefined : readBody(incoming.headers, bytes);
  const given = { params, query: parseQuery(url.search), headers: Object.fromEntries(incoming.headers), body };
  const { answer: good, replayed } = await work(passage, found, validate(route, given), account);
  Object.assign(headers, good.headers, replayed && { 'Idempotent-Replayed': 'true' });
  if (good.moved) return movedReply(route, good.body, headers);
  return goodReply(route, good.body, headers, incoming.headers.get('if-none-match') ?? undefined);
};

/**
 * Answers a request.
 * @throws Dropped if the connection must break
 */
export const respond = async (incoming: Incoming, world: World): Promise<Reply> => {
  const { method, url } = incoming;
  const routes = routesAt(url);
  const found = routes.find((one) => answersMethod(one, method));
  const entry = record(incoming, found, world);
  const finish = (reply: Reply): Reply => {
    entry.status = reply.status;
    if (method !== 'HEAD') return reply;
    return { status: reply.status, headers: reply.headers };
  };
  const headers = { ...BASE_HEADERS, 'X-Request-Id': requestId(incoming.headers, world) };
  if (method === 'OPTIONS') {
    if (incoming.headers.has('access-control-request-method'))
      return finish({ status: 204, headers: { ...headers, ...PREFLIGHT_HEADERS } });
    if (routes.length > 0) return finish({ status: 204, headers: { ...headers, ...allowed(routes) } });
  }
  const broker = brokerOf(incoming, found, entry.body);
  const fault = world.faults.take({ call: found?.route.call, method, broker });
  if (fault?.kind === 'dropped') throw new Dropped();
  if (fault?.kind === 'html') return finish(proxyPage(fault));
  const reply = await answer({ incoming, routes, fault, world, headers }).catch((error: unknown) => {
    if (error instanceof Refusal) return problemReply(error, url, headers);
    throw error;
  });
  if (fault?.kind === 'dropped_after_write') throw new Dropped();
  return finish(spoiled(reply, fault, world, incoming.signal));
};
