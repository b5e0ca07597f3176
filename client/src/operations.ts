import type { ApiResponse } from './api-response.ts';
import { findCaller, nameCaller } from './call-site.ts';
import { type ApiCall, createApiCall, type SafeResult } from './calls.ts';
import type { ConnectionError, InvalidResponseError, TimeoutError } from './errors.ts';
import type { KnownApiError } from './generated/known-errors.ts';
import {
  type CallingStyle,
  type CallSender,
  createList,
  type ListCall,
  type PagesFactory,
  type SafeListCall,
} from './list.ts';
import type { CallOptions, WriteOptions } from './options.ts';
import type { CallRoute, PreparedRequest } from './request.ts';
import { send } from './send.ts';
import type { Settings } from './settings.ts';

interface Operation {
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
interface Results<O extends Operation> {
  readonly throwing: O extends { readonly item: infer Item } ? ListCall<O['answer'], Item> : ApiCall<O['answer']>;
  readonly safe: O extends { readonly item: infer Item }
    ? SafeListCall<O['answer'], Item, CallError<O['codes']>>
    : Promise<SafeResult<O['answer'], CallError<O['codes']>>>;
}

/**
 * A function for every operation, in the same groups as the operations. The interfaces of calls, such as `Client`,
 * extend it.
 * @example const read = (client: Client) => client.news.list();
 */
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
 * Returns the function of a call.
 * @param createPages set if it is a list
 */
export const createCall = (
  prepare: (args: readonly unknown[]) => PreparedRequest,
  settings: Settings,
  style: CallingStyle,
  createPages: PagesFactory | false | undefined,
): CallFunction => {
  const call: CallFunction = (...args) => {
    // V8 knows who awaits a promise, and looks it up only for an error. To remember each caller takes a tenth of a
    // call's time: lists do it, since their readers await other promises too, and Bun, which knows no such thing.
    const caller = createPages || 'Bun' in globalThis ? findCaller(call) : undefined;
    // rejects, and does not throw, for arguments that cannot be sent
    const request = async (args: readonly unknown[], isPaced?: boolean) => {
      try {
        const prepared = prepare(args);
        const answer = send(prepared, settings, isPaced);
        return await (settings.verify?.(prepared, answer) ?? answer);
      } catch (error) {
        throw nameCaller(error, caller ?? findCaller(request));
      }
    };
    const first = createApiCall<unknown>(request(args));
    if (!createPages) return style.give(first);
    const isPaced = settings.pace !== false;
    const turnPage: CallSender = (next) => request(next, isPaced);
    let begun: Promise<ApiResponse> | undefined;
    // It is not known that the caller reads all pages before they begin to: then the first page waits like the others.
    const begin = () => {
      begun ??= first.withResponse().catch((error) => {
        const isShort = !(error?.retryAfter * 1000 > settings.limits.maxWaitMs);
        if (isPaced && !settings.pace && error?.status === 429 && isShort) return turnPage(args);
        throw error;
      });
      return begun;
    };
    return createList(style, first, begin, createPages(begin, args, turnPage));
  };
  return call;
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
