import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Request } from 'express';
import { countRequest, OTHER_ROUTE } from '../observe/requests.ts';
import { nameSpan } from '../observe/traces.ts';
import { keepStart } from './begin.ts';
import type { LongWay } from './short-road.ts';

/** The caller left before there was an answer; nginx's number for it. */
const CLIENT_CLOSED = 499;

/** Template of the route that Express found. */
const routeOf = (req: IncomingMessage, res: ServerResponse): string => {
  const { route } = req as Partial<Request>;
  const { locals } = res as Partial<{ locals: Record<string, string | undefined> }>;
  return route === undefined ? OTHER_ROUTE : `${locals?.['basePath'] ?? ''}${route.path}`;
};

/** Counts what Express answers, by the template of its route. */
export const measured =
  (app: RequestListener): LongWay =>
  (req, res, start) => {
    const method = req.method as string;
    // before OpenTelemetry ends the span
    res.prependOnceListener('close', () => {
      const route = routeOf(req, res);
      const status = res.headersSent ? res.statusCode : CLIENT_CLOSED;
      countRequest(method, route, status, 'app', performance.now() - start);
      nameSpan(req, method, route);
    });
    keepStart(req, start);
    app(req, res);
  };
