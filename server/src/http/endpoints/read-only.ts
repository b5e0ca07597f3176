import { type RequestHandler, Router } from 'express';
import { type RawResponse, send } from '../response/reply.ts';

/** Methods of read-only paths. */
export const ALLOWED = 'GET, HEAD';
const OPTIONS: RawResponse = { status: 200, headers: { Allow: ALLOWED, 'Content-Type': 'text/plain' }, body: ALLOWED };

/** Returns a router for read-only paths. Without it Express would answer OPTIONS without our headers. */
export const readOnly = (handlers: Readonly<Record<string, RequestHandler>>): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, handler] of Object.entries(handlers)) {
    router.get(path, handler);
    router.options(path, (_req, res) => send(res, OPTIONS));
  }
  return router;
};
