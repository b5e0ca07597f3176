import type { NextFunction, Request, Response } from 'express';

/** On every answer, whatever it is. The API serves data only, so nothing in it may be run or framed. */
const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Strict-Transport-Security': 'max-age=31536000',
  'Cache-Control': 'no-store',
} as const;

const EXPOSED =
  'Age, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Idempotent-Replayed, WWW-Authenticate, Deprecation, Sunset';

const CORS_HEADERS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED } as const;

/** Of every answer of the API, before what is its own. */
export const API_HEADERS = { ...SECURITY_HEADERS, ...CORS_HEADERS } as const;

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-None-Match, Idempotency-Key, X-Request-Id',
  'Access-Control-Max-Age': '86400',
};

/** The headers of every answer that Express makes. */
export const setHeaders = (req: Request, res: Response, next: NextFunction): void => {
  res.set(SECURITY_HEADERS).set('X-Request-Id', req.context.id);
  next();
};

/** CORS: any page may read the public data and post with its user's own token; cookies are never used. */
export const cors = (req: Request, res: Response, next: NextFunction): void => {
  res.set(CORS_HEADERS);
  if (req.method !== 'OPTIONS' || req.get('Access-Control-Request-Method') === undefined) next();
  else res.set(PREFLIGHT).status(204).end();
};
