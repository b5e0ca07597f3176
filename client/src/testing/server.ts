import type { BrokerDetail, NewsItem, Regulator } from '@broker-transparency/client';
import { BASE_PATH } from '@broker-transparency/contract';
import type { TestAccount } from './accounts.ts';
import { Dropped, type FaultKind, type FaultOptions } from './faults.ts';
import type { Fixtures } from './fixtures.ts';
import { openPort, type Port } from './port.ts';
import { type Incoming, respond } from './respond.ts';
import type { ReviewState, StoredComplaint, StoredReview } from './stored.ts';
import { moveReview } from './submissions.ts';
import { createWorld, type ReceivedRequest, type TestServerOptions } from './world.ts';

/** @throws TypeError for what is more than an origin */
const originOf = (given: string): string => {
  const origin = given.replace(/\/$/, '');
  if (!/^https?:\/\/[^/]+$/.test(origin) || new URL(origin).origin !== origin)
    throw new TypeError('origin must be the origin of an http or https address, such as https://brokers.example');
  return origin;
};

/** A name that is nobody's, now and in future (RFC 2606): what is sent there by mistake reaches nobody. */
const ORIGIN = 'https://broker-transparency.test';

/** An `AsyncDisposable`, where the TypeScript at hand knows that: its declaration would not compile elsewhere. */
type Disposed = typeof Symbol extends { readonly asyncDispose: infer S extends symbol }
  ? { readonly [K in S]: () => Promise<void> }
  : object;

/**
 * An API in memory, for tests.
 * @example
 * const server = createTestServer();
 * const client = createClient({ baseUrl: server.baseUrl, fetch: server.fetch, token: server.token() });
 */
export interface TestServer extends Disposed {
  /** Address that `fetch` answers, ending in `/api/v1`; that of the port while it listens. */
  readonly baseUrl: string;
  /** Answers as the API would, and rejects as the platform's `fetch` does where the connection breaks. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /**
   * Listens on a port of loopback, a free one by default; needs Node, Deno or Bun.
   * @returns the origin, such as `http://127.0.0.1:40123`
   */
  readonly listen: (port?: number) => Promise<string>;
  /** Closes the port and drops the requests that wait. */
  readonly close: () => Promise<void>;
  /** Forgets everything but its options: as it was made, tokens and faults included. The port stays. */
  readonly reset: () => void;

  /** Makes a token, each with an account of its own: of a verified person with all scopes, unless said otherwise. */
  readonly token: (account?: TestAccount) => string;
  /** Changes the account of a token. @throws TypeError for a token of another server */
  readonly changeAccount: (token: string, change: TestAccount) => void;
  /** Lets the next requests go wrong. Several faults meet requests in the order they were given. */
  readonly fail: (kind: FaultKind, options?: FaultOptions) => void;
  /**
   * Adds fixtures, or replaces those with the same slug, code or id. @throws TypeError where they do not fit the
   * contract
   */
  readonly add: (fixtures: Fixtures) => void;
  /**
   * Moves a review as a moderator or its author would: published ones show and count. @throws TypeError for a move that
   * cannot be
   */
  readonly moveReview: (id: string, to: ReviewState) => void;

  /** What was received, the oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** What is stored: of reviews and complaints everything, whatever the API shows. */
  readonly reviews: readonly StoredReview[];
  readonly complaints: readonly StoredComplaint[];
  /** Best score first, as `brokers.get` answers them. */
  readonly brokers: readonly BrokerDetail[];
  readonly regulators: readonly Regulator[];
  /** Newest first. */
  readonly news: readonly NewsItem[];
}

const incomingOf = async (request: Request): Promise<Incoming> => ({
  method: request.method,
  url: new URL(request.url),
  headers: request.headers,
  bytes: new Uint8Array(await request.arrayBuffer()),
  signal: request.signal,
});

/** An answer that comes in pieces; where they end with an error, so does it. */
const streamOf = (pieces: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });

/** As a platform's `fetch`: it stops waiting when its signal says so, whatever the server does meanwhile. */
const abortable = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work()
      .then(resolve, (error: unknown) => {
        reject(error instanceof Dropped ? new TypeError('fetch failed', { cause: error }) : error);
      })
      .finally(() => signal.removeEventListener('abort', stop));
  });

/**
 * Makes an API in memory that answers all calls of the contract, with fictional data that its seed alone decides.
 * @throws TypeError where fixtures do not fit the contract
 * @example
 * const server = createTestServer({ fixtures: { brokers: [{ slug: 'no-licence', color: 'red' }] } });
 * const client = createClient({ baseUrl: server.baseUrl, fetch: server.fetch });
 * server.fail('unavailable', { call: 'brokers.get' });
 */
export const createTestServer = (options: TestServerOptions = {}): TestServer => {
  const home = originOf(options.origin ?? ORIGIN);
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
    const { status, headers, body = null, pieces } = await respond(await incomingOf(request), world);
    return new Response(pieces ? streamOf(pieces()) : body, { status, headers });
  };
  return {
    get baseUrl() {
      return (port?.origin ?? home) + BASE_PATH;
    },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      return abortable(request.signal, () => send(request));
    },
    listen: async (at = 0) => {
      port ??= await openPort((incoming) => respond(incoming, world), at);
      return port.origin;
    },
    close,
    [Symbol.asyncDispose]: close, // on a platform without that symbol, a property that nobody asks for
    reset: () => {
      world.pauses.end();
      world = createWorld(options);
    },
    token: (account = {}) => world.accounts.create(account),
    changeAccount: (token, change) => world.accounts.change(token, change),
    fail: (kind, faultOptions = {}) => world.faults.plan(kind, faultOptions),
    add: (fixtures) => world.state.add(fixtures, world.now()),
    moveReview: (id, to) => moveReview(world.state, id, to, world.now()),
    get requests() {
      return world.received;
    },
    get reviews() {
      return world.state.reviews;
    },
    get complaints() {
      return world.state.complaints;
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
