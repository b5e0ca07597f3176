import { createClient } from '@broker-transparency/client';
import { createTestServer } from '@broker-transparency/client/testing';
import { propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, afterEach, expect, test, vi } from 'vitest';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
trace.setGlobalTracerProvider(provider);
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
const { tracing } = await import('./open-telemetry.ts');

const api = createTestServer();
const fetch = vi.fn(api.fetch);
const client = createClient({ baseUrl: api.baseUrl, fetch, hooks: tracing });

afterEach(() => exporter.reset());
afterAll(() => provider.shutdown());

test('a call is a span, and its context is sent', async () => {
  await client.brokers.get('alpha-markets');
  const [span] = exporter.getFinishedSpans();
  expect(span).toMatchObject({
    name: 'brokers.get',
    attributes: {
      'http.request.method': 'GET',
      'url.full': `${api.baseUrl}/brokers/alpha-markets`,
      'http.response.status_code': 200,
    },
  });
  const { traceId, spanId } = span?.spanContext() ?? {};
  expect(fetch.mock.lastCall?.[1]?.headers).toMatchObject({ traceparent: `00-${traceId}-${spanId}-01` });
});

test('each attempt is a span of its own, and each span ends', async () => {
  api.fail('unavailable', { retryAfter: 0 });
  await client.news.list();
  expect(exporter.getFinishedSpans().map(({ status, attributes }) => [status.code, attributes])).toEqual([
    [SpanStatusCode.ERROR, expect.objectContaining({ 'http.request.resend_count': 0 })],
    [SpanStatusCode.UNSET, expect.objectContaining({ 'http.request.resend_count': 1 })],
  ]);
});

test.each(['broker_not_found', 'connection_failed'])('a call that fails by %s ends its last span', async (code) => {
  if (code === 'connection_failed') api.fail('dropped');
  await expect(client.brokers.get('nobody', { retries: 0 })).rejects.toMatchObject({ code });
  expect(exporter.getFinishedSpans().map(({ status }) => status.code)).toEqual([SpanStatusCode.ERROR]);
});
