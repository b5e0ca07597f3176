import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Principal } from '../auth/access.ts';
import type { Caller } from '../auth/identify.ts';
import type { ConcurrencySlot } from '../load/concurrency-limit.ts';
import type { Deadline } from './deadline.ts';

/**
 * What is known of a request, and what was decided about it so far. Nothing else hands state of a request on.
 * @public parts of the service that not every service has declare what they add
 */
export interface RequestContext {
  /** The caller's own id or a new one, for logs and problems. */
  readonly id: string;
  /** When the head of the request was read, by the clock of `performance`. */
  readonly start: number;
  /** For how many milliseconds the request may wait for the database; undefined: for the usual time. */
  readonly patienceMs?: number | undefined;
  readonly method: string;
  /** Path and query as they are routed. Routers shorten `req.url`. */
  target: string;
  /** Headers that the answer gets beside those of its body, whoever writes it. */
  readonly headers: Record<string, string>;
  /** Who sends the request. It is set when the request is counted, so no request is counted twice. */
  caller?: Caller;
  /** The account that may use the route; undefined for anonymous callers. */
  principal?: Principal | undefined;
  /** For whom heavy work is done: the address that the request comes from, or the organisation of a customer. */
  asker?: string;
  /** Who sends the request, as logs name them, where it is no account. */
  sender?: string;
  /** The place of the request within the concurrency limit. */
  place?: ConcurrencySlot;
  deadline?: Deadline;
  /** For how many milliseconds the request waited because it was asked to: its duration is told without them. */
  waitedMs?: number;
  /** What went wrong before Express had the request. Express answers it like its own errors. */
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

/** A caller's own request id is kept where it is harmless, so that logs can be joined. */
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
