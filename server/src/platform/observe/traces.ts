import type { IncomingMessage, RequestListener } from 'node:http';
import { ProxyTracerProvider, type Span, trace } from '@opentelemetry/api';

/** Which trace a request belongs to, and which span of it. */
export interface TraceIds {
  readonly traceId?: string;
  readonly spanId?: string;
}

/** W3C Trace Context: later versions may add to it, ids of zeros are none, and version ff is forbidden. */
const TRACEPARENT =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<traceId>[0-9a-f]{32})-(?!0{16})(?<spanId>[0-9a-f]{16})-[0-9a-f]{2}(?<more>-.*)?$/;

const NONE: TraceIds = {};

/** The caller's own span, where it says so in a form that can be believed. */
export const idsOfHeader = (header: string | string[] | undefined): TraceIds => {
  if (typeof header !== 'string') return NONE;
  const { version, traceId, spanId, more } = TRACEPARENT.exec(header)?.groups ?? {};
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return NONE;
  return { traceId, spanId };
};

/** Whether OpenTelemetry was loaded before the service: a provider of another copy of its API, or one that was set in ours. */
const isTraced = (): boolean => {
  const provider = trace.getTracerProvider();
  return (
    !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== new ProxyTracerProvider().getDelegate()
  );
};

/** The span of each request that is under way. */
const spans = new WeakMap<IncomingMessage, Span>();

/** Notes the span that OpenTelemetry began for a request, before others begin within it. Costs nothing where it is not loaded. */
export const traced = (listener: RequestListener): RequestListener => {
  if (!isTraced()) return listener;
  return (req, res) => {
    const span = trace.getActiveSpan();
    if (span) spans.set(req, span);
    listener(req, res);
  };
};

/** For log lines: the span of a request; where no one traces here, the caller's. */
export const traceIdsOf = (req: Pick<IncomingMessage, 'headers'>): TraceIds => {
  const span = spans.get(req as IncomingMessage);
  if (!span) return idsOfHeader(req.headers['traceparent']);
  const { traceId, spanId } = span.spanContext();
  return { traceId, spanId };
};

/** Names the span of a request by the template of its route, as OpenTelemetry's conventions ask. */
export const nameSpan = (req: IncomingMessage, method: string, route: string): void => {
  const span = spans.get(req);
  span?.setAttribute('http.route', route);
  span?.updateName(`${method} ${route}`);
};
