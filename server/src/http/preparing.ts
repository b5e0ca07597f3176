import { CACHES, type RouteMeta } from '@broker-transparency/contract';
import { type AppRoute, type AppRouter, isAppRoute, validateResponse } from '@ts-rest/core';
import type { Request, Response } from 'express';
import * as z from 'zod';
import { type Answer, type Prepared, toAnswer } from './prepared.ts';
import { sendAnswer } from './replies.ts';

interface HandlerArgs {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly req: Request;
  readonly res: Response;
}
type Handler = (args: HandlerArgs) => Promise<{ readonly status: number; readonly body: unknown }>;

/** What a parameter is where nobody says. */
const defaultOf = (schema: unknown): unknown => (schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined);

/**
 * The one address of an answer: parameters in the order of the contract, without those that say what goes without saying. Only
 * what the contract has checked gets here.
 */
export const canonicalTarget = (
  route: Pick<AppRoute, 'path'> & { readonly query?: unknown },
  basePath: string,
  { params, query }: Pick<HandlerArgs, 'params' | 'query'>,
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
export const tagsOf = ({ shows = [] }: RouteMeta, { params, query }: Pick<HandlerArgs, 'params' | 'query'>): string[] =>
  shows.map((tag) => tag.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? query[name])));

/** A handler whose answers are held to the contract. */
const validated =
  (route: AppRoute, handler: Handler): Handler =>
  async (args) => {
    const { status, body } = await handler(args);
    return { status, body: validateResponse({ appRoute: route, response: { status, body } }).body };
  };

/** A handler whose answers are kept ready. */
const prepare =
  (route: AppRoute, handler: Handler, prepared: Prepared): Handler =>
  async (args) => {
    const { req, res } = args;
    const key = canonicalTarget(route, req.baseUrl, args);
    const build = async (): Promise<Answer> => {
      const builtAt = Date.now();
      const { body } = await handler(args);
      const link = res.get('Link');
      return toAnswer(
        body,
        { 'Cache-Control': String(res.get('Cache-Control')), ...(link ? { Link: link } : {}) },
        builtAt,
      );
    };
    const answer = await prepared.obtain(key, tagsOf(route.metadata as RouteMeta, args), build);
    await sendAnswer(req, res, prepared, key, answer);
    return { status: 200, body: undefined };
  };

/** The same implementation, its answers validated where they are made, and kept ready where the route's policy lets them be kept. */
export const preparing = <Implementation>(
  routes: AppRouter,
  implementation: Implementation,
  prepared: Prepared,
): Implementation => {
  const wrap = (schema: AppRoute | AppRouter, part: unknown): unknown => {
    if (!isAppRoute(schema))
      return Object.fromEntries(
        Object.entries(part as object).map(([name, inner]) => [
          name,
          wrap(schema[name] as AppRoute | AppRouter, inner),
        ]),
      );
    const handler = validated(schema, part as Handler);
    return CACHES[(schema.metadata as RouteMeta).cache] ? prepare(schema, handler, prepared) : handler;
  };
  return wrap(routes, implementation) as Implementation;
};
