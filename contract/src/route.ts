/**
 * A schema of any library: the part that zod, Valibot, ArkType and others have in common
 * ([Standard Schema](https://standardschema.dev), version 1).
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    /** Returns the value as the schema reads it, or the reasons why it does not fit. */
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** Exists for the compiler only. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The result of a {@link StandardSchema}: it fits if there are no `issues`. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaFault[] };

/** A reason why a value does not fit, with its place in the value. */
export interface SchemaFault {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * How the server recognises a repeated POST. `key`: by its `Idempotency-Key`. `key-or-body`: a POST without a key also
 * by an equal body from the same account.
 */
export type Idempotency = 'key' | 'key-or-body';

/** The policy of a route, as data. Each contract has scopes and budgets of its own. */
export interface RoutePolicy {
  /**
   * The callers of the route: everyone, the bearer of any valid token, or the bearer of a token with `scope`. If `kyc`
   * is true, the bearer's identity must also be verified.
   */
  readonly access: 'public' | 'token' | { readonly scope: string; readonly kyc: boolean };
  /** Name of the budget that its requests count against. */
  readonly limit: string;
  /** `none`: no cache may keep its answers. */
  readonly cache: 'catalog' | 'none';
  readonly idempotency?: Idempotency;
  /**
   * Cache tags of a cacheable answer, with parameters in braces: `broker:{slug}`. A server with a response cache
   * renders the answer again when what a tag names changes.
   */
  readonly shows?: readonly string[];
  /**
   * The path or query parameter that takes a broker's slug. It can be a former slug, since brokers are renamed and
   * merged: the route then answers 308, for ever, and names the same request with the current slug.
   */
  readonly moved?: string;
}

/** A route as plain data: what it takes, what it answers, and its policy. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Its parameters begin with a colon: `/brokers/:slug`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly pathParams?: StandardSchema;
  readonly query?: StandardSchema;
  readonly headers?: StandardSchema;
  readonly body?: StandardSchema;
  /** Bodies of answers by status. */
  readonly responses: Readonly<Record<number, StandardSchema>>;
  readonly metadata: RoutePolicy;
}

/** Routes and groups of routes by name. */
export interface RouteGroup {
  readonly [name: string]: Route | RouteGroup;
}

const isRoute = (node: Route | RouteGroup): node is Route => typeof node['method'] === 'string';

/** Returns the routes of a group by their dotted names, such as `brokers.list`, in the group's order. */
export const listRoutes = (group: RouteGroup, prefix = ''): [name: string, route: Route][] =>
  Object.entries(group).flatMap(([key, node]): [string, Route][] =>
    isRoute(node) ? [[`${prefix}${key}`, node]] : listRoutes(node, `${prefix}${key}.`),
  );
