import type { ApiCall } from '../calls.ts';
import { ConnectionError, type SentRequest } from '../errors.ts';
import { createCall } from '../operations.ts';
import type { CallOptions, ClientOptions } from '../options.ts';
import { type CallRoute, createPreparer } from '../request.ts';
import { createSettings, type Settings } from '../settings.ts';
import type { EnterpriseClient } from './calls.ts';
import { type FileSource, readSnapshotFile, throwAnswerError } from './download.ts';
import { readFeed } from './feed.ts';
import { readSnapshot } from './snapshot.ts';
import { untilAnswered } from './temporary.ts';

/**
 * Options of a client for customers. The store of answers is off: nothing here is public.
 * @example const options: EnterpriseOptions = { baseUrl: 'https://brokers.example', key: 'bte_live_…' };
 */
export interface EnterpriseOptions extends Omit<ClientOptions, 'token' | 'store'> {
  /** The key, or a function that gives one for each try. */
  readonly key: ClientOptions['token'];
}

const API = '/enterprise/v1';

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
} as const satisfies Record<string, CallRoute>;

/**
 * Creates a client for customers with a key.
 * @throws TypeError, RangeError as `createClient` does
 * @example
 * const client = createEnterpriseClient({ baseUrl: 'https://brokers.example', key: process.env.BROKER_KEY });
 * for await (const { entries } of client.feed()) console.log(entries.length);
 */
export const createEnterpriseClient = ({ key, ...options }: EnterpriseOptions): EnterpriseClient => {
  const settings = createSettings({ ...options, token: key, store: false });
  const calls = Object.fromEntries(
    Object.entries(ROUTES).map(([name, route]) => {
      const prepare = createPreparer(`enterprise.${name}`, { ...route, api: API }, settings);
      return [name, createCall(prepare, settings, undefined).throwing];
    }),
  ) as Record<keyof typeof ROUTES, <T>(...args: unknown[]) => ApiCall<T>>;
  const source = (signal: AbortSignal | undefined): FileSource => ({ settings, signal });
  const files = `${settings.base}${API}/snapshots`;
  const client: EnterpriseClient = {
    account: calls.account,
    usage: calls.usage,
    snapshots: calls.snapshots,
    manifest: (number, callOptions) => calls.manifest(String(number), callOptions),
    changes: (query, callOptions) => calls.changes(query, patient(query?.wait, callOptions, settings)),
    feed: (feedOptions = {}) => readFeed(client, feedOptions),
    snapshot: (number, snapshotOptions = {}) => readSnapshot(client, number, snapshotOptions),
    file: (number, name, from = 0, signal) =>
      readSnapshotFile(source(signal), `${files}/${number}/files/${encodeURIComponent(name)}`, from),
    logFile: async (log, path, signal) => {
      const url = `${settings.base}/transparency/v1/log/${encodeURIComponent(log)}/${path}`;
      const request: SentRequest = { method: 'GET', url, idempotencyKey: undefined };
      // a record of millions has more tiles than an address may read in a minute
      return untilAnswered(signal, async () => {
        const lost = (cause: unknown): never => {
          signal?.throwIfAborted();
          throw new ConnectionError(`GET ${url} got no answer: ${(cause as Error).message}`, request, { cause });
        };
        const response = await settings.fetch(url, { signal: signal ?? null }).catch(lost);
        if (response.ok) return new Uint8Array(await response.arrayBuffer().catch(lost));
        if (response.status !== 404) return throwAnswerError(request, response);
        await response.body?.cancel();
        return undefined;
      });
    },
  };
  return client;
};
