/**
 * The service as a value, for programs that embed it and for tests.
 * @module
 */

export type { Mode, ServicePart } from './mode.ts';
export { readConfig as readSettings } from './operate/config.ts';
export { createClock } from './platform/clock.ts';
export { connectAsReader, connectMongo, type Db } from './platform/mongo.ts';
export { createLog } from './platform/observe/log.ts';
export { createMetrics, type Metrics } from './platform/observe/metrics.ts';
export { type CommandResult, createService, type Resources, type Service, type ServiceConfig } from './service.ts';
