import type { Operations, ProblemCode } from '@broker-transparency/client';
import type { RecordOperations } from '@broker-transparency/client/record';
import {
  BASE_PATH,
  contract,
  type LIMITS,
  PROBLEMS,
  TRANSPARENCY_BASE_PATH,
  transparencyContract,
} from '@broker-transparency/contract';

/** A permission of a token. */
export type Scope = 'reviews:write' | 'complaints:write' | 'account:read' | 'account:write';

type CallNames<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends { codes: string } ? `${Prefix}${K}` : CallNames<T[K], `${Prefix}${K}.`>;
}[keyof T & string];

/**
 * The name of a call in the client.
 * @example const call: CallName = 'brokers.get';
 */
export type CallName = CallNames<Operations> | CallNames<Pick<RecordOperations, 'brokers'>, 'record.'>;

/** The part of a contract schema that the server uses. */
export interface RouteSchema {
  readonly shape?: Readonly<Record<string, unknown>>;
  safeParse(value: unknown): { data?: unknown; error?: { issues: readonly Issue[] } | undefined };
}

/** One issue that a schema reports. */
export interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly values?: readonly unknown[];
  readonly params?: { readonly code?: string };
}

/** A route of the contract with its policy. */
interface PolicyRoute {
  readonly method: string;
  readonly path: string;
  readonly pathParams?: RouteSchema;
  readonly query?: RouteSchema;
  readonly headers?: RouteSchema;
  readonly body?: RouteSchema;
  readonly responses: Readonly<Record<number, RouteSchema>>;
  readonly metadata: {
    readonly access: 'public' | 'token' | { readonly scope: Scope; readonly kyc: boolean };
    readonly cache: 'catalog' | 'none';
    readonly limit: keyof typeof LIMITS;
    readonly idempotency?: 'key' | 'key-or-body';
    readonly moved?: string;
  };
}

export interface NamedRoute extends PolicyRoute {
  readonly call: CallName;
  /** The path before that of the route. */
  readonly basePath: string;
  readonly pattern: RegExp;
  /** Status of the successful answer. */
  readonly status: number;
}

interface PolicyTree {
  readonly [name: string]: PolicyRoute | PolicyTree;
}

const isRoute = (node: PolicyRoute | PolicyTree): node is PolicyRoute => typeof node['method'] === 'string';

const flattenRoutes = (basePath: string, node: PolicyTree, prefix = ''): NamedRoute[] =>
  Object.entries(node).flatMap(([key, child]) => {
    if (!isRoute(child)) return flattenRoutes(basePath, child, `${prefix}${key}.`);
    const pattern = new RegExp(`^${basePath}${child.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
    const status = Math.min(...Object.keys(child.responses).map(Number));
    return [{ ...child, call: `${prefix}${key}` as CallName, basePath, pattern, status }];
  });

/** Every route that has a call. */
export const ROUTES: readonly NamedRoute[] = [
  ...flattenRoutes(BASE_PATH, contract as unknown as PolicyTree),
  ...flattenRoutes(
    TRANSPARENCY_BASE_PATH,
    { brokers: transparencyContract.brokers } as unknown as PolicyTree,
    'record.',
  ),
];

/** An error that becomes an error answer. */
export class Refusal extends Error {
  readonly code: ProblemCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly object[] | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    { headers = {}, errors }: { headers?: Readonly<Record<string, string>>; errors?: readonly object[] } = {},
  ) {
    super(detail);
    this.code = code;
    this.headers = headers;
    this.errors = errors;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}
