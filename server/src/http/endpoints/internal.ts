import type { RequestListener } from 'node:http';
import { Router } from 'express';
import type { Log } from '../../platform/observe/log.ts';
import type { CountRequest } from '../../platform/observe/requests.ts';
import { handleErrors } from '../problem/error-handler.ts';
import { ProblemError } from '../problem/problem.ts';
import { createRecord } from '../response/record.ts';
import { recordResponses } from '../response/record-express.ts';
import { createExpress, secure } from '../server/express.ts';
import { healthRoutes } from './health.ts';
import { type MetricsReaders, metricsRoute } from './metrics.ts';

/** Dependencies of the internal port, for operators only. */
export interface InternalParts {
  readonly isReady: () => Promise<boolean>;
  readonly readMetrics: () => Promise<string>;
  readonly metricsReaders: MetricsReaders;
}

export const internalRoutes = ({ isReady, readMetrics, metricsReaders }: InternalParts, publicUrl: string): Router =>
  Router({ caseSensitive: true, strict: true }).use(
    healthRoutes(isReady, publicUrl),
    metricsRoute(readMetrics, metricsReaders),
  );

/** Serves health and metrics on their own port. */
export const createInternalApp = (
  parts: InternalParts,
  publicUrl: string,
  log: Log,
  countRequest: CountRequest,
): RequestListener => {
  const app = createExpress();
  app.use(secure);
  app.use(internalRoutes(parts, publicUrl));
  app.use((req) => {
    throw new ProblemError('not_found', `There is nothing at ${req.path}. This port has health and metrics only.`);
  });
  app.use(handleErrors(publicUrl, log));
  return recordResponses(app, createRecord(log, countRequest));
};
