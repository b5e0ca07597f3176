import type {
  ChangesPage,
  EnterpriseAccount,
  EnterpriseUsage,
  SnapshotList,
  SnapshotManifest,
} from '@broker-transparency/contract/enterprise';
import { ApiCall } from '../calls.ts';
import type { CallOptions, ClientOptions } from '../options.ts';
import { type PreparedRequest, preparer, type Route } from '../request.ts';
import { send } from '../send.ts';
import { type Settings, settingsOf } from '../settings.ts';
import { type FileSource, readSnapshotFile } from './download.ts';
import { type FeedOptions, readFeed } from './feed.ts';
import { readSnapshot, type SnapshotEntry, type SnapshotOptions } from './snapshot.ts';

/**
 * Options of a client for customers. `baseUrl` is that of the other clients (`…/api/v1`), or the origin alone. The store
 * of answers is off: nothing here is public.
 * @example const options: EnterpriseOptions = { baseUrl: 'https://brokers.example', key: 'bte_live_…' };
 */
export interface EnterpriseOptions extends Omit<ClientOptions, 'token' | 'store'> {
  /** The key, or a function that gives one for each try. */
  readonly key: ClientOptions['token'];
}

/**
 * What is asked of the feed.
 * @example const query: ChangesQuery = { after: 41, wait: 25 };
 */
export interface ChangesQuery {
  /** The last number that you have. Default: none. */
  readonly after?: number | undefined;
  /** Most entries of the page. */
  readonly limit?: number | undefined;
  /** Most seconds to wait for something new. */
  readonly wait?: number | undefined;
  readonly kind?: string | undefined;
  readonly broker?: string | undefined;
  readonly watchlist?: string | undefined;
}

/**
 * Calls for customers. They reject with the errors of the other clients.
 * @example const nameOf = async (client: EnterpriseClient) => (await client.account()).name;
 */
export interface EnterpriseClient {
  /** Your organisation, its plan, and what this key may do. */
  account(options?: CallOptions): ApiCall<EnterpriseAccount>;
  /** What your organisation has used in a month (`2026-11`); the current one by default. */
  usage(query?: { readonly month?: string }, options?: CallOptions): ApiCall<EnterpriseUsage>;
  /** The snapshots that are kept, the newest first. */
  snapshots(options?: CallOptions): ApiCall<SnapshotList>;
  /** What a snapshot contains. */
  manifest(number: number, options?: CallOptions): ApiCall<SnapshotManifest>;
  /** One page of the feed. */
  changes(query?: ChangesQuery, options?: CallOptions): ApiCall<ChangesPage>;
  /**
   * The pages of the feed, without end: it waits for what is new, and goes on after a lost connection and after refusals
   * that pass. With `wait: 0` it ends where the record ends.
   * @example for await (const { entries } of client.feed({ after: 41 })) console.log(entries);
   */
  feed(options?: FeedOptions): AsyncGenerator<ChangesPage, void, undefined>;
  /**
   * The entries of a snapshot. Each file is checked against its SHA-256 before its first entry is given.
   * @throws ProofError
   * @example for await (const { entry } of client.snapshot('latest')) console.log(entry.key);
   */
  snapshot(number: number | 'latest', options?: SnapshotOptions): AsyncGenerator<SnapshotEntry, void, undefined>;
  /**
   * A file of a snapshot, in pieces, as it is stored. It goes on where a connection was lost.
   * @param from where to begin: the number of bytes that you have
   */
  file(number: number, name: string, from?: number, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined>;
  /** A file of the public log, which needs no key, such as a tile of hashes; undefined if there is none. */
  logFile(log: string, path: string, signal?: AbortSignal): Promise<Uint8Array | undefined>;
}

const BASE = /\/api\/v1$/;

/** Adds the path of the public API to an origin. */
const publicBase = (baseUrl: string): string =>
  typeof baseUrl === 'string' && !BASE.test(baseUrl.replace(/\/$/, ''))
    ? `${baseUrl.replace(/\/$/, '')}/api/v1`
    : baseUrl;

/** What customers get lies beside the public API. */
const moved = (prepared: PreparedRequest): PreparedRequest => {
  const base = prepared.base.replace(BASE, '/enterprise/v1');
  prepared.sent.url = base + prepared.sent.url.slice(prepared.base.length);
  return { ...prepared, base };
};

/** Seconds that an answer may take after the wait is over. */
const AFTER_WAIT_MS = 10_000;

/** A call that waits needs longer limits. */
const patient = (wait: number | undefined, options: CallOptions | undefined, settings: Settings): CallOptions => {
  const { timeoutMs, tryTimeoutMs } = settings.limits;
  const leastMs = (wait ?? 0) * 1000 + AFTER_WAIT_MS;
  return wait
    ? { timeoutMs: Math.max(timeoutMs, leastMs), tryTimeoutMs: Math.max(tryTimeoutMs, leastMs), ...options }
    : (options ?? {});
};

/** The routes by the name of their call. */
const ROUTES = {
  account: { path: '/account' },
  usage: { path: '/usage', query: true },
  snapshots: { path: '/snapshots' },
  manifest: { path: '/snapshots/{number}' },
  changes: { path: '/changes', query: true },
} as const satisfies Record<string, Route>;

/**
 * Creates a client for customers with a key.
 * @throws TypeError, RangeError as `createClient` does
 * @example
 * const client = createEnterpriseClient({ baseUrl: 'https://brokers.example', key: process.env.BROKER_KEY });
 * for await (const { entries } of client.feed()) console.log(entries.length);
 */
export const createEnterpriseClient = ({ key, baseUrl, ...options }: EnterpriseOptions): EnterpriseClient => {
  const settings = settingsOf({ ...options, baseUrl: publicBase(baseUrl), token: key, store: false });
  const prepare = Object.fromEntries(
    Object.entries(ROUTES).map(([name, route]) => [name, preparer(`enterprise.${name}`, route, settings)]),
  ) as Record<keyof typeof ROUTES, ReturnType<typeof preparer>>;
  const call = <T>(name: keyof typeof ROUTES, ...args: unknown[]): ApiCall<T> => {
    const answer = (async () => send(moved(prepare[name](args)), settings))();
    return new ApiCall(() => answer) as ApiCall<T>;
  };
  const source = (signal: AbortSignal | undefined): FileSource => ({ settings, signal });
  const files = settings.base.replace(BASE, '/enterprise/v1/snapshots');
  const client: EnterpriseClient = {
    account: (callOptions) => call('account', callOptions),
    usage: (query, callOptions) => call('usage', query, callOptions),
    snapshots: (callOptions) => call('snapshots', callOptions),
    manifest: (number, callOptions) => call('manifest', String(number), callOptions),
    changes: (query, callOptions) => call('changes', query, patient(query?.wait, callOptions, settings)),
    feed: (feedOptions = {}) => readFeed(client, feedOptions),
    snapshot: (number, snapshotOptions = {}) => readSnapshot(client, number, snapshotOptions),
    file: (number, name, from = 0, signal) =>
      readSnapshotFile(source(signal), `${files}/${number}/files/${encodeURIComponent(name)}`, from),
    logFile: async (log, path, signal) => {
      const url = `${settings.base.replace(BASE, '/transparency/v1/log')}/${encodeURIComponent(log)}/${path}`;
      const response = await settings.fetch(url, { signal: signal ?? null });
      if (response.ok) return new Uint8Array(await response.arrayBuffer());
      await response.body?.cancel();
      if (response.status === 404) return undefined;
      throw new Error(`${url} answers ${response.status}`);
    },
  };
  return client;
};
