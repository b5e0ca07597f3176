import * as z from 'zod';
import { NoBody } from '../primitives.ts';
import type { ProblemCode } from '../problem.ts';
import { listRoutes, type Route, type RouteGroup, type RoutePolicy } from '../route.ts';

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

const readShape = (schema: unknown): Readonly<Record<string, z.ZodType>> =>
  schema instanceof z.ZodObject ? schema.shape : {};

const requireSchema = (schema: unknown): z.ZodType => {
  if (schema instanceof z.ZodType) return schema;
  throw new TypeError('a body in the contract is not a zod schema');
};

const splitAnswers = (route: Route): Pick<NamedRoute, 'success' | 'failures'> => {
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

const toNamedRoute = (id: string, route: Route): NamedRoute => ({
  id,
  tag: id.split('.')[0] as string,
  method: route.method.toLowerCase(),
  path: route.path.replace(/:(\w+)/g, '{$1}'),
  summary: route.summary,
  description: route.description,
  policy: route.metadata,
  parameters: {
    path: readShape(route.pathParams),
    query: readShape(route.query),
    header: readShape(route.headers),
  },
  body: route.body !== undefined && route.body !== NoBody ? requireSchema(route.body) : undefined,
  ...splitAnswers(route),
});

/** Returns every route of a contract, in the contract's order. */
export const nameRoutes = (group: RouteGroup): NamedRoute[] =>
  listRoutes(group).map(([id, route]) => toNamedRoute(id, route));
