import { CACHES, type RouteMeta } from '@broker-transparency/contract';
import { type AppRoute, type AppRouter, isAppRoute, validateResponse } from '@ts-rest/core';
import type { Request, Response } from 'express';
import * as z from 'zod';
import { outcomeOf } from './outcomes.ts';
import { type Answer, type Prepared, toAnswer } from './prepared.ts';
import { parseQuery } from './query.ts';
import { ReadyJson } from './ready-json.ts';
import { sendAnswer } from './replies.ts';

/** What is asked for, as the contract understands it. */
interface Asked {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | undefined>>;
}
interface HandlerArgs extends Asked {
  readonly req: Request;
  readonly res: Response;
}
type Handler = (args: HandlerArgs) => Promise<{ readonly status: number; readonly body: unknown }>;

/** A public answer, by the one address it has: ready, or made when it is asked for. */
export interface Read {
  readonly key: string;
  readonly obtain: () => Promise<Answer>;
}
/** The answer that an address stands for; undefined where it is not the one address of any. */
export type FindRead = (target: string) => Read | undefined;

/** What a parameter is where nobody says. */
const defaultOf = (schema: unknown): unknown => (schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined);

/**
 * The one address of an answer: parameters in the order of the contract, without those that say what goes without saying. Only
 * what the contract has checked gets here.
 */
export const canonicalTarget = (
  route: Pick<AppRoute, 'path'> & { readonly query?: unknown },
  basePath: string,
  { params, query }: Asked,
): string => {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const shape = route.query instanceof z.ZodObject ? route.query.shape : {};
  const search = new URLSearchParams();
  for (const [name, schema] of Object.entries(shape)) {
    const value = query[name];
    if (value !== undefined && value !== defaultOf(schema)) search.set(name, String(value));
  }
  return `${basePath}${path}${search.size > 0 ? `?${search}` : ''}`;
};

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
const createRead = (route: AppRoute, basePath: string, handler: Handler, prepared: Prepared) => {
  const policy = route.metadata as RouteMeta;
  const template = `${basePath}${route.path}`;
  const cacheControl = `public, max-age=${CACHES[policy.cache]?.maxAgeSeconds}`;
  const build = async (asked: Asked): Promise<Answer> => {
    const builtAt = Date.now();
    const headers: Record<string, string> = { 'Cache-Control': cacheControl };
    const res = { set: (name: string, value: string) => Object.assign(headers, { [name]: value }) };
    const { body } = await handler({ params: asked.params, query: asked.query, res } as unknown as HandlerArgs);
    return toAnswer(body, headers, template, builtAt);
  };
  return (asked: Asked): Read => {
    const key = canonicalTarget(route, basePath, asked);
    return { key, obtain: () => prepared.obtain(key, tagsOf(policy, asked), () => build(asked)) };
  };
};
type CreateRead = ReturnType<typeof createRead>;

/** Understands addresses of a route as Express and ts-rest would, where there is nothing to complain of. */
const createFind = (route: AppRoute, basePath: string, read: CreateRead): FindRead => {
  const path = new RegExp(`^${basePath}${route.path.replace(/:(\w+)/g, '(?<$1>[^/?]+)')}(?:\\?(?<search>.*))?$`);
  const schema = z.object({
    params: (route.pathParams ?? z.any()) as z.ZodType,
    query: (route.query ?? z.any()) as z.ZodType,
  });
  return (target) => {
    const groups = path.exec(target)?.groups;
    if (!groups) return undefined;
    const { search, ...params } = groups;
    try {
      const asked = schema.safeParse({ params, query: parseQuery(search) });
      const found = asked.success ? read(asked.data as Asked) : undefined;
      return found?.key === target ? found : undefined;
    } catch {
      return undefined; // not a query string: the long way says why
    }
  };
};

/** What the first one finds that finds something. */
export const firstOf =
  (finds: readonly FindRead[]): FindRead =>
  (target) => {
    for (const find of finds) {
      const read = find(target);
      if (read) return read;
    }
    return undefined;
  };

/** The same implementation, its answers validated where they are made, and kept ready where the route's policy lets them be kept. */
export const preparing = <Implementation>(
  basePath: string,
  routes: AppRouter,
  implementation: Implementation,
  prepared: Prepared,
): { readonly implementation: Implementation; readonly find: FindRead } => {
  const finds: FindRead[] = [];
  const prepare = (route: AppRoute, handler: Handler): Handler => {
    const read = createRead(route, basePath, handler, prepared);
    finds.push(createFind(route, basePath, read));
    return async ({ req, res, ...asked }) => {
      const { key, obtain } = read(asked);
      const fault = outcomeOf(req)?.fault;
      if (fault !== undefined) throw fault;
      await sendAnswer(req, res, prepared, key, await obtain());
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
  return {
    implementation: wrap(routes, implementation) as Implementation,
    find: firstOf(finds),
  };
};
