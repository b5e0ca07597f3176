import { type RequestHandler, Router } from 'express';
import { ProblemError } from '../problem/problem.ts';
import { addressKey, enforceLimit, type Limit } from '../rate-limit/limit.ts';
import { type RawResponse, send } from '../response/reply.ts';

/** Methods of read-only paths. */
const ALLOWED = 'GET, HEAD';
const OPTIONS: RawResponse = { status: 200, headers: { Allow: ALLOWED, 'Content-Type': 'text/plain' }, body: ALLOWED };

/** Counts a request with another method, and answers it by 405. */
export const refuseMethods =
  (limit: Limit): RequestHandler =>
  async (req) => {
    await enforceLimit(limit, addressKey(req), req);
    throw new ProblemError('method_not_allowed', `${req.method} is not possible here.`, {
      headers: { Allow: ALLOWED },
    });
  };

/** Returns a router for read-only paths. Without it Express would answer OPTIONS without our headers. */
export const readOnly = (handlers: Readonly<Record<string, RequestHandler>>): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, handler] of Object.entries(handlers)) {
    router.get(path, handler);
    router.options(path, (_req, res) => send(res, OPTIONS));
  }
  return router;
};
