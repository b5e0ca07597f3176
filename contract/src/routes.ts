import { ACCOUNT_BASE_PATH, accountContract } from './account.ts';
import { BASE_PATH, contract } from './contract.ts';
import { ENTERPRISE_BASE_PATH, enterpriseContract } from './enterprise/contract.ts';
import { listRoutes, type Route, type RouteGroup } from './route.ts';
import { TRANSPARENCY_BASE_PATH, transparencyContract } from './transparency.ts';

export type {
  Idempotency,
  Route,
  RouteGroup,
  RoutePolicy,
  SchemaFault,
  SchemaResult,
  StandardSchema,
} from './route.ts';

/** A route with its place in the service. */
export interface ServiceRoute extends Route {
  /** The name of its call in the client: `brokers.list`, `record.brokers.at`. */
  readonly name: string;
  /** The path before its own. */
  readonly basePath: string;
}

const placeRoutes = (basePath: string, group: RouteGroup, prefix?: string): ServiceRoute[] =>
  listRoutes(group, prefix).map(([name, route]) => ({ name, basePath, ...route }));

/** All routes of all contracts. */
export const ROUTES: readonly ServiceRoute[] = [
  ...placeRoutes(BASE_PATH, contract),
  ...placeRoutes(TRANSPARENCY_BASE_PATH, transparencyContract, 'record.'),
  ...placeRoutes(ACCOUNT_BASE_PATH, accountContract, 'account.'),
  ...placeRoutes(ENTERPRISE_BASE_PATH, enterpriseContract, 'enterprise.'),
];
