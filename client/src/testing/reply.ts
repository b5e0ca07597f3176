import { CACHES, PROBLEMS } from '@broker-transparency/contract';
import type { CallResult } from './call.ts';
import type { CallRefusal, NamedRoute } from './policy.ts';
import { hashText } from './random.ts';

/** An answer before it becomes a `Response` or bytes on a connection. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the answer has no body. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** The pieces of a body that is sent slowly, each after a pause. */
  readonly pieces?: () => AsyncGenerator<Uint8Array, void, undefined>;
}

/** Headers of every answer. Any web page may read it, and caches may store it only if its route allows that. */
export const BASE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Strict-Transport-Security': 'max-age=31536000',
  'Cache-Control': 'no-store',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Age, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Idempotent-Replayed, WWW-Authenticate',
};

export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, If-None-Match, Idempotency-Key, X-Request-Id, X-Client-Version, traceparent, ' +
    'tracestate, baggage',
  'Access-Control-Max-Age': '86400',
};

/** Returns the bytes of a body. */
export const toBytes = (body: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body;

const file = (
  status: number,
  type: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Reply => {
  const own = { Vary: 'Accept-Encoding', 'Content-Type': type, 'Content-Length': String(toBytes(body).length) };
  return { status, headers: { ...headers, ...own }, body };
};

const json = (status: number, type: string, body: unknown, headers: Readonly<Record<string, string>>): Reply =>
  file(status, type, JSON.stringify(body), headers);

/** Compares `If-None-Match` with a tag by weak comparison (RFC 9110). */
const isKnown = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((part) => part.trim().replace(/^W\//, '') === tag));

/**
 * Returns a successful answer, or a 304 if the caller already has it.
 * @throws TypeError if the answer does not match the contract
 */
export const goodReply = (
  { call, status, responses, metadata }: NamedRoute,
  { body, type }: CallResult,
  headers: Readonly<Record<string, string>>,
  ifNoneMatch: string | undefined,
): Reply => {
  if (type !== undefined) return file(status, type, body as string | Uint8Array<ArrayBuffer>, headers);
  const [issue] = responses[status]?.safeParse(body).error?.issues ?? [];
  if (issue !== undefined)
    throw new TypeError(
      `the test server's answer to ${call} breaks the contract: ${issue.path.join('.')}: ${issue.message}`,
    );
  const reply = json(status, 'application/json', body, headers);
  const cache = CACHES[metadata.cache];
  if (cache === null) return reply;
  const text = String(reply.body);
  const etag = `"${hashText(text).toString(36)}-${text.length.toString(36)}"`;
  const kept = { ETag: etag, 'Cache-Control': `public, max-age=${cache.maxAgeSeconds}` };
  if (isKnown(ifNoneMatch, etag)) return { status: 304, headers: { ...headers, ...kept, Vary: 'Accept-Encoding' } };
  return { ...reply, headers: { ...reply.headers, ...kept } };
};

/** A redirect, which caches may keep as long as the answer of its route. */
export const movedReply = (
  { metadata }: NamedRoute,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Reply => {
  const cache = `public, max-age=${CACHES[metadata.cache]?.maxAgeSeconds ?? 0}`;
  return json(308, 'application/json', body, { ...headers, 'Cache-Control': cache });
};

/** An error answer (RFC 9457). */
export const problemReply = (
  refusal: CallRefusal,
  { origin, pathname }: { readonly origin: string; readonly pathname: string },
  headers: Readonly<Record<string, string>>,
): Reply => {
  const { code, status, errors, message } = refusal;
  const body = {
    type: `${origin}/problems/${code}`,
    title: PROBLEMS[code].title,
    status,
    detail: message,
    instance: pathname,
    code,
    requestId: headers['X-Request-Id'],
    ...(errors === undefined ? {} : { errors }),
  };
  return json(status, 'application/problem+json', body, { ...headers, ...refusal.headers });
};
