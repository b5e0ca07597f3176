import type { RequestListener } from 'node:http';
import express, { Router } from 'express';
import type { Log } from '../observe/log.ts';
import { begin } from './begin.ts';
import { answerFaults } from './faults.ts';
import { healthRoutes } from './health.ts';
import { measured } from './measure.ts';
import { type MetricsReaders, metricsRoute } from './metrics.ts';
import { ProblemError } from './problems.ts';

/** What only those who run the service ask for. */
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

/** Health and metrics on a port of their own. */
export const createInternalApp = (parts: InternalParts, publicUrl: string, log: Log): RequestListener => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(begin);
  app.use(internalRoutes(parts, publicUrl));
  app.use((req) => {
    throw new ProblemError('not_found', `There is nothing at ${req.path}. This port has health and metrics only.`);
  });
  app.use(answerFaults(publicUrl, log));
  const listener = measured(app, log);
  return (req, res) => listener(req, res, performance.now());
};
