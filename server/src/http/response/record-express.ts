import type { IncomingMessage, RequestListener } from 'node:http';
import type { Request } from 'express';
import { OTHER_ROUTE } from '../../platform/observe/requests.ts';
import type { RecordAnswer } from './record.ts';

/** The caller left before there was an answer; nginx's number for it. */
const CLIENT_CLOSED = 499;

/** Template of the route that Express found. */
const routeOf = (req: IncomingMessage): string => {
  const { route } = req as Partial<Request>;
  return route === undefined ? OTHER_ROUTE : `${req.context.basePath ?? ''}${route.path}`;
};

/** Records what Express answers, by the template of its route. */
export const recorded =
  (app: RequestListener, record: RecordAnswer): RequestListener =>
  (req, res) => {
    // before OpenTelemetry ends the span
    res.prependOnceListener('close', () => {
      const status = res.headersSent ? res.statusCode : CLIENT_CLOSED;
      record(req, { status, route: routeOf(req), source: 'app' });
    });
    app(req, res);
  };
