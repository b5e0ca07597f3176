import { type RequestHandler, Router } from 'express';
import { type RawResponse, send } from '../response/reply.ts';

/** The methods of such paths. */
export const ALLOWED = 'GET, HEAD';
const OPTIONS: RawResponse = { status: 200, headers: { Allow: ALLOWED, 'Content-Type': 'text/plain' }, body: ALLOWED };

/** A router for paths that can only be read. Without it Express would answer OPTIONS, without our headers. */
export const readOnly = (handlers: Readonly<Record<string, RequestHandler>>): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, handler] of Object.entries(handlers)) {
    router.get(path, handler);
    router.options(path, (_req, res) => send(res, OPTIONS));
  }
  return router;
};
