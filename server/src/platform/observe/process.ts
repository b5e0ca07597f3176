import { totalmem } from 'node:os';
import v8 from 'node:v8';
import { collectDefaultMetrics } from '@prometheus-io/client';
import { gauge, register, registry } from './registry.ts';

/** Returns the memory of the machine in bytes, or the limit of the control group if that is lower. */
const memoryLimit = (): number => Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());

/**
 * Starts the metrics of Node and of the process, under the names that all Prometheus clients use. Call it once, in a
 * process that serves.
 */
export const startMetrics = (version: string, worker: number | undefined): void => {
  if (worker !== undefined) registry.setDefaultLabels({ worker: String(worker) });
  // sampling every 20 ms is half of what metrics cost an idle process
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  register({
    name: 'broker_rating_build_info',
    help: 'Always 1; the version of the service as a label.',
    type: 'gauge',
    read: () => [{ labels: { version }, value: 1 }],
  });
  gauge('broker_rating_memory_limit_bytes', 'Memory that the machine, or its control group, has.', memoryLimit);
  gauge(
    'broker_rating_heap_limit_bytes',
    'Size at which V8 gives up (--max-old-space-size).',
    () => v8.getHeapStatistics().heap_size_limit,
  );
};
