import type { IncomingMessage, RequestListener } from 'node:http';
import { ProxyTracerProvider, type Span, trace } from '@opentelemetry/api';

/** The trace that a request belongs to, and its span in that trace. */
export interface TraceIds {
  readonly traceId?: string;
  readonly spanId?: string;
}

/** W3C Trace Context: later versions may append fields, ids of zeros are invalid, and version ff is forbidden. */
const TRACEPARENT =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<traceId>[0-9a-f]{32})-(?!0{16})(?<spanId>[0-9a-f]{16})-[0-9a-f]{2}(?<more>-.*)?$/;

const NONE: TraceIds = {};

/** Returns the ids in a `traceparent` header, or none if the header is invalid. */
export const parseTraceparent = (header: string | string[] | undefined): TraceIds => {
  if (typeof header !== 'string') return NONE;
  const { version, traceId, spanId, more } = TRACEPARENT.exec(header)?.groups ?? {};
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return NONE;
  return { traceId, spanId };
};

/**
 * Returns whether OpenTelemetry was loaded before the service: another copy of its API has a provider, or a provider is
 * set in ours.
 */
const isTraced = (): boolean => {
  const provider = trace.getTracerProvider();
  return (
    !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== new ProxyTracerProvider().getDelegate()
  );
};

/** The spans of running requests. */
const spans = new WeakMap<IncomingMessage, Span>();

/**
 * Records the span that OpenTelemetry began for a request, before other spans begin inside it. Costs nothing if
 * OpenTelemetry is not loaded.
 */
export const recordSpans = (listener: RequestListener): RequestListener => {
  if (!isTraced()) return listener;
  return (req, res) => {
    const span = trace.getActiveSpan();
    if (span) spans.set(req, span);
    listener(req, res);
  };
};

/**
 * Returns the ids of the request's span for log lines. Without OpenTelemetry, they come from the caller's
 * `traceparent`.
 */
export const findTraceIds = (req: Pick<IncomingMessage, 'headers'>): TraceIds => {
  const span = spans.get(req as IncomingMessage);
  if (!span) return parseTraceparent(req.headers['traceparent']);
  const { traceId, spanId } = span.spanContext();
  return { traceId, spanId };
};

/** Attributes that hold the address of a request, of older and newer conventions. */
const ADDRESS_ATTRIBUTES = ['url.path', 'url.full', 'http.target', 'http.url'] as const;

/**
 * Names the span of a request by its route template, as the conventions of OpenTelemetry require.
 * @param findShown returns what takes the place of an address that has a secret; undefined if it has none
 */
export const nameSpan = (
  req: IncomingMessage,
  method: string,
  route: string,
  findShown: () => string | undefined,
): void => {
  const span = spans.get(req);
  const shown = span && findShown();
  if (span && shown !== undefined) {
    for (const name of ADDRESS_ATTRIBUTES) span.setAttribute(name, shown);
    span.setAttribute('url.query', '');
  }
  span?.setAttribute('http.route', route);
  span?.updateName(`${method} ${route}`);
};
