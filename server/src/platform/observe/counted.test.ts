import { describe, expect, test } from 'vitest';
import { memoize } from './counted.ts';
import { createMetrics } from './metrics.ts';

const metrics = createMetrics();
const readMetric = (name: string): Promise<string> => metrics.registry.getSingleMetricAsString(name);

describe('durations', () => {
  const observe = metrics.durations<'kind'>('test_duration_seconds', 'For a test.');

  test('durations are counted in the first bucket that holds them and in every larger one', async () => {
    const one = observe({ kind: 'one' });
    for (const ms of [0, 1, 1.001, 5000, 5001, 60_000]) one(ms);
    const lines = (await readMetric('test_duration_seconds')).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      '# HELP test_duration_seconds For a test.',
      '# TYPE test_duration_seconds histogram',
      'test_duration_seconds_bucket{kind="one",le="0.001"} 2',
      'test_duration_seconds_bucket{kind="one",le="0.0025"} 3',
    ]);
    expect(lines.slice(-4)).toEqual([
      'test_duration_seconds_bucket{kind="one",le="5"} 4',
      'test_duration_seconds_bucket{kind="one",le="+Inf"} 6',
      'test_duration_seconds_sum{kind="one"} 70.003001',
      'test_duration_seconds_count{kind="one"} 6',
    ]);
  });

  test('durations are counted separately for each set of labels', async () => {
    observe({ kind: 'two' })(1);
    expect(await readMetric('test_duration_seconds')).toContain('test_duration_seconds_count{kind="two"} 1');
  });
});

test('a counter starts at zero and counts one at a time', async () => {
  const count = metrics.counter<'what'>('test_total', 'For a test.')({ what: 'a "b"' });
  expect(await readMetric('test_total')).toContain('test_total{what="a \\"b\\""} 0');
  count();
  count();
  expect(await readMetric('test_total')).toContain('test_total{what="a \\"b\\""} 2');
});

test('two services count apart under the same names', async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  const count = one.counter('test_total', 'For a test.')({});
  other.counter('test_total', 'For a test.')({});
  count();
  expect(await one.read()).toContain('test_total 1');
  expect(await other.read()).toContain('test_total 0');
});

test('once() calls the factory once per key', () => {
  let made = 0;
  const find = memoize((key: string) => `${key}${++made}`);
  expect([find('a'), find('b'), find('a')]).toEqual(['a1', 'b2', 'a1']);
});
