import type { Operations } from './generated/api.ts';
import { routes } from './generated/routes.ts';
import type { CallOptions, ClientOptions, WriteOptions } from './options.ts';
import { prepare, type Route } from './request.ts';
import { send } from './send.ts';
import { type Settings, settingsOf } from './settings.ts';

interface Operation {
  readonly args: readonly unknown[];
  readonly answer: unknown;
}

type OptionsOf<R> = R extends { readonly body: true } ? WriteOptions : CallOptions;

type Call<O extends Operation, R> = (...args: [...args: O['args'], options?: OptionsOf<R>]) => Promise<O['answer']>;

/** A call for every operation, in the same groups. */
type Calls<O, R> = {
  readonly [K in keyof O]: K extends keyof R ? (O[K] extends Operation ? Call<O[K], R[K]> : Calls<O[K], R[K]>) : never;
};

/**
 * All calls of the API, in groups. Each answers the body, or throws a {@link BrokerTransparencyError}.
 * @example const ratings = (client: Client) => client.brokers.list({ color: 'green' });
 */
export interface Client extends Calls<Operations, typeof routes> {}

interface RouteTree {
  readonly [key: string]: Route | RouteTree;
}

const isRoute = (node: Route | RouteTree): node is Route => typeof node['method'] === 'string';

const callsOf = (node: Route | RouteTree, settings: Settings): unknown =>
  isRoute(node)
    ? async (...args: unknown[]) => send(prepare(node, args, settings), settings)
    : Object.fromEntries(Object.entries(node).map(([key, child]) => [key, callsOf(child, settings)]));

/**
 * Makes a client.
 * @throws TypeError where `baseUrl` does not end in `/api/v1`, or `token` or a header cannot be sent
 * @throws RangeError for a `timeoutMs` that is not above 0
 * @example
 * const client = createClient({ baseUrl: 'https://brokers.example/api/v1' });
 * const broker = await client.brokers.get('alpha-markets');
 */
export const createClient = (options: ClientOptions): Client => callsOf(routes, settingsOf(options)) as Client;
