import * as z from 'zod';
import type { AppRoute } from '../endpoints/rest.ts';

/** Parameters of a request, checked by the schemas of its route. */
export interface RequestParams {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | readonly string[] | undefined>>;
}

type RouteTemplate = Pick<AppRoute, 'path'> & { readonly query?: unknown };

/** Returns the parameters of the query in the order of the contract, with their defaults. */
const listParameters = ({ query }: RouteTemplate): [name: string, usual: unknown][] =>
  Object.entries(query instanceof z.ZodObject ? query.shape : {}).map(([name, schema]) => [
    name,
    schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined,
  ]);

/**
 * Returns the function that formats the canonical address of an answer: parameters in the order of the contract,
 * without those that have their default.
 */
export const createAddressFormatter = (route: RouteTemplate, basePath: string): ((asked: RequestParams) => string) => {
  const parameters = listParameters(route);
  const template = `${basePath}${route.path}`;
  const fillPath = template.includes(':')
    ? ({ params }: RequestParams) =>
        template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    : () => template;
  return (asked) => {
    let search: URLSearchParams | undefined;
    for (const [name, usual] of parameters) {
      const value = asked.query[name];
      if (value === undefined || value === usual) continue;
      search ??= new URLSearchParams();
      search.set(name, String(value));
    }
    return search ? `${fillPath(asked)}?${search}` : fillPath(asked);
  };
};
