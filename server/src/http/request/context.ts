import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Caller } from '../auth/identify.ts';

/** What is known of a request, from its head until its answer. The one place where state of a request is handed on. */
interface RequestContext {
  /** For logs and problems: the caller's own, or a new one. */
  readonly id: string;
  /** When it came, by the clock of `performance`. */
  readonly start: number;
  readonly method: string;
  /** Path and query as they are routed: `url` is shortened by routers. */
  target: string;
  /** Who sends it, once they are counted: nobody is counted twice. */
  caller?: Caller;
  /** Why the response cache cannot answer; Express answers so. */
  fault?: unknown;
  /** Base path of the contract that has a route at its path. */
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

const idOf = ({ headers }: IncomingMessage): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED_ID.test(given) ? given : randomUUID();
};

/** Gives each request its context before `listener` sees it. */
export const withContext =
  (listener: RequestListener): RequestListener =>
  (req, res) => {
    const { method = '', url = '' } = req;
    req.context = { id: idOf(req), start: performance.now(), method, target: url };
    listener(req, res);
  };
