import { totalmem } from 'node:os';
import v8 from 'node:v8';
import { collectDefaultMetrics } from '@prometheus-io/client';
import type { Metrics } from './metrics.ts';

/** Returns the memory of the machine in bytes, or the limit of the control group if that is lower. */
const memoryLimit = (): number => Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());

/**
 * Publishes the metrics of Node and of the process, under the names that all Prometheus clients use, next to those of
 * its main service. Call it once per process.
 */
export const watchProcess = (metrics: Metrics, version: string, worker: number | undefined): void => {
  const { registry } = metrics;
  if (worker !== undefined) registry.setDefaultLabels({ worker: String(worker) });
  // sampling every 20 ms is half of what metrics cost an idle process
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  metrics.register({
    name: 'broker_rating_build_info',
    help: 'Always 1; the version of the service as a label.',
    type: 'gauge',
    read: () => [{ labels: { version }, value: 1 }],
  });
  metrics.gauge('broker_rating_memory_limit_bytes', 'Memory that the machine, or its control group, has.', memoryLimit);
  metrics.gauge(
    'broker_rating_heap_limit_bytes',
    'Size at which V8 gives up (--max-old-space-size).',
    () => v8.getHeapStatistics().heap_size_limit,
  );
};
