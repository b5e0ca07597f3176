import type { Operations } from '@broker-transparency/client';
import type { AccountOperations } from '@broker-transparency/client/account';
import type { EnterpriseOperations } from '@broker-transparency/client/enterprise';
import type { RecordOperations } from '@broker-transparency/client/record';
import { PROBLEMS, type ProblemCode, TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { ENTERPRISE_BASE_PATH, type EnterpriseScope } from '@broker-transparency/contract/enterprise';
import { ROUTES as SERVICE_ROUTES, type ServiceRoute } from '@broker-transparency/contract/routes';
import { LOG_NAME } from './log.ts';

/** A permission of a token. */
export type Scope = 'reviews:write' | 'complaints:write' | 'account:read' | 'account:write';

type CallNames<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends { codes: string } ? `${Prefix}${K}` : CallNames<T[K], `${Prefix}${K}.`>;
}[keyof T & string];

/** The name of a call with a person's token, such as `account.mail.show`. */
export type AccountCallName = CallNames<AccountOperations, 'account.'>;

/** The name of a call with a customer's key, such as `enterprise.feed.changes`. */
export type EnterpriseCallName = CallNames<EnterpriseOperations, 'enterprise.'> | 'enterprise.files.readSnapshotFile';

/** The name of a call about the record or its log. */
export type RecordCallName = CallNames<RecordOperations, 'record.'> | 'enterprise.files.readLogFile';

/**
 * The name of a call in the client.
 * @example const call: CallName = 'brokers.get';
 */
export type CallName = CallNames<Operations> | RecordCallName | AccountCallName | EnterpriseCallName;

/** The name of a budget of requests. */
export type BudgetName = 'public' | 'history' | 'log' | 'enterprise' | 'record';

/** The part of a contract schema that the server uses. */
export interface RouteSchema {
  readonly shape?: Readonly<Record<string, unknown>>;
  safeParse(value: unknown): { data?: unknown; error?: { issues: readonly RequestIssue[] } | undefined };
}

/** One issue that a schema reports. */
export interface RequestIssue {
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
    readonly access: 'public' | 'token' | { readonly scope: Scope | EnterpriseScope; readonly kyc: boolean };
    readonly cache: 'catalog' | 'none';
    readonly limit: Exclude<BudgetName, 'record'>;
    /** `record`: the request counts against that budget, too. */
    readonly costs?: 'record';
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

/** Returns a route of the contract, with what finds it. */
const nameRoute = ({ name, ...route }: PolicyRoute & Pick<ServiceRoute, 'name' | 'basePath'>): NamedRoute => ({
  ...route,
  call: name as CallName,
  pattern: new RegExp(`^${route.basePath}${route.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  status: Math.min(...Object.keys(route.responses).map(Number)),
});

/** A route of files, which no schema describes. */
const createFileRoute = (
  call: CallName,
  basePath: string,
  path: string,
  metadata: NamedRoute['metadata'],
): NamedRoute => {
  const pattern = new RegExp(`^${basePath}${path}$`);
  return { call, basePath, path, pattern, method: 'GET', status: 200, responses: {}, metadata };
};

/** Every route that has a call. */
export const ROUTES: readonly NamedRoute[] = [
  ...(SERVICE_ROUTES as unknown as Parameters<typeof nameRoute>[0][]).map(nameRoute),
  createFileRoute('enterprise.files.readLogFile', TRANSPARENCY_BASE_PATH, `/log/${LOG_NAME}/(?<path>.+)`, {
    access: 'public',
    limit: 'log',
    cache: 'none',
  }),
  createFileRoute(
    'enterprise.files.readSnapshotFile',
    ENTERPRISE_BASE_PATH,
    '/snapshots/(?<number>[^/]+)/files/(?<name>[^/]+)',
    { access: { scope: 'snapshots:read', kyc: false }, limit: 'enterprise', cache: 'none' },
  ),
];

/** An error that becomes an error answer. */
export class CallRefusal extends Error {
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
