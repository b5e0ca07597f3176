import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Principal } from '../auth/access.ts';
import type { Caller } from '../auth/identify.ts';
import type { ConcurrencySlot } from '../load/concurrency-limit.ts';
import type { Deadline } from './deadline.ts';

/**
 * Facts about a request, and decisions so far. It is the only way to pass on state of a request.
 * @public optional parts of the service declare further fields
 */
export interface RequestContext {
  /** The caller's own id or a new one, for logs and problems. */
  readonly id: string;
  /** Time at which the head of the request was read, by the clock of `performance`. */
  readonly start: number;
  /** Milliseconds for which the request may wait for the database; undefined for the default. */
  readonly patienceMs?: number | undefined;
  readonly method: string;
  /** Path and query for routing. Routers shorten `req.url`. */
  target: string;
  /** Headers of the answer in addition to those of its body. */
  readonly headers: Record<string, string>;
  /** Sender of the request. It is set when the request is counted, so no request is counted twice. */
  caller?: Caller;
  /** The account that may use the route; undefined for anonymous callers. */
  principal?: Principal | undefined;
  /** Beneficiary of heavy work: the address of the request, or the organisation of a customer. */
  asker?: string;
  /** Sender of the request for logs, if it is no account. */
  sender?: string;
  /** The place of the request within the concurrency limit. */
  place?: ConcurrencySlot;
  deadline?: Deadline;
  /** Milliseconds that the request waited at its own request: its reported duration excludes them. */
  waitedMs?: number;
  /** Error from before Express received the request. Express answers it like its own errors. */
  fault?: unknown;
  /** Base path of the contract that the request is for. */
  basePath?: string;
}

declare module 'node:http' {
  interface IncomingMessage {
    /** Set before anything is decided about a request. */
    context: RequestContext;
  }
}

/** Pattern of a caller's own request id that is kept, so that logs can be joined. */
const ACCEPTED_ID = /^[A-Za-z0-9._-]{8,64}$/;

const resolveRequestId = ({ headers }: IncomingMessage): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED_ID.test(given) ? given : randomUUID();
};

/** Gives each request its context before `listener` sees it. */
export const withContext =
  (listener: RequestListener, patienceMs?: number): RequestListener =>
  (req, res) => {
    const { method = '', url = '' } = req;
    const id = resolveRequestId(req);
    const headers = { 'X-Request-Id': id };
    req.context = { id, start: performance.now(), patienceMs, method, target: url, headers };
    listener(req, res);
  };
