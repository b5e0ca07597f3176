import * as z from 'zod';
import { accountContract } from '../account.ts';
import { contract } from '../contract.ts';
import type { RouteMeta } from '../metadata.ts';
import { NoBody } from '../primitives.ts';
import type { ProblemCode } from '../problem.ts';
import type { AppRoute } from '../rest.ts';
import { transparencyContract } from '../transparency.ts';

/** A route's policy in a document. Its scopes and budgets are those of its contract. */
export type RoutePolicy = Omit<RouteMeta, 'access' | 'limit'> & {
  readonly access: 'public' | 'token' | { readonly scope: string; readonly kyc: boolean };
  readonly limit: string;
};

/** A route of the contract. Its id is its dotted path in the contract, such as `brokers.list`. */
export interface NamedRoute {
  readonly id: string;
  /** The first part of the id, which is the resource. */
  readonly tag: string;
  readonly method: string;
  /** In the notation of OpenAPI: `/brokers/{slug}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly policy: RoutePolicy;
  readonly parameters: { readonly [place in 'path' | 'query' | 'header']: Readonly<Record<string, z.ZodType>> };
  readonly body: z.ZodType | undefined;
  readonly success: { readonly status: string; readonly schema: z.ZodType };
  readonly failures: readonly { readonly status: string; readonly codes: readonly ProblemCode[] }[];
}

/** Routes, and groups of them. */
export interface RouteBranch {
  readonly [key: string]: AppRoute | RouteBranch;
}

const isRoute = (node: AppRoute | RouteBranch): node is AppRoute => typeof node['method'] === 'string';

const readShape = (schema: unknown): Readonly<Record<string, z.ZodType>> =>
  schema instanceof z.ZodObject ? schema.shape : {};

const requireSchema = (schema: unknown): z.ZodType => {
  if (schema instanceof z.ZodType) return schema;
  throw new TypeError('a body in the contract is not a zod schema');
};

const splitAnswers = (route: AppRoute): Pick<NamedRoute, 'success' | 'failures'> => {
  const answers = Object.entries(route.responses).map(([status, schema]) => ({
    status,
    schema: requireSchema(schema),
  }));
  const success = answers.find(({ status }) => status.startsWith('2'));
  if (success === undefined) throw new TypeError(`${route.path} has no 2xx answer`);
  const failures = answers.filter((answer) => answer !== success);
  return {
    success,
    failures: failures.map(({ status, schema }) => ({
      status,
      codes: z.globalRegistry.get(schema)?.['problemCodes'] as readonly ProblemCode[],
    })),
  };
};

const toNamedRoute = (id: string, route: AppRoute): NamedRoute => ({
  id,
  tag: id.split('.')[0] as string,
  method: route.method.toLowerCase(),
  path: route.path.replace(/:(\w+)/g, '{$1}'),
  summary: route.summary ?? '',
  description: route.description,
  policy: route.metadata as RoutePolicy,
  parameters: {
    path: readShape(route.pathParams),
    query: readShape(route.query),
    header: readShape(route.headers),
  },
  body: 'body' in route && route.body != null && route.body !== NoBody ? requireSchema(route.body) : undefined,
  ...splitAnswers(route),
});

/** Returns every route below a node. Their ids begin with `path`. */
export const listRoutes = (node: AppRoute | RouteBranch, path: readonly string[]): NamedRoute[] =>
  isRoute(node)
    ? [toNamedRoute(path.join('.'), node)]
    : Object.entries(node).flatMap(([key, child]) => listRoutes(child, [...path, key]));

/** Returns every route of the contract, in the contract's order. */
export const namedRoutes = (): NamedRoute[] => listRoutes(contract, []);

/** Returns the routes by which anybody can check the service. */
export const recordRoutes = (): NamedRoute[] => listRoutes(transparencyContract, []);

/** Returns every route with which people see and change their own submissions. */
export const accountRoutes = (): NamedRoute[] => listRoutes(accountContract, []);
