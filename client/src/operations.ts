import { ApiCall, failed, type SafeResult, succeeded } from './calls.ts';
import type { ConnectionError, InvalidResponseError, TimeoutError } from './errors.ts';
import type { ApiResponse } from './exchange.ts';
import type { KnownApiError } from './generated/known-errors.ts';
import { type CallSender, createSafeList, ListCall, type Pages, type PagesFactory, type SafeListCall } from './list.ts';
import type { CallOptions, WriteOptions } from './options.ts';
import type { CallRoute, PreparedRequest } from './request.ts';
import { send } from './send.ts';
import type { Settings } from './settings.ts';

export interface Operation {
  readonly args: readonly unknown[];
  readonly answer: unknown;
  readonly codes: string;
}

type RouteOptions<R> = R extends { readonly key: true } ? WriteOptions : CallOptions;

/**
 * The errors of a call that can answer these codes. `switch (error.code)` narrows it.
 * @example const show = (error: CallError<'broker_not_found'>) => console.error(error.code, error.message);
 */
export type CallError<Code extends string> =
  | Extract<KnownApiError, { readonly code: Code }>
  | ConnectionError
  | InvalidResponseError
  | TimeoutError;

/** The return types of an operation in both calling styles. */
export interface Results<O extends Operation> {
  readonly throwing: O extends { readonly item: infer Item } ? ListCall<O['answer'], Item> : ApiCall<O['answer']>;
  readonly safe: O extends { readonly item: infer Item }
    ? SafeListCall<O['answer'], Item, CallError<O['codes']>>
    : Promise<SafeResult<O['answer'], CallError<O['codes']>>>;
}

/** A function for every operation, in the same groups as the operations. */
export type Calls<O, R, Way extends keyof Results<Operation>> = {
  readonly [K in keyof O]: K extends keyof R
    ? O[K] extends Operation
      ? (...args: [...args: O[K]['args'], options?: RouteOptions<R[K]>]) => Results<O[K]>[Way]
      : Calls<O[K], R[K], Way>
    : never;
};

/** Routes, and groups of them. */
export interface RouteTree {
  readonly [key: string]: CallRoute | RouteTree;
}

const isRoute = (node: CallRoute | RouteTree): node is CallRoute => typeof node['path'] === 'string';

type CallFunction = (...args: unknown[]) => unknown;

/**
 * Returns one call as two functions, one for each calling style.
 * @param pagesOf set if it is a list
 */
export const createCall = (
  prepare: (args: readonly unknown[]) => PreparedRequest,
  settings: Settings,
  pagesOf: PagesFactory | false | undefined,
): Record<keyof Results<Operation>, CallFunction> => {
  // rejects, and does not throw, for arguments that cannot be sent
  const answered: CallSender = async (args) => send(prepare(args), settings);
  if (!pagesOf)
    return {
      throwing: (...args) => {
        const answer = answered(args);
        return new ApiCall(() => answer);
      },
      safe: (...args) => answered(args).then(succeeded, failed),
    };
  const createList =
    (make: (first: Promise<ApiResponse>, pages: Pages<unknown>) => unknown): CallFunction =>
    (...args) => {
      const first = answered(args);
      return make(first, pagesOf(first, args, answered));
    };
  return { throwing: createList((first, pages) => new ListCall(first, pages)), safe: createList(createSafeList) };
};

/** Makes something of each route, in the same groups. */
export const mapRoutes = (
  node: RouteTree,
  leaf: (name: string, route: CallRoute) => unknown,
  prefix = '',
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(node).map(([key, child]) => [
      key,
      isRoute(child) ? leaf(prefix + key, child) : mapRoutes(child, leaf, `${prefix}${key}.`),
    ]),
  );
