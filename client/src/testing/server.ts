import type { BrokerDetail, NewsItem, Regulator } from '@broker-transparency/client';
import { BASE_PATH } from '@broker-transparency/contract';
import type { TestAccount } from './accounts.ts';
import type { TestCustomer } from './customers.ts';
import { deliverWebhooks, type SentWebhook } from './deliver.ts';
import { DroppedError, type FaultKind, type FaultOptions } from './faults.ts';
import type { Fixtures } from './fixtures.ts';
import { POLICY } from './log.ts';
import { decideReport, moveReview } from './moderation.ts';
import { openPort, type Port } from './port.ts';
import { type IncomingRequest, respond } from './respond.ts';
import type { ReviewState, StoredComplaint, StoredReport, StoredReview } from './stored.ts';
import { createWorld, type ReceivedRequest, type TestServerOptions } from './world.ts';

/**
 * Checks an origin.
 * @throws TypeError if the address is more than an origin
 */
const checkOrigin = (given: string): string => {
  const origin = given.replace(/\/$/, '');
  if (!/^https?:\/\/[^/]+$/.test(origin) || new URL(origin).origin !== origin)
    throw new TypeError('origin must be the origin of an http or https address, such as https://brokers.example');
  return origin;
};

/** A domain that never belongs to anybody (RFC 2606), so that requests sent there by mistake reach nobody. */
const ORIGIN = 'https://broker-transparency.test';

/**
 * An `AsyncDisposable` if the installed TypeScript knows that type. With an older one, the declaration would not
 * compile.
 */
type AsyncDisposableBase = typeof Symbol extends { readonly asyncDispose: infer S extends symbol }
  ? { readonly [K in S]: () => Promise<void> }
  : object;

/**
 * An in-memory API for tests.
 * @example
 * const server = createTestServer();
 * const client = createClient({ baseUrl: server.baseUrl, fetch: server.fetch, token: server.token() });
 */
export interface TestServer extends AsyncDisposableBase {
  /** Address that `fetch` answers, ending in `/api/v1`. While the server listens, it is the address of the port. */
  readonly baseUrl: string;
  /** Answers like the API. If the connection breaks, it rejects like the platform's `fetch`. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /**
   * Listens on a loopback port, a free one by default. Needs Node, Deno or Bun.
   * @returns the origin, such as `http://127.0.0.1:40123`
   */
  readonly listen: (port?: number) => Promise<string>;
  /** Closes the port and drops the waiting requests. */
  readonly close: () => Promise<void>;
  /** Restores the initial state, without tokens and faults. Keeps the options and the port. */
  readonly reset: () => void;

  /**
   * The policy (c2sp.org/tlog-policy) by which proofs and checkpoints of this server verify: its log and its witness.
   * No real log has these keys.
   */
  readonly policy: string;
  /**
   * Creates a token with an account of its own. By default its holder is a verified person, and it has every scope.
   */
  readonly token: (account?: TestAccount) => string;
  /**
   * Changes the account of a token.
   * @throws TypeError for a token that this server did not issue
   */
  readonly changeAccount: (token: string, change: TestAccount) => void;
  /** Creates a key with an organisation of its own. By default it has every right of a customer. */
  readonly key: (customer?: TestCustomer) => string;
  /**
   * Changes the organisation of a key.
   * @throws TypeError for a key that this server did not issue
   */
  readonly changeCustomer: (key: string, change: TestCustomer) => void;
  /**
   * Sends each endpoint what is due, signed, and resolves with what was sent. Nothing else sends webhooks but the call
   * `webhooks.test`. They are signed for the time now, which receivers compare with their own clock.
   */
  readonly deliverWebhooks: () => Promise<SentWebhook[]>;
  /**
   * Plans a fault for the next requests. Several faults apply in the order in which they were planned.
   * @throws TypeError for an unknown name, RangeError for a number that is not in range
   */
  readonly fail: (kind: FaultKind, options?: FaultOptions) => void;
  /**
   * Adds fixtures, or replaces those with the same slug, code or id. With the cause `correction`, the record shows a
   * change of a broker as the correction of a mistake.
   * @throws TypeError if a fixture does not fit the contract
   */
  readonly add: (fixtures: Fixtures, cause?: 'fact' | 'correction') => void;
  /**
   * Changes a review's status as a moderator or its author would. Published reviews appear and count.
   * @throws TypeError for an unknown review or a change that its status does not allow
   */
  readonly moveReview: (id: string, to: ReviewState) => void;
  /**
   * Decides a report as a moderator would: the review is kept, or removed.
   * @throws TypeError for an unknown report, or one that is decided
   */
  readonly decideReport: (id: string, outcome: 'kept' | 'removed') => void;

  /** The requests that the server received, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** All stored reviews, including those that the API does not show. */
  readonly reviews: readonly StoredReview[];
  readonly complaints: readonly StoredComplaint[];
  readonly reports: readonly StoredReport[];
  /** All brokers as `brokers.get` answers them, best score first. */
  readonly brokers: readonly BrokerDetail[];
  readonly regulators: readonly Regulator[];
  /** All news, newest first. */
  readonly news: readonly NewsItem[];
}

const readIncoming = async (request: Request): Promise<IncomingRequest> => ({
  method: request.method,
  url: new URL(request.url),
  headers: request.headers,
  bytes: new Uint8Array(await request.arrayBuffer()),
  signal: request.signal,
});

/** Returns an answer's body as a stream of pieces. An error between the pieces breaks the stream. */
const toStream = (pieces: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });

/** Rejects as soon as the signal is aborted, like the platform's `fetch`, whatever the server is still doing. */
const runAbortable = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work()
      .then(resolve, (error: unknown) => {
        reject(error instanceof DroppedError ? new TypeError('fetch failed', { cause: error }) : error);
      })
      .finally(() => signal.removeEventListener('abort', stop));
  });

/**
 * Creates an in-memory API that answers all calls of the contract. Its fictional data depends only on its seed.
 * @throws TypeError if a fixture does not fit the contract
 * @example
 * const server = createTestServer({ fixtures: { brokers: [{ slug: 'no-licence', color: 'red' }] } });
 * const client = createClient({ baseUrl: server.baseUrl, fetch: server.fetch });
 * server.fail('unavailable', { call: 'brokers.get' });
 */
export const createTestServer = (options: TestServerOptions = {}): TestServer => {
  const home = checkOrigin(options.origin ?? ORIGIN);
  let world = createWorld(options);
  let port: Port | undefined;
  const close = async () => {
    world.pauses.end();
    await port?.close();
    port = undefined;
  };
  const send = async (request: Request): Promise<Response> => {
    const { origin } = new URL(request.url);
    if (origin !== home && origin !== port?.origin)
      throw new TypeError(`fetch failed: the test server answers ${home + BASE_PATH}, not ${origin}`);
    const { status, headers, body = null, pieces } = await respond(await readIncoming(request), world);
    return new Response(pieces ? toStream(pieces()) : body, { status, headers });
  };
  return {
    get baseUrl() {
      return (port?.origin ?? home) + BASE_PATH;
    },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      return runAbortable(request.signal, () => send(request));
    },
    listen: async (at = 0) => {
      port ??= await openPort((incoming) => respond(incoming, world), at);
      return port.origin;
    },
    close,
    [Symbol.asyncDispose]: close, // on a platform without that symbol, this is an unused property
    reset: () => {
      world.pauses.end();
      world = createWorld(options);
    },
    policy: POLICY,
    token: (account = {}) => world.accounts.create(account),
    changeAccount: (token, change) => world.accounts.change(token, change),
    key: (customer = {}) => world.customers.create(customer),
    changeCustomer: (key, change) => world.customers.change(key, change),
    deliverWebhooks: () => deliverWebhooks(world.customers.list(), world.state, world.sendWebhook, world.now),
    fail: (kind, faultOptions = {}) => world.faults.plan(kind, faultOptions),
    add: (fixtures, cause = 'fact') => world.state.add(fixtures, world.now(), cause),
    moveReview: (id, to) => moveReview(world.state, id, to, world.now()),
    decideReport: (id, outcome) => decideReport(world.state, id, outcome, world.now()),
    get requests() {
      return world.received;
    },
    get reviews() {
      return world.state.reviews;
    },
    get complaints() {
      return world.state.complaints;
    },
    get reports() {
      return world.state.reports;
    },
    get brokers() {
      return world.state.brokers;
    },
    get regulators() {
      return world.state.regulators;
    },
    get news() {
      return world.state.news;
    },
  };
};
