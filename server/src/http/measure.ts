import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { Log } from '../observe/log.ts';
import { countRequest, OTHER_ROUTE } from '../observe/requests.ts';
import { nameSpan } from '../observe/traces.ts';
import { logRequest } from './begin.ts';
import type { LongWay } from './short-road.ts';

/** The caller left before there was an answer; nginx's number for it. */
const CLIENT_CLOSED = 499;

type Locals = Readonly<Record<string, string | undefined>>;
/** What middleware noted of a request. */
const localsOf = (res: ServerResponse): Locals => (res as Partial<{ locals: Locals }>).locals ?? {};

/** Template of the route that Express found. */
const routeOf = (req: IncomingMessage, res: ServerResponse): string => {
  const { route } = req as Partial<Request>;
  return route === undefined ? OTHER_ROUTE : `${localsOf(res)['basePath'] ?? ''}${route.path}`;
};

/** Counts what Express answers, by the template of its route, and logs it. */
export const measured = (app: RequestListener, log: Log): LongWay => {
  const logs = log.isLevelEnabled('info');
  return (req, res, start) => {
    const { method = '', url = '' } = req; // before routers shorten it
    // before OpenTelemetry ends the span
    res.prependOnceListener('close', () => {
      const route = routeOf(req, res);
      const ms = performance.now() - start;
      countRequest(method, route, res.headersSent ? res.statusCode : CLIENT_CLOSED, 'app', ms);
      nameSpan(req, method, route);
      if (logs) logRequest(log, { method, url }, res, localsOf(res)['requestId'] ?? '', ms);
    });
    app(req, res);
  };
};
