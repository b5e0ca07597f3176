import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCollector } from '../support/collector.ts';
import { parseMetrics } from '../support/exposition.ts';
import { send } from '../support/http.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { until } from '../support/until.ts';

const TOKEN = 'a-token-of-enough-length';

let collector: Awaited<ReturnType<typeof startCollector>>;
let service: ServiceProcess;
beforeAll(async () => {
  collector = await startCollector();
  service = await startProcess({
    LOG_LEVEL: 'info',
    METRICS_TOKEN: TOKEN,
    // These are the documented settings, except for JSON, which this collector can read, and a shorter delay.
    NODE_OPTIONS: `--import ${import.meta.resolve('@opentelemetry/auto-instrumentations-node/register')}`,
    OTEL_SERVICE_NAME: 'broker-rating',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_NODE_ENABLED_INSTRUMENTATIONS: 'http,mongodb',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
    OTEL_NODE_RESOURCE_DETECTORS: 'env,host',
  });
  await send(`${service.baseUrl}/regulators/fca`); // fills the cache
});
afterAll(async () => {
  await service?.remove();
  collector?.close();
});

/** The log line of a request. */
const waitForLine = (id: string) =>
  until('the request is logged', 5000, async () => {
    const line = service
      .output()
      .split('\n')
      .find((text) => text.includes(`"requestId":"${id}"`) && text.includes('"status":'));
    return line !== undefined && (JSON.parse(line) as Record<string, string>);
  });

const waitForSpan = (spanId: string) =>
  until('the span is sent', 5000, async () => collector.spans.find((span) => span.spanId === spanId));

describe('with OpenTelemetry loaded before the service', () => {
  test.each<[string, string, string, string, string, number]>([
    ['a cached answer', 'ready', 'GET', '/regulators/fca', '/api/v1/regulators/:code', 200],
    ['an uncached answer', 'is-made', 'GET', '/brokers?limit=3', '/api/v1/brokers', 200],
    ['a refusal by Express', 'refused', 'POST', '/reviews', '/api/v1/reviews', 401],
    ['an unknown broker', 'nothing', 'GET', '/brokers/nobody', '/api/v1/brokers/:slug', 404],
  ])(
    '%s is a span of its route, in the trace of its caller and of its log line',
    async (_, name, method, path, route, status) => {
      const traceId = Buffer.from(name.padEnd(16, '.')).toString('hex');
      const parentSpanId = '00f067aa0ba902b7';
      const headers = { traceparent: `00-${traceId}-${parentSpanId}-01`, 'X-Request-Id': `request-${name}` };
      await send(`${service.baseUrl}${path}`, { method, headers });
      const line = await waitForLine(`request-${name}`);
      expect(line).toMatchObject({ traceId, status });
      const span = await waitForSpan(String(line['spanId']));
      expect(span).toMatchObject({ name: `${method} ${route}`, traceId, parentSpanId });
      expect(span.attributes).toMatchObject({ 'http.route': route, 'http.response.status_code': status });
    },
  );

  test.each([
    ['link', `/sign-in/link/${'5ec4e7'.repeat(7).slice(0, 40)}`, '/sign-in/link/:token'],
    ['return', '/sign-in/return?code=5ec4e7&state=5ec4e7', '/sign-in/return'],
  ])('the span of an address with a secret has its template alone: %s', async (name, path, shown) => {
    await send(`${service.origin}${path}`, { headers: { 'X-Request-Id': `request-${name}` } });
    const line = await waitForLine(`request-${name}`);
    const span = await waitForSpan(String(line['spanId']));
    expect(JSON.stringify([line, span])).not.toContain('5ec4e7');
    expect(span.attributes).toMatchObject({ 'url.path': shown });
  });

  test('database commands are children of the request', async () => {
    await send(`${service.baseUrl}/news?limit=7`, { headers: { 'X-Request-Id': 'request-news' } });
    const { traceId, spanId } = await waitForLine('request-news');
    const command = await until('the command is sent', 5000, async () =>
      collector.spans.find((span) => span.parentSpanId === spanId),
    );
    expect(command).toMatchObject({ traceId, scope: '@opentelemetry/instrumentation-mongodb' });
  });
});

describe('the metrics', () => {
  const ask = (headers: object) => send(`${service.origin}/metrics`, { headers: { ...headers } });

  test.each([
    ['without the token', {}, 'authentication_required', /^Bearer realm="[^"]+"$/],
    ['with a wrong one', { Authorization: `Bearer ${TOKEN}x` }, 'invalid_token', /error="invalid_token"$/],
    ['with half of it', { Authorization: `Bearer ${TOKEN.slice(0, 12)}` }, 'invalid_token', /error="invalid_token"$/],
    ['by another scheme', { Authorization: `Basic ${TOKEN}` }, 'invalid_token', /error="invalid_token"$/],
  ])('metrics are refused %s', async (_, headers, code, challenge) => {
    const answer = await ask(headers);
    expect(answer.status).toBe(401);
    expect(answer.json()).toMatchObject({ code });
    expect(answer.headers['www-authenticate']).toMatch(challenge);
  });

  test('metrics are served to any caller with the token, and a single process has no worker label', async () => {
    const { status, text } = await ask({ Authorization: `Bearer ${TOKEN}`, 'X-Forwarded-For': '192.0.2.1' });
    expect(status).toBe(200);
    const samples = [...parseMetrics(text).values()].flatMap((metric) => metric.samples);
    expect(samples.some(({ labels }) => 'worker' in labels)).toBe(false);
    expect(samples.find(({ name }) => name === 'broker_rating_ready')?.value).toBe(1);
  });
});
