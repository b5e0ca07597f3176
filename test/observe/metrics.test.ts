import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Metric, parseMetrics, sumSamples } from '../support/exposition.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { type FilledProcess, importRows, startFilledProcess, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { readExpression } from '../support/promql.ts';
import { lintMetrics } from '../support/promtool.ts';
import { brokerRow, licenseRow } from '../support/records.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { dashboardExpressions, readRules } from '../support/rules.ts';
import { until } from '../support/until.ts';

type Metrics = ReadonlyMap<string, Metric>;

const REQUESTS = 'http_server_request_duration_seconds_count';
const SLUG = '/api/v1/brokers/:slug';

let redis: RedisServer;
let service: FilledProcess;
let scratch: Scratch;
beforeAll(async () => {
  [redis, scratch] = await Promise.all([startRedis(), createScratch()]);
  service = await startFilledProcess({ WORKERS: '2', REDIS_URL: redis.url, JOBS: 'on', INTERNAL_PORT: '0' });
});
afterAll(async () => {
  await service?.remove();
  await redis?.stop();
  await scratch?.remove();
});

const read = async (): Promise<Metrics> => {
  const { status, text, headers } = await send(`${service.internal}/metrics`);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  return parseMetrics(text);
};

const INTERNAL = new Set(['/healthz', '/readyz', '/metrics']);

/** Uses a new connection per request, so that either worker may answer. */
const ask = (path: string, more = {}) =>
  send(`${INTERNAL.has(path) ? service.internal : service.origin}${path}`, {
    ...more,
    headers: { Connection: 'close', ...(more as { headers?: object }).headers },
  });

describe('requests', () => {
  test.each<[string, string, object, string, string]>([
    ['of a broker', '/api/v1/brokers/alpha-markets', {}, SLUG, '200'],
    ['with a current tag', '/api/v1/brokers/beta-trade', { headers: { 'If-None-Match': '*' } }, SLUG, '304'],
    ['of an unknown broker', '/api/v1/brokers/nobody', {}, SLUG, '404'],
    ['by another method', '/api/v1/brokers/alpha-markets', { method: 'DELETE' }, SLUG, '405'],
    ['by an unknown method', '/api/v1/news', { method: 'PROPFIND' }, '/api/v1/news', '405'],
    ['without a credential', '/api/v1/reviews', { method: 'POST', body: {} }, '/api/v1/reviews', '401'],
    ['of the account', '/account/v1/complaints', {}, '/account/v1/complaints', '401'],
    ['of a page', '/problems/not_found', {}, '/problems/:code', '200'],
    ['of a file', '/assets/none', {}, '/assets/:file', '404'],
    ['of an unknown path', '/api/v1/what/ever', {}, 'other', '404'],
    ['of health', '/healthz', {}, '/healthz', '200'],
  ])('requests %s are counted by every worker under their route', async (_, path, asked, route, status) => {
    const labels = { http_route: route, http_response_status_code: status };
    const before = sumSamples(await read(), REQUESTS, labels);
    for (let n = 0; n < 5; n++) expect((await ask(path, asked)).status).toBe(Number(status));
    await until('they are counted', 2000, async () => sumSamples(await read(), REQUESTS, labels) === before + 5);
  });

  test('requests have a bounded number of labels, whatever is requested', async () => {
    const routes = async () =>
      new Set(
        (await read()).get('http_server_request_duration_seconds')?.samples.map(({ labels }) => labels['http_route']),
      );
    const before = await routes();
    for (let n = 0; n < 20; n++) await ask(`/api/v1/brokers/no-${n}`);
    for (let n = 0; n < 20; n++) await ask(`/no/${n}`);
    expect([...(await routes()).difference(before)]).toEqual([]);
    const methods = (await read()).get('http_server_request_duration_seconds')?.samples;
    expect(new Set(methods?.map(({ labels }) => labels['http_request_method']))).not.toContain('PROPFIND');
  });

  test('requests are counted by the source of their answer', async () => {
    const from = async (source: string) =>
      sumSamples(await read(), REQUESTS, { http_route: SLUG, http_response_status_code: '200', answer_source: source });
    const [ready, app] = [await from('ready'), await from('app')];
    for (let n = 0; n < 6; n++) await ask('/api/v1/brokers/alpha-markets');
    await ask('/api/v1/brokers/%61lpha-markets');
    await until('they are counted', 2000, async () => (await from('app')) === app + 1);
    expect(await from('ready')).toBeGreaterThanOrEqual(ready + 4); // each worker fills its own cache
  });

  test('requests are counted with their durations', async () => {
    const metrics = await read();
    const { samples = [] } = metrics.get('http_server_request_duration_seconds') ?? {};
    for (const { name, labels, value } of samples)
      if (labels['le'] === '+Inf')
        expect(value).toBe(
          sumSamples(metrics, REQUESTS, Object.fromEntries(Object.entries(labels).filter(([key]) => key !== 'le'))),
        );
      else if (name.endsWith('_sum')) expect(value).toBeGreaterThan(0);
  });
});

describe('the metrics of the parts', () => {
  test('the metrics cover the workers and the process above them', async () => {
    const metrics = await read();
    expect(sumSamples(metrics, 'broker_rating_workers')).toBe(2);
    await until('both answer', 2000, async () => sumSamples(await read(), 'broker_rating_workers_answering') === 2);
    const workers = metrics.get('process_cpu_seconds_total')?.samples.map(({ labels }) => labels['worker']);
    expect(workers?.sort()).toEqual(['0', '1', '2']);
    expect(sumSamples(metrics, 'broker_rating_ready')).toBe(2);
  });

  test('the metrics cover the rate limiter, and Redis when it is away', async () => {
    const value = async (name: string, labels = {}) => sumSamples(await read(), name, labels);
    expect(await value('broker_rating_limiter_requests_total', { outcome: 'allowed' })).toBeGreaterThan(10);
    expect(await value('broker_rating_limiter_redis_duration_seconds_count')).toBeGreaterThan(10);
    expect(await value('broker_rating_redis_up')).toBe(2);
    const before = await value('broker_rating_limiter_insured_total');
    redis.pause();
    try {
      expect((await ask('/api/v1/news')).status).toBe(200);
      expect(await value('broker_rating_limiter_insured_total')).toBeGreaterThan(before);
    } finally {
      redis.resume();
    }
  });

  test('the metrics cover the response cache, change streams, the database and dirty marks', async () => {
    const metrics = await read();
    expect(sumSamples(metrics, 'broker_rating_prepared_bytes')).toBeGreaterThan(1000);
    expect(sumSamples(metrics, 'broker_rating_prepared_lookups_total', { outcome: 'hit' })).toBeGreaterThan(0);
    expect(sumSamples(metrics, 'broker_rating_change_stream_resets_total')).toBe(2);
    for (const { value } of metrics.get('broker_rating_change_stream_lag_seconds')?.samples ?? [])
      expect(value).toBeLessThan(10);
    expect(
      sumSamples(metrics, 'db_client_operation_duration_seconds_count', { db_operation_name: 'find' }),
    ).toBeGreaterThan(0);
    expect(sumSamples(metrics, 'db_client_connections')).toBeGreaterThan(0);
    expect(metrics.get('broker_rating_due_marks')?.samples).toHaveLength(1);
  });

  test('the metrics cover jobs, backups and register checks', async () => {
    const asic = [licenseRow('delta Ltd', 'asic', { referenceNumber: '300' })];
    await importRows(service, 'brokers', [brokerRow('delta', { licenses: asic })]);
    const head = 'REGISTER_NAME,AFS_LIC_NUM,AFS_LIC_NAME,AFS_LIC_ABN_ACN,AFS_LIC_START_DT,AFS_LIC_STATUS';
    const file = await scratch.write('asic.csv', `${head}\nAFS Licence,300,DELTA LTD,,01/02/2010,APPR\n`);
    const check = ['license', 'check', '--register', 'asic', file, '--as-of', '2026-11-02', '--least', '1', '--apply'];
    succeeded(await service.cli(...check));
    succeeded(await service.cli('backup', `${scratch.path}/backup`));
    succeeded(await service.cli('admin', 'job', 'run', 'kyc-expiry'));
    await until('they are told', 3000, async () => {
      const metrics = await read();
      const recent = (name: string) => Math.abs(Date.now() / 1000 - sumSamples(metrics, name, {})) < 120;
      return (
        recent('broker_rating_backup_timestamp_seconds') &&
        recent('broker_rating_register_check_timestamp_seconds') &&
        sumSamples(metrics, 'broker_rating_job_finished_timestamp_seconds', { job_name: 'kyc-expiry' }) > 0
      );
    });
    expect(sumSamples(await read(), 'broker_rating_job_failures')).toBe(0);
  });
});

/** Rows of the list of metrics. */
const documented = async () => {
  const page = await readFile(new URL('../../ops/prometheus/metrics.md', import.meta.url), 'utf8');
  return [...page.matchAll(/^\| `(\w+)` \| (\w+) \| (.*?) \| (.*) \|$/gm)].map(
    ([, name = '', type = '', labels = '', help = '']) => ({
      name,
      type,
      help,
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
    }),
  );
};
const isOwnLabel = (label: string): boolean => label !== 'le' && label !== 'worker';

describe('with a separate port for health and metrics', () => {
  test.each([...INTERNAL])('every worker serves %s on the separate port and not on the public one', async (path) => {
    for (let n = 0; n < 4; n++) {
      expect((await ask(path)).status).toBe(200);
      const answer = await send(service.origin + path, { headers: { Connection: 'close' } });
      expect([answer.status, answer.json<{ code: string }>().code]).toEqual([404, 'not_found']);
    }
  });

  test('the API is not served on the separate port', async () => {
    expect((await send(`${service.internal}/api/v1/news`)).status).toBe(404);
  });
});

describe('the exposed metrics', () => {
  test('the metrics pass the checks of promtool', async () => {
    const { text } = await send(`${service.internal}/metrics`);
    const own = text
      .split(/^(?=# HELP )/m)
      .filter((metric) => !metric.startsWith('# HELP nodejs_'))
      .join('');
    expect(await lintMetrics(await scratch.write('metrics.txt', own))).toBe('');
  });

  test('every exposed metric is documented', async () => {
    const metrics = await read();
    const own = [...metrics.values()].filter(({ name }) => !/^(nodejs|process)_/.test(name));
    const table = await documented();
    expect(table.map(({ name, type, help }) => ({ name, type, help }))).toEqual(
      own.map(({ name, type, help }) => ({ name, type, help })).sort((a, b) => a.name.localeCompare(b.name)),
    );
    for (const { name, labels } of table)
      for (const sample of metrics.get(name)?.samples ?? [])
        expect(Object.keys(sample.labels).filter(isOwnLabel).sort()).toEqual([...labels].sort());
  });

  /** Labels that Prometheus adds, and the label of the worker. */
  const ADDED = ['job', 'instance', 'worker'];
  test('the rules and the dashboard use only metrics and labels that are exposed', async () => {
    const metrics = await read();
    const labelsByMetric = new Map<string, Set<string>>([['up', new Set(ADDED)]]);
    const rules = await readRules();
    for (const { record } of rules) if (record) labelsByMetric.set(record, new Set(ADDED));
    for (const { name, type, labels } of await documented())
      for (const part of type === 'histogram' ? ['_count', '_sum', '_bucket'] : [''])
        labelsByMetric.set(`${name}${part}`, new Set([...ADDED, ...labels]));
    for (const { samples } of metrics.values())
      for (const { name, labels } of samples)
        labelsByMetric.set(name, new Set([...(labelsByMetric.get(name) ?? ADDED), ...Object.keys(labels)]));
    const unknown: string[] = [];
    for (const text of [...rules.map(({ expr }) => expr), ...(await dashboardExpressions())]) {
      const { selectors, groupedBy } = readExpression(text);
      const known = new Set(selectors.flatMap(({ metric }) => [...(labelsByMetric.get(metric) ?? [])]));
      for (const { metric, labels } of selectors) {
        if (!labelsByMetric.has(metric)) unknown.push(metric);
        else
          unknown.push(
            ...labels.filter((label) => !labelsByMetric.get(metric)?.has(label)).map((label) => `${metric} ${label}`),
          );
      }
      unknown.push(...groupedBy.filter((label) => !known.has(label)).map((label) => `${text}: ${label}`));
    }
    expect([...new Set(unknown)]).toEqual([]);
  });
});
