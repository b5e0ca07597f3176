import { ALONE } from '../../platform/page-alone.ts';

/** Headers of every answer. The API serves only data, so no answer may be run or framed. */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Strict-Transport-Security': 'max-age=31536000',
  'Cache-Control': 'no-store',
} as const;

/** Policy of pages: they run and load only files of this service, and nothing can frame them. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; " +
  "form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Policy of pages that any site may frame: they contain nothing to press, only their style and links. */
const FRAMED_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-ancestors *; form-action 'none'; base-uri 'none'";

/**
 * Returns the headers that limit an HTML page.
 * @param isFramed true if any site may frame it
 */
export const pageHeaders = (isFramed = false) =>
  ({ 'Content-Security-Policy': isFramed ? FRAMED_POLICY : PAGE_POLICY, ...ALONE }) as const;

/** Returns the policy of an image, which uses its inline style, by SHA-256, and loads nothing. */
export const imagePolicy = (styleHash: string): string =>
  `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'`;

const EXPOSED = [
  'Age',
  'ETag',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
  'Idempotent-Replayed',
  'WWW-Authenticate',
  'Deprecation',
  'Sunset',
].join(', ');

/** CORS: any page may read the public data and post with its user's own token. Cookies are never used. */
export const CORS_HEADERS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED } as const;

/** Headers of every answer of the API. A header that an answer sets itself wins. */
export const API_HEADERS = { ...SECURITY_HEADERS, ...CORS_HEADERS } as const;

/** Headers of the answer to a preflight request. */
export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, If-None-Match, Idempotency-Key, X-Request-Id, X-Client-Version, traceparent, ' +
    'tracestate, baggage',
  'Access-Control-Max-Age': '86400',
} as const;
