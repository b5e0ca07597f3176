import type { AppRoute } from '@ts-rest/core';
import * as z from 'zod';
import { parseQuery } from './query.ts';

/** What is asked for, as the contract understands it. */
export interface Asked {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | undefined>>;
}

type Addressed = Pick<AppRoute, 'path'> & { readonly query?: unknown };

/** Parameters of a query in the order of the contract, with what each is where nobody says. */
const parametersOf = ({ query }: Addressed): [name: string, otherwise: unknown][] =>
  Object.entries(query instanceof z.ZodObject ? query.shape : {}).map(([name, schema]) => [
    name,
    schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined,
  ]);

/**
 * Makes the one address of each answer of a route: parameters in the order of the contract, without those that say what goes
 * without saying. Only what the contract has checked gets here.
 */
export const addressing = (route: Addressed, basePath: string): ((asked: Asked) => string) => {
  const parameters = parametersOf(route);
  const template = `${basePath}${route.path}`;
  const pathOf = template.includes(':')
    ? ({ params }: Asked) => template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    : () => template;
  return (asked) => {
    let search: URLSearchParams | undefined;
    for (const [name, otherwise] of parameters) {
      const value = asked.query[name];
      if (value === undefined || value === otherwise) continue;
      search ??= new URLSearchParams();
      search.set(name, String(value));
    }
    return search ? `${pathOf(asked)}?${search}` : pathOf(asked);
  };
};

/** What a target asks of a route; undefined where Express has to say what is wrong with it. */
type Understand = (params: Asked['params'], search: string | undefined) => Asked | undefined;

const NOTHING = {};

const checking = <T extends object>(schema: unknown): ((given: T) => T | undefined) =>
  schema instanceof z.ZodType ? (given) => schema.safeParse(given).data as T | undefined : (given) => given;

const understanding = (route: AppRoute): Understand => {
  const checkParams = checking<Asked['params']>(route.pathParams);
  const checkQuery = checking<Asked['query']>(route.query);
  return (given, search) => {
    const params = checkParams(given);
    const query = params && checkQuery(search === undefined ? NOTHING : parseQuery(search));
    return query && { params, query };
  };
};

/** One segment at the end is a parameter, or none is. */
const TEMPLATE = /^([^:]*?)(?::(\w+))?$/;

/** What is longer is the address of no answer. */
const MAX_TARGET = 2048;
/** Without what Express reads in ways of its own: `#`, and what is not ASCII. */
const PLAIN_TARGET = /^[!"$-~]*$/;

/** A route, and what is made of what is asked of it. */
export interface Matched<T> {
  readonly route: AppRoute;
  readonly basePath: string;
  readonly read: (asked: Asked) => T;
}

/**
 * Routing by the contract, without Express: what a target asks for, in whatever spelling. It understands less than Express does,
 * and nothing in another way: undefined leaves a target to it.
 */
export const matching = <T>(routes: readonly Matched<T>[]): ((target: string) => T | undefined) => {
  const byPath = new Map<string, Pick<Matched<T>, 'read'> & { name: string | undefined; understand: Understand }>();
  for (const { route, basePath, read } of routes) {
    const [, start, name] = TEMPLATE.exec(`${basePath}${route.path}`) ?? [];
    if (start !== undefined) byPath.set(start, { name, understand: understanding(route), read });
  }
  return (target) => {
    if (target.length > MAX_TARGET || !PLAIN_TARGET.test(target)) return undefined;
    const cut = target.indexOf('?');
    const path = cut < 0 ? target : target.slice(0, cut);
    const last = path.lastIndexOf('/') + 1;
    const found = last === path.length ? undefined : (byPath.get(path) ?? byPath.get(path.slice(0, last)));
    if (!found) return undefined;
    try {
      const params = found.name === undefined ? NOTHING : { [found.name]: path.slice(last) };
      const asked = found.understand(params, cut < 0 ? undefined : target.slice(cut + 1));
      return asked && found.read(asked);
    } catch {
      return undefined; // not a query string
    }
  };
};
