import { CACHES, type RouteMeta } from '@broker-transparency/contract';
import type { Request, Response } from 'express';
import { type AppRoute, type AppRouter, isAppRoute, validateResponse } from '../endpoints/rest.ts';
import { type HeavyWork, workFor } from '../load/heavy-work.ts';
import type { BudgetLimits } from '../rate-limit/limit.ts';
import { createAddressFormatter, type RequestParams } from '../request/canonical.ts';
import type { ApiRoute } from '../request/match.ts';
import { negotiateCoding } from '../response/encoded-body.ts';
import { FileBody } from '../response/file-body.ts';
import { SlugRedirect } from '../response/moved.ts';
import { ReadyJson } from '../response/ready-json.ts';
import { sendEncoded } from '../response/reply.ts';
import { type AddTags, type CachedAnswer, type ResponseCache, toCachedAnswer } from './response-cache.ts';

interface HandlerArgs extends RequestParams {
  readonly req: Request;
  readonly res: Response;
}
interface HandlerAnswer {
  readonly status: number;
  readonly body: unknown;
  /** Headers in addition to those of the body. */
  readonly headers?: Readonly<Record<string, string>>;
}
type Handler = (args: HandlerArgs) => Promise<HandlerAnswer>;

/** Functions that add tags to the answer of a handler, by the handler's arguments. */
const adders = new WeakMap<object, AddTags>();

/**
 * Adds cache tags that a handler finds while it runs.
 * @param args arguments of the handler's call
 */
export const addCacheTags = (args: object, tags: readonly string[]): void => adders.get(args)?.(tags);

/** A public answer, by its canonical address. */
export interface CachedRead {
  readonly key: string;
  /** Budget that is charged one unit if the answer has to be built; undefined if building is free. */
  readonly costs?: keyof BudgetLimits | undefined;
  /** True if building the answer is heavy work. */
  readonly isHeavy?: boolean;
  /** Returns the answer, and builds it if it is not cached. */
  readonly obtain: () => Promise<CachedAnswer>;
}

/** A public read by the service itself, without a caller: it is not counted. */
export interface LocalRead {
  readonly obtain: () => Promise<{
    readonly status: number;
    readonly plain: Uint8Array;
    readonly answer?: CachedAnswer;
  }>;
}

/** A route whose reads are served to callers and to the service itself. */
export interface ServedRoute extends ApiRoute<CachedRead> {
  /** Undefined for restricted reads and for writes. */
  readonly local: ((asked: RequestParams) => LocalRead) | undefined;
}

/** Returns the cache tags of an answer, with the parameters filled in. */
export const resolveCacheTags = ({ shows = [] }: RouteMeta, { params, query }: RequestParams): string[] =>
  shows.map((tag) => tag.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? query[name])));

/** A route below its base path, with the formatter of its canonical addresses. */
interface AddressedRoute {
  readonly basePath: string;
  readonly route: AppRoute;
  readonly toAddress: ReturnType<typeof createAddressFormatter>;
}

interface CursorPage {
  readonly pagination?: { readonly nextCursor?: string | null };
}

/**
 * Returns a handler whose answers are checked against the contract, and whose pages by cursor link to the next page
 * (RFC 8288). Prepared JSON was checked before; files are not JSON.
 */
const completeHandler =
  ({ route, toAddress }: AddressedRoute, handler: Handler): Handler =>
  async (args) => {
    const { status, body } = await handler(args);
    if (body instanceof ReadyJson) return { status, body, headers: body.headers };
    if (body instanceof FileBody) return { status, body };
    const cursor = (body as CursorPage | undefined)?.pagination?.nextCursor;
    // a page says the times that it is about, which the next one has to keep
    const next = cursor ? { params: args.params, query: { ...args.query, ...(body as object), cursor } } : undefined;
    return {
      status,
      body: validateResponse({ appRoute: route, response: { status, body } }).body,
      headers: next ? { Link: `<${toAddress(next)}>; rel="next"` } : {},
    };
  };

/** Returns a handler whose headers Express sends. */
const sendHeaders =
  (handler: Handler): Handler =>
  async (args) => {
    const answer = await handler(args);
    Object.assign(args.req.context.headers, answer.headers);
    return answer;
  };

/**
 * Returns the reads of a route. Its handler gets only the parameters of a request: the answer is the same for all
 * callers.
 */
const createRead = ({ basePath, route, toAddress }: AddressedRoute, handler: Handler, cache: ResponseCache) => {
  const policy = route.metadata as RouteMeta;
  const cacheControl = `public, max-age=${CACHES[policy.cache]?.maxAgeSeconds}`;
  const build = async ({ params, query }: RequestParams, addTags: AddTags): Promise<CachedAnswer> => {
    const made = { route: `${basePath}${route.path}`, limit: policy.limit, builtAt: Date.now() };
    const args = { params, query } as HandlerArgs;
    adders.set(args, addTags);
    try {
      const { body, headers } = await handler(args);
      return toCachedAnswer({ ...made, body, headers: { 'Cache-Control': cacheControl, ...headers } });
    } catch (moved) {
      if (!(moved instanceof SlugRedirect)) throw moved;
      const { location, slug } = moved;
      const headers = { 'Cache-Control': cacheControl, Location: location };
      return toCachedAnswer({ ...made, status: 308, body: { slug }, headers });
    }
  };
  return (asked: RequestParams): CachedRead => {
    const key = toAddress(asked);
    return {
      key,
      obtain: () => cache.obtain(key, resolveCacheTags(policy, asked), (addTags) => build(asked, addTags)),
    };
  };
};

/** Returns the service's own read of a route: through the cache, or directly from its handler. */
const createLocal = (
  { method, metadata }: AppRoute,
  handler: Handler,
  read: ((asked: RequestParams) => CachedRead) | undefined,
): ServedRoute['local'] => {
  if (method !== 'GET' || (metadata as RouteMeta).access !== 'public') return undefined;
  const callHandler = async (asked: RequestParams) => {
    const { status, body } = await handler(asked as HandlerArgs);
    return { status, plain: body instanceof ReadyJson ? body.bytes : Buffer.from(JSON.stringify(body)) };
  };
  const obtainFrom = async ({ obtain }: CachedRead) => {
    const answer = await obtain();
    return { status: answer.status, plain: answer.plain, answer };
  };
  return (asked) => ({ obtain: () => (read ? obtainFrom(read(asked)) : callHandler(asked)) });
};

/** Sends a cached answer through Express. Returns its status. */
export const sendRead = async (
  { key, obtain }: Pick<CachedRead, 'key' | 'obtain'>,
  cache: ResponseCache,
  { req, res }: Pick<HandlerArgs, 'req' | 'res'>,
): Promise<CachedAnswer['status']> => {
  const answer = await obtain();
  const body = await cache.encode(key, answer, negotiateCoding(req.headers, answer.plain.length, answer.contentType));
  const age = cache.readAge(answer);
  const headers = { ...answer.headers, ...(age > 0 ? { Age: String(age) } : {}) };
  sendEncoded(res, { status: answer.status, headers, body });
  return answer.status;
};

/** Answers a read that Express has routed, because only Express understands the spelling of its target. */
const answerRead =
  (read: (asked: RequestParams) => CachedRead, cache: ResponseCache): Handler =>
  async ({ req, res, ...asked }) => ({ status: await sendRead(read(asked), cache, { req, res }), body: undefined });

/** Returns whether requests for this route are computed from the record. */
const isHeavy = ({ method, metadata }: AppRoute): boolean => {
  const { limit, costs } = metadata as RouteMeta & { readonly costs?: 'record' };
  return costs === 'record' || (method === 'GET' && limit === 'history');
};

/** An implementation whose answers are checked against the contract and cached where the contract says so. */
interface CachedApi<Implementation> {
  readonly implementation: Implementation;
  readonly routes: readonly ServedRoute[];
}

/** Wraps the cacheable reads of a contract with the response cache, and the heavy ones with a queue. */
export const createCachedRoutes = <Implementation>(
  basePath: string,
  contract: AppRouter,
  given: Implementation,
  { cache, heavy }: { readonly cache: ResponseCache; readonly heavy: HeavyWork },
): CachedApi<Implementation> => {
  const routes: ServedRoute[] = [];
  const wrapRoute = (route: AppRoute, given: Handler): Handler => {
    const addressed = { basePath, route, toAddress: createAddressFormatter(route, basePath) };
    const handler = completeHandler(addressed, given);
    const isCached = CACHES[(route.metadata as RouteMeta).cache] !== null;
    const read = isCached ? createRead(addressed, handler, cache) : undefined;
    const policy = route.metadata as RouteMeta;
    routes.push({ basePath, route, policy, read, local: createLocal(route, handler, read) });
    if (read) return answerRead(read, cache);
    const sent = sendHeaders(handler);
    return isHeavy(route) ? (args) => workFor(heavy, args.req, () => sent(args)) : sent;
  };
  const wrap = (schema: AppRoute | AppRouter, part: unknown): unknown => {
    if (isAppRoute(schema)) return wrapRoute(schema, part as Handler);
    return Object.fromEntries(
      Object.entries(part as object).map(([name, inner]) => [name, wrap(schema[name] as AppRoute | AppRouter, inner)]),
    );
  };
  return { implementation: wrap(contract, given) as Implementation, routes };
};
