import { ApiCall, failed, type SafeResult, succeeded } from './calls.ts';
import type { ConnectionError, InvalidResponseError, TimeoutError } from './errors.ts';
import type { Answered } from './exchange.ts';
import type { Operations } from './generated/api.ts';
import type { KnownApiError } from './generated/known-errors.ts';
import { routes } from './generated/routes.ts';
import { ListCall, type Pages, type SafeListCall, safeList, turning } from './list.ts';
import type { CallOptions, ClientOptions, WriteOptions } from './options.ts';
import type { RateLimit } from './rate-limit.ts';
import { preparer, type Route } from './request.ts';
import { send } from './send.ts';
import { type Settings, settingsOf } from './settings.ts';

interface Operation {
  readonly args: readonly unknown[];
  readonly answer: unknown;
  readonly codes: string;
}

type OptionsOf<R> = R extends { readonly body: true } ? WriteOptions : CallOptions;

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

/** A function for every operation, in the same groups as the operations. */
type Calls<O, R, Way extends keyof Results<Operation>> = {
  readonly [K in keyof O]: K extends keyof R
    ? O[K] extends Operation
      ? (...args: [...args: O[K]['args'], options?: OptionsOf<R[K]>]) => Results<O[K]>[Way]
      : Calls<O[K], R[K], Way>
    : never;
};

/**
 * All calls of the API, in groups. Each resolves with the body of the answer, or rejects with a
 * {@link BrokerTransparencyError}.
 * @example const ratings = (client: Client) => client.brokers.list({ color: 'green' });
 */
export interface Client extends Calls<Operations, typeof routes, 'throwing'> {
  /**
   * The same calls, but they resolve with `{ data, error, response }`. They throw only for the caller's own mistakes
   * and with the caller's abort reason.
   * @example const { data, error } = await client.safe.brokers.get('alpha-markets');
   */
  readonly safe: Calls<Operations, typeof routes, 'safe'>;
  /** The current request budget; undefined before the first answer. */
  readonly rateLimit: RateLimit | undefined;
}

interface RouteTree {
  readonly [key: string]: Route | RouteTree;
}

const isRoute = (node: Route | RouteTree): node is Route => typeof node['path'] === 'string';

type CallFunction = (...args: unknown[]) => unknown;

/** Returns one call as two functions, one for each calling style. */
const callOf = (name: string, route: Route, settings: Settings): Record<keyof Results<Operation>, CallFunction> => {
  const prepare = preparer(name, route, settings);
  const answered = (args: readonly unknown[]): Promise<Answered> => {
    try {
      return send(prepare(args), settings);
    } catch (error) {
      return Promise.reject(error); // the arguments cannot be sent
    }
  };
  if (route.list === undefined)
    return {
      throwing: (...args) => {
        const answer = answered(args);
        return new ApiCall(() => answer);
      },
      safe: (...args) => answered(args).then(succeeded, failed),
    };
  const listing =
    (make: (first: Promise<Answered>, pages: Pages<unknown>) => unknown): CallFunction =>
    (...args) => {
      const [query, ...rest] = args as [{ offset?: number; cursor?: string }?, ...unknown[]];
      const first = answered(args);
      return make(
        first,
        turning(first, (place) => answered([{ ...query, ...place }, ...rest]), query),
      );
    };
  return { throwing: listing((first, pages) => new ListCall(first, pages)), safe: listing(safeList) };
};

const mapRoutes = (
  node: RouteTree,
  leaf: (name: string, route: Route) => unknown,
  prefix = '',
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(node).map(([key, child]) => [
      key,
      isRoute(child) ? leaf(prefix + key, child) : mapRoutes(child, leaf, `${prefix}${key}.`),
    ]),
  );

/**
 * Creates a client.
 * @throws TypeError if `baseUrl` is missing or does not end in `/api/v1`, or if `token` or a header cannot be sent
 * @throws RangeError if `timeoutMs` or `tryTimeoutMs` is not above 0, or `retries` is negative
 * @example
 * const client = createClient({ baseUrl: 'https://brokers.example/api/v1' });
 * const broker = await client.brokers.get('alpha-markets');
 */
export const createClient = (options: ClientOptions): Client => {
  const settings = settingsOf(options);
  const calls = (way: keyof Results<Operation>) =>
    mapRoutes(routes, (name, route) => callOf(name, route, settings)[way]);
  return {
    ...calls('throwing'),
    safe: calls('safe'),
    get rateLimit() {
      return settings.rateLimiter.state;
    },
  } as unknown as Client;
};
