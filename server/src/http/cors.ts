import type { NextFunction, Request, Response } from 'express';

const EXPOSED =
  'Age, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Idempotent-Replayed, WWW-Authenticate, Deprecation, Sunset';
/** On every answer. */
export const CORS_HEADERS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED } as const;
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-None-Match, Idempotency-Key, X-Request-Id',
  'Access-Control-Max-Age': '86400',
};

/** Any page may read the public data and post with its user's own token; cookies are never used. */
export const cors = (req: Request, res: Response, next: NextFunction): void => {
  res.set(CORS_HEADERS);
  if (req.method !== 'OPTIONS' || req.get('Access-Control-Request-Method') === undefined) next();
  else res.set(PREFLIGHT).status(204).end();
};
