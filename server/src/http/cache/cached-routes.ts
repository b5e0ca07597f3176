import { CACHES, type RouteMeta } from '@broker-transparency/contract';
import { type AppRoute, type AppRouter, isAppRoute, validateResponse } from '@ts-rest/core';
import type { Request, Response } from 'express';
import { type Asked, addressing, type Matched } from '../request/canonical.ts';
import { ReadyJson } from '../response/ready-json.ts';
import { sendAnswer } from '../response/reply.ts';
import { type CachedAnswer, type ResponseCache, toCachedAnswer } from './response-cache.ts';

interface HandlerArgs extends Asked {
  readonly req: Request;
  readonly res: Response;
}
type Handler = (args: HandlerArgs) => Promise<{ readonly status: number; readonly body: unknown }>;

/** A public answer, by the one address it has: ready, or made when it is asked for. */
export interface CachedRead {
  readonly key: string;
  readonly obtain: () => Promise<CachedAnswer>;
}
/** The answer that a target asks for, however it is spelt; undefined where that is left to Express. */
export type FindRead = (target: string) => CachedRead | undefined;

/** What an answer shows, with the parameters in place. */
export const tagsOf = ({ shows = [] }: RouteMeta, { params, query }: Asked): string[] =>
  shows.map((tag) => tag.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? query[name])));

/** A handler whose answers are held to the contract; those that are JSON text have been. */
const validated =
  (route: AppRoute, handler: Handler): Handler =>
  async (args) => {
    const { status, body } = await handler(args);
    if (body instanceof ReadyJson) return { status, body };
    return { status, body: validateResponse({ appRoute: route, response: { status, body } }).body };
  };

/** Makes the reads of a route. Its handler sees nothing of a request but what is asked for: the answer is everybody's. */
const createRead = (route: AppRoute, basePath: string, handler: Handler, cache: ResponseCache) => {
  const policy = route.metadata as RouteMeta;
  const template = `${basePath}${route.path}`;
  const cacheControl = `public, max-age=${CACHES[policy.cache]?.maxAgeSeconds}`;
  const build = async (asked: Asked): Promise<CachedAnswer> => {
    const builtAt = Date.now();
    const headers: Record<string, string> = { 'Cache-Control': cacheControl };
    const res = { set: (name: string, value: string) => Object.assign(headers, { [name]: value }) };
    const { body } = await handler({ params: asked.params, query: asked.query, res } as unknown as HandlerArgs);
    return toCachedAnswer(body, headers, template, builtAt);
  };
  const addressOf = addressing(route, basePath);
  return (asked: Asked): CachedRead => {
    const key = addressOf(asked);
    return { key, obtain: () => cache.obtain(key, tagsOf(policy, asked), () => build(asked)) };
  };
};
/** The same implementation, its answers validated where they are made, and kept ready where the route's policy lets them be kept. */
export const cachedRoutes = <Implementation>(
  basePath: string,
  routes: AppRouter,
  implementation: Implementation,
  cache: ResponseCache,
): { readonly implementation: Implementation; readonly cached: readonly Matched<CachedRead>[] } => {
  const cached: Matched<CachedRead>[] = [];
  const prepare = (route: AppRoute, handler: Handler): Handler => {
    const read = createRead(route, basePath, handler, cache);
    cached.push({ route, basePath, read });
    return async ({ req, res, ...asked }) => {
      const { key, obtain } = read(asked);
      const { fault } = req.context;
      if (fault !== undefined) throw fault;
      await sendAnswer(req, res, cache, key, await obtain());
      return { status: 200, body: undefined };
    };
  };
  const wrap = (schema: AppRoute | AppRouter, part: unknown): unknown => {
    if (!isAppRoute(schema))
      return Object.fromEntries(
        Object.entries(part as object).map(([name, inner]) => [
          name,
          wrap(schema[name] as AppRoute | AppRouter, inner),
        ]),
      );
    const handler = validated(schema, part as Handler);
    return CACHES[(schema.metadata as RouteMeta).cache] ? prepare(schema, handler) : handler;
  };
  return { implementation: wrap(routes, implementation) as Implementation, cached };
};
