import type { FailureEvent, Hooks } from '@broker-transparency/client';
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('broker-transparency');
const spans = new WeakMap<object, Span>();

const failed = ({ request, error }: FailureEvent) => {
  const span = spans.get(request);
  span?.recordException(error as Error);
  span?.setStatus({ code: SpanStatusCode.ERROR });
  span?.end();
  spans.delete(request);
};

/** One span for each try: `createClient({ baseUrl, hooks: tracing })`. */
export const tracing: Hooks = {
  request: ({ call, request, attempt, headers }) => {
    const attributes = {
      'http.request.method': request.method,
      'url.full': request.url,
      'http.request.resend_count': attempt - 1,
    };
    const span = tracer.startSpan(call, { kind: SpanKind.CLIENT, attributes });
    spans.set(request, span);
    propagation.inject(trace.setSpan(context.active(), span), headers); // adds traceparent
  },
  response: ({ request, response, data }) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', response.status);
    if (data === undefined) return; // retry or error follows
    span?.end();
    spans.delete(request);
  },
  retry: failed,
  error: failed,
};
